// cta_ends: CTAs of random SMs and slots that end or leave, in times of many and of few, against counts. There is no C twin: which of several is
// told first is the RTL's.
// Compiled with -DSMS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vcta_ends.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t SLOT_W = TASK_SLOTS > 1 ? index_bits(TASK_SLOTS) : 1, MOST =
                                                                                7;  // COUNT_W as the unit has by itself

struct run {
    struct bench bench;
    Vcta_ends rtl;
    uint32_t ended[SMS][TASK_SLOTS][2];  // not told yet: those that have ended, those that have left
    uint32_t waiting;
    uint32_t much;  // of 16 cycles so many bring an end, of each SM
    uint64_t several, full;
};

static void look(struct run *run) {
    const Vcta_ends &rtl = run->rtl;
    if (rtl.end_valid_o != (run->waiting != 0))
        bench_fail(&run->bench, "%u wait, end_valid_o is %u", run->waiting, rtl.end_valid_o);
    run->several += run->waiting > 1;
    if (run->waiting == 0) return;
    for (uint32_t s = 0; s < SMS; s++)
        for (uint32_t k = 0; k < TASK_SLOTS; k++)
            for (uint32_t left = 0; left < 2; left++) {
                if (run->ended[s][k][left] == 0) continue;
                if (rtl.end_sm_o != s || rtl.end_slot_o != k || rtl.end_left_o != left)
                    bench_fail(&run->bench, "tells %u of slot %u on SM %u, not %u of %u on %u", rtl.end_left_o,
                               rtl.end_slot_o, rtl.end_sm_o, left, k, s);
                run->ended[s][k][left]--;
                run->waiting--;
                return;
            }
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vcta_ends &rtl = run->rtl;
    if (bench_chance(bench, 1, 60)) run->much = bench_chance(bench, 1, 2) ? bench_below(bench, 17) : 0;
    const bool one_slot = bench_chance(bench, 7, 8);
    const uint32_t slot = bench->op / 64 % TASK_SLOTS;
    rtl.rst_i = bench_chance(bench, 1, 500);
    rtl.eval();
    look(run);
    for (uint32_t s = 0; s < SMS; s++) {
        const uint32_t k = one_slot ? slot : bench_below(bench, TASK_SLOTS), left = bench_below(bench, 2);
        const bool ends = run->ended[s][k][left] < MOST && bench_chance(bench, run->much, 16);
        set_bits(rtl.cta_done_valid_i, s, 1, ends);
        set_bits(rtl.cta_done_slot_i, s * SLOT_W, SLOT_W, k);
        set_bits(rtl.cta_done_left_i, s, 1, left);
        run->ended[s][k][left] += ends;
        run->waiting += ends;
        run->full += run->ended[s][k][left] == MOST;
    }
    if (rtl.rst_i) {
        memset(run->ended, 0, sizeof run->ended);
        run->waiting = 0;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 50000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.much = 4;
    run.rtl.cta_done_valid_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (SMS > 1 && bench.ops >= 50000 && (run.several == 0 || run.full == 0))
        bench_fail(&run.bench, "never did several wait, or as many as can be counted");
    return bench_end(&run.bench);
}
