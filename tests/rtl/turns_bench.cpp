// turns: random warps that are sent back for want of a unit, get one, or wait no longer, against the rule that its head states. There is
// no C twin: when it is whose turn is nothing that a program can tell. Here each warp is a record of its own.
// Counted besides, as the unit asserts: a warp that was sent back waits for PATIENCE + 2 * (WARPS - 1) instructions of others at most.
// Compiled with -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vturns.h"
#include "bench.h"
#include "tick.h"

static const uint32_t PATIENCE = 64;  // as the unit has by itself
static const uint32_t ALL = WARPS >= 32 ? 0xFFFFFFFFu : (1u << WARPS) - 1;

struct run {
    struct bench bench;
    Vturns rtl;
    struct {
        bool waits, late;
        uint32_t seen;  // instructions of others to a unit since it was sent back
    } warp[WARPS];
    uint32_t passed;
    uint32_t favourite, patient;  // most goes to this warp; so many cycles without one that is lost
    uint64_t turns;
};

static uint32_t late_ones(const struct run *run) {
    uint32_t mask = 0;
    for (uint32_t w = 0; w < WARPS; w++)
        if (run->warp[w].late) mask |= 1u << w;
    return mask;
}

// What comes of it at the clock edge.
static void rule(struct run *run, uint32_t lost) {
    const Vturns &rtl = run->rtl;
    bool somebody = false;
    for (const auto &w : run->warp)
        somebody = somebody || w.waits;
    const bool turn = late_ones(run) != 0, passes = rtl.go_i && rtl.takes_i && somebody && !turn;
    const bool due = passes && run->passed == PATIENCE - 1;
    for (uint32_t w = 0; w < WARPS; w++) {
        const bool mine = rtl.warp_i == w, gone = lost >> w & 1 || (rtl.go_i && mine);
        auto &warp = run->warp[w];
        warp.seen = warp.waits && !gone ? warp.seen + (rtl.go_i && rtl.takes_i) : 0;
        warp.waits = (warp.waits || (rtl.sent_back_i && mine)) && !gone;
        warp.late = due ? warp.waits : warp.late && !gone;
        if (warp.seen > PATIENCE + 2 * (WARPS - 1))
            bench_fail(&run->bench, "warp %u waits for %u instructions of others", w, warp.seen);
    }
    run->turns += due;
    run->passed = !somebody || due ? 0 : run->passed + passes;
    if (!rtl.rst_i) return;
    memset(run->warp, 0, sizeof run->warp);
    run->passed = 0;
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vturns &rtl = run->rtl;
    const uint32_t late = late_ones(run), wanted = late != 0 ? late : ALL;
    rtl.eval();
    if (rtl.turn_o != wanted) bench_fail(bench, "turn of %x, not %x", rtl.turn_o, wanted);
    if (run->patient == 0) {
        run->patient = bench_below(bench, 400);
        run->favourite = bench_below(bench, WARPS);
    }
    run->patient--;
    rtl.rst_i = bench_chance(bench, 1, 3000);
    rtl.warp_i = bench_chance(bench, 2, 3) ? run->favourite : bench_below(bench, WARPS);
    const bool may = wanted >> rtl.warp_i & 1;
    // Others are sent back as long as one has the unit again and again.
    rtl.go_i = bench_chance(bench, rtl.warp_i == run->favourite ? 9 : 1, 10);
    rtl.takes_i = may && bench_chance(bench, 9, 10);
    rtl.sent_back_i = !rtl.go_i && bench_chance(bench, 3, 4);
    rtl.lost_i = bench_chance(bench, 1, 150) ? (uint32_t)bench_mask(bench, WARPS) : 0;
    rtl.eval();
    rule(run, rtl.lost_i);
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 200000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.go_i = run.rtl.sent_back_i = run.rtl.takes_i = run.rtl.lost_i = run.rtl.warp_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (run.turns == 0 && run.bench.ops > 10000) bench_fail(&run.bench, "it was nobody's turn");
    return bench_end(&run.bench);
}
