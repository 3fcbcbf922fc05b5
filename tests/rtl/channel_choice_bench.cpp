// channel_choice: random channels that can go on, of random priorities, choices made or not; each pick against the C twin.
// Counted besides: who can go on at each choice is chosen after at most 8 * CHANNELS - 1 others. Compiled with -DCHANNELS= as the unit was
// verilated.
#define BENCH_SHOWS "WQ-8"
#include <verilated.h>

#include "Vchannel_choice.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "host/channel_choice.h"
}

struct run {
    struct bench bench;
    Vchannel_choice rtl;
    struct channel_choice model;
    uint8_t priority[CHANNELS];
    uint32_t passed[CHANNELS];  // choices of others while the channel could go on
};

static void choose(struct run *run) {
    struct bench *bench = &run->bench;
    Vchannel_choice &rtl = run->rtl;
    // Often nearly all can go on, and priorities stay for a while: the lower ones would wait for ever without fair choices.
    uint32_t ready = (uint32_t)bench_mask(bench, CHANNELS), pick = 0;
    if (bench_chance(bench, 3, 4)) ready |= (uint32_t)bench_mask(bench, CHANNELS);
    if (bench_chance(bench, 1, 50)) {
        for (uint32_t c = 0; c < CHANNELS; c++)
            run->priority[c] = (uint8_t)bench_below(bench, 4);
    }
    uint32_t packed = 0;
    for (uint32_t c = 0; c < CHANNELS; c++)
        packed |= (uint32_t)run->priority[c] << 2 * c;
    const bool valid = channel_choice_pick(&run->model, CHANNELS, ready, run->priority, &pick);
    rtl.rst_i = bench_chance(bench, 1, 500);
    rtl.ready_i = ready;
    rtl.priority_i = packed;
    rtl.take_i = valid && bench_chance(bench, 3, 4);
    rtl.eval();
    if (rtl.pick_valid_o != valid || (valid && rtl.pick_o != pick))
        bench_fail(bench, "ready %02x, priorities %04x: RTL %d %u, model %d %u", ready, packed, rtl.pick_valid_o,
                   rtl.pick_o, valid, pick);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        const bool waits = ready >> c & 1 && !rtl.rst_i, chosen = rtl.take_i && rtl.pick_o == c;
        run->passed[c] = !waits || chosen ? 0 : run->passed[c] + rtl.take_i;
        if (run->passed[c] >= 8 * CHANNELS)
            bench_fail(bench, "channel %u waits for %u choices of others", c, run->passed[c]);
    }
    if (rtl.rst_i)
        run->model = {};
    else if (rtl.take_i)
        channel_choice_take(&run->model, pick);
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.ready_i = run.rtl.priority_i = run.rtl.take_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        choose(&run);
    run.rtl.final();
    return bench_end(&run.bench);
}
