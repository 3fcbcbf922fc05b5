// sequencer: random exec masks, with the receiver of the portions busy now and then, clears and resets, RTL against the
// C twin. Compiled with -DTHREADS= -DLANES= as the unit was verilated.
#include <verilated.h>

#include "Vsequencer.h"
#define BENCH_SHOWS "SV-1"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/sequencer.h"
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    Vsequencer rtl;
    struct sequencer model;
    uint32_t portion = 0;
    uint64_t lanes = 0;
    sequencer_start(&model, LANES, 0);
    bool there = false;  // the model's portion that is offered now
    rtl.clear_i = 0;
    rtl.start_valid_i = 0;
    rtl.portion_ready_i = 0;
    reset(rtl);
    while (bench_more(&bench)) {
        const bool last = model.mask == 0;
        const uint64_t exec = bench_mask(&bench, THREADS);
        rtl.start_valid_i = bench_chance(&bench, 3, 4);
        rtl.start_exec_i = exec;
        rtl.portion_ready_i = bench_chance(&bench, 3, 4);
        rtl.clear_i = bench_chance(&bench, 1, 100);
        rtl.rst_i = bench_chance(&bench, 1, 500);
        rtl.eval();
        if (rtl.portion_valid_o != there)
            bench_fail(&bench, "portion_valid_o %u, model %u", rtl.portion_valid_o, there);
        if (there && (rtl.portion_o != portion || rtl.portion_lanes_o != lanes || rtl.portion_last_o != last)) {
            bench_fail(&bench, "portion %u lanes %llx last %u, model %u %llx %u", rtl.portion_o,
                       (unsigned long long)rtl.portion_lanes_o, rtl.portion_last_o, portion, (unsigned long long)lanes,
                       last);
        }
        const bool ready = !there || (last && rtl.portion_ready_i);
        if (rtl.start_ready_o != ready) bench_fail(&bench, "start_ready_o %u, model %u", rtl.start_ready_o, ready);
        if (rtl.clear_i || rtl.rst_i) {
            sequencer_start(&model, LANES, 0);
            there = false;
        } else if (ready && rtl.start_valid_i) {
            sequencer_start(&model, LANES, exec);
            there = sequencer_next(&model, &portion, &lanes);
        } else if (there && rtl.portion_ready_i) {
            there = sequencer_next(&model, &portion, &lanes);
        }
        tick(rtl);
    }
    rtl.final();
    return bench_end(&bench);
}
