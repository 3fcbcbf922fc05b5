// backoff: random warps that try in loops of a few instructions, get something now and then, write, end, against the C twin, cycle by cycle; and that
// no warp waits for longer than the unit's head says. A warp that waits executes nothing, as in the machine; now and then one does nevertheless.
// Compiled with -DWARPS= as the unit was verilated.
#define BENCH_SHOWS "TD-23"
#include <verilated.h>

#include "Vbackoff.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/backoff.h"
}

static const uint32_t EVERY = 64;  // as the unit has by itself

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    Vbackoff rtl;
    struct backoff model;
    struct {
        uint32_t length, at;  // of its loop, YIELD included; where it is
        uint32_t waited;
    } warps[WARPS] = {};
    uint64_t turns = 0, crowds = 0, long_ways = 0;
    rtl.go_i = rtl.yields_i = rtl.writes_i = rtl.warp_i = rtl.lost_i = 0;
    reset(rtl);
    backoff_init(&model, EVERY);
    while (bench_more(&bench)) {
        if (rtl.waits_o != model.waits)
            bench_fail(&bench, "%llx wait, model %llx", (unsigned long long)rtl.waits_o,
                       (unsigned long long)model.waits);
        for (uint32_t w = 0; w < WARPS; w++) {
            warps[w].waited = (model.waits >> w & 1) != 0 ? warps[w].waited + 1 : 0;
            if (warps[w].waited > WARPS * EVERY) bench_fail(&bench, "warp %u waits for %u cycles", w, warps[w].waited);
        }
        const uint32_t warp = bench_below(&bench, WARPS);
        auto &w = warps[warp];
        const bool executes =
            (model.waits >> warp & 1) == 0 ? bench_chance(&bench, 9, 10) : bench_chance(&bench, 1, 500);
        // Loops stay the same for long, of a warp that now and then gets something another way is taken.
        if (w.length == 0 || bench_chance(&bench, 1, 500))
            w.length = bench_chance(&bench, 1, 20) ? 120 + bench_below(&bench, 20) : 1 + bench_below(&bench, 6);
        rtl.rst_i = bench_chance(&bench, 1, 20000);
        rtl.warp_i = warp;
        rtl.go_i = executes;
        if (executes) w.waited = 0;  // its turn may come in this cycle, and be lost
        rtl.yields_i = executes && ++w.at >= w.length;
        if (rtl.yields_i && bench_chance(&bench, 1, 50)) rtl.yields_i = 0;  // one instruction more
        if (rtl.yields_i) w.at = 0;
        rtl.writes_i = executes && !rtl.yields_i && bench_chance(&bench, 1, 200);
        rtl.lost_i = bench_chance(&bench, 1, 2000) ? (uint32_t)bench_mask(&bench, WARPS) : 0;
        long_ways += rtl.yields_i && model.since[warp] == BACKOFF_OTHER - 1 && model.last[warp] == BACKOFF_OTHER - 1;
        const uint64_t waited = model.waits;
        backoff_step(&model);
        turns += model.waits != waited;
        crowds += (waited & (waited - 1)) != 0;
        if (rtl.yields_i) {
            backoff_yield(&model, warp);
        } else if (rtl.go_i) {
            backoff_go(&model, warp, 1, rtl.writes_i);
        }
        backoff_lost(&model, rtl.lost_i);
        if (rtl.rst_i) backoff_init(&model, EVERY);
        tick(rtl);
    }
    printf("%" PRIu64 " turns; in %" PRIu64 " cycles several warps waited; %" PRIu64 " tries of 127 instructions\n",
           turns, crowds, long_ways);
    if (bench.ops >= 100000 && (turns < 100 || crowds < 1000)) bench_fail(&bench, "the stream has missed something");
    rtl.final();
    return bench_end(&bench);
}
