// yield_counts: random warps that start, and YIELDs of all kinds by random threads of them, against the C twin: whether they fire, for how many
// cycles counts are written, the bound of every warp.
// Compiled with -DTHREADS= -DLANES= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vyield_counts.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "gen/isa.h"
#include "sm/yield_counts.h"
}

static const uint32_t PORTIONS = THREADS / LANES;
static const uint64_t ALL = THREADS == 64 ? ~0ull : (1ull << (THREADS & 63)) - 1;

struct run {
    struct bench bench;
    Vyield_counts rtl;
    struct yield_counts warp[WARPS];
    // the instruction under way; it has stood for a cycle while no counts were written
    bool some, looked, done;
    uint32_t at, mod, target;
    uint64_t exec;
    uint32_t counting;  // cycles left
    bool uncounted;
    uint32_t starting;  // so many warps are yet to start after a reset
    // most instructions are of this warp and these threads, so that counts become high
    uint32_t favourite, its_target;
    uint64_t its_exec;
    bool calm;  // .. all are
    uint64_t at_limit, fired, not_fired;
};

static void next_instruction(struct run *run) {
    struct bench *bench = &run->bench;
    if (bench_chance(bench, 1, 600)) {
        run->calm = bench_chance(bench, 1, 2);
        run->favourite = bench_below(bench, WARPS);
        run->its_exec = bench_mask(bench, THREADS);
        if (run->its_exec == 0) run->its_exec = ALL;
        run->its_target = bench_chance(bench, 1, 2) ? 256 + bench_below(bench, 1u << 21) : bench_below(bench, 259);
        if (bench_chance(bench, 1, 4)) run->its_target = 1u << (8 + bench_below(bench, 14));
    }
    const bool favourite = run->calm || bench_chance(bench, 15, 16);
    run->some = true;
    run->looked = false;
    run->at = favourite ? run->favourite : bench_below(bench, WARPS);
    run->exec = run->calm || (favourite && bench_chance(bench, 60, 61)) ? run->its_exec : bench_mask(bench, THREADS);
    if (run->exec == 0) run->exec = 1ull << bench_below(bench, THREADS);
    run->mod = favourite ? (uint32_t)YIELD_NTH : bench_below(bench, 16);
    run->target = run->calm || (favourite && bench_chance(bench, 60, 61)) ? run->its_target : bench_below(bench, 6);
    if (run->mod == YIELD_RANDOM) {
        run->target = bench_below(bench, bench_chance(bench, 1, 8) ? 1u << 22 : 1u << 16);
        // Just at the threshold, and just not.
        struct yield_counts after = run->warp[run->at];
        yield_counts_done(&after, YIELD_RANDOM, run->exec, ALL, false);
        if (bench_chance(bench, 1, 4)) run->target = (after.random >> 16) + bench_below(bench, 2);
    }
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vyield_counts &rtl = run->rtl;
    if (!run->some && run->counting == 0 && run->starting == 0 && bench_chance(bench, 3, 4)) next_instruction(run);
    if (run->some || run->counting == 0) {
        rtl.warp_i = (uint8_t)(run->some ? run->at : bench_below(bench, WARPS));
        rtl.exec_i = run->some ? run->exec : bench_random(bench) & ALL;
        rtl.mod_i = (uint8_t)(run->some ? run->mod : bench_below(bench, 16));
        rtl.target_i = run->some ? run->target : bench_below(bench, 1u << 22);
    }
    const bool may = run->counting == 0;  // then what is done is gone
    rtl.done_i = may && run->some && run->looked && bench_chance(bench, 1, 2);
    rtl.start_i = may && !rtl.done_i && (run->starting != 0 || bench_chance(bench, 1, run->calm ? 20000 : 600));
    rtl.start_warp_i = (uint8_t)(run->starting != 0 ? run->starting - 1 : bench_below(bench, WARPS));
    rtl.start_seed_i = bench_chance(bench, 1, 4)   ? 0
                       : bench_chance(bench, 1, 4) ? 1u << bench_below(bench, 32)
                                                   : (uint32_t)bench_random(bench);
    rtl.sel_warp_i = (uint8_t)(bench_chance(bench, 1, 2) ? run->favourite : bench_below(bench, WARPS));
    rtl.rst_i = bench_chance(bench, 1, 40000);
    rtl.eval();
    if (rtl.counting_o != (run->counting != 0))
        bench_fail(bench, "counting_o is %u, %u cycles are left", rtl.counting_o, run->counting);
    if (run->counting != 0 && rtl.uncounted_o != run->uncounted)
        bench_fail(bench, "uncounted_o is not %u", run->uncounted);
    if (run->starting == 0 && rtl.bound_o != run->warp[rtl.sel_warp_i].count_bound)
        bench_fail(bench, "warp %u: bound %u, not %u", rtl.sel_warp_i, rtl.bound_o,
                   run->warp[rtl.sel_warp_i].count_bound);
    struct yield_counts *warp = &run->warp[run->at];
    const bool fires = run->some && yield_counts_fire(warp, run->mod, run->target, run->exec);
    if (run->some && run->looked && run->counting == 0 && rtl.fires_o != fires)
        bench_fail(bench, "warp %u, YIELD %u %u of %" PRIx64 ": fires_o is not %u", run->at, run->mod, run->target,
                   run->exec, fires);
    // What comes of it at the edge.
    if (run->counting != 0)
        run->counting--;
    else if (run->some)
        run->looked = true;
    if (rtl.done_i) {
        const uint32_t first = (uint32_t)__builtin_ctzll(run->exec);
        run->at_limit += run->mod == YIELD_NTH && warp->count[first] == 255;
        run->fired += fires;
        run->not_fired += !fires;
        yield_counts_done(warp, run->mod, run->exec, ALL, fires);
    }
    if (rtl.start_i) {
        yield_counts_start(&run->warp[rtl.start_warp_i]);
        yield_counts_seed(&run->warp[rtl.start_warp_i], rtl.start_seed_i);
        run->starting -= run->starting != 0;
    }
    if (rtl.start_i || (rtl.done_i && run->mod == YIELD_NTH)) {
        run->counting = PORTIONS;
        run->uncounted = rtl.start_i;
        run->looked = false;
    }
    // The next instruction may stand there in the next cycle, but not while counts of this one are written.
    run->done = run->done || rtl.done_i;
    if (run->done && run->counting == 0) run->some = run->done = false;
    if (rtl.rst_i) {
        run->counting = 0;
        run->some = run->done = false;
        run->starting = WARPS;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 400000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.starting = WARPS;
    run.its_exec = ALL;
    run.its_target = 300;
    run.rtl.start_i = run.rtl.done_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops >= 400000 && (run.at_limit == 0 || run.fired == 0 || run.not_fired == 0))
        bench_fail(&run.bench, "no count has come to its end, or all have fired");
    return bench_end(&run.bench);
}
