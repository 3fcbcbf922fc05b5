// barrier: warps of random CTAs that wait, against the rule that its head states: of the CTA slot that is looked at all that wait go when
// they are as many as have not ended. There is no C twin that goes from slot to slot; here the slots are counted one by one. Counted
// besides: a CTA of which all wait is let go within WARPS cycles.
// Compiled with -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vbarrier.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t WARP_W = WARPS > 1 ? index_bits(WARPS) : 1, COUNT_W = index_bits(WARPS + 1);

struct run {
    struct bench bench;
    Vbarrier rtl;
    uint32_t waiting, look;
    uint32_t cta[WARPS];    // of each warp
    uint32_t alive[WARPS];  // of each CTA slot
    uint32_t since[WARPS];  // cycles that all of the slot wait
};

static uint32_t members(const struct run *run, uint32_t slot) {
    uint32_t mask = 0;
    for (uint32_t w = 0; w < WARPS; w++)
        if (run->cta[w] == slot) mask |= 1u << w;
    return mask;
}

// Other warps come to the barrier, or all are of other CTAs.
static void change(struct run *run) {
    struct bench *bench = &run->bench;
    if (bench_chance(bench, 1, 40)) {
        const uint32_t slots = 1 + bench_below(bench, WARPS);
        for (uint32_t w = 0; w < WARPS; w++)
            run->cta[w] = bench_chance(bench, 1, 8) ? bench_below(bench, WARPS) : w % slots;
        for (uint32_t s = 0; s < WARPS; s++) {
            run->alive[s] = (uint32_t)__builtin_popcount(members(run, s));
            // Some have not started yet, or have ended.
            if (bench_chance(bench, 1, 4)) run->alive[s] = bench_below(bench, WARPS + 1);
        }
        run->waiting = 0;
        memset(run->since, 0, sizeof run->since);
    }
    if (bench_chance(bench, 1, 3)) run->waiting |= 1u << bench_below(bench, WARPS);
    if (bench_chance(bench, 1, 30)) run->waiting |= (uint32_t)bench_mask(bench, WARPS);
    if (bench_chance(bench, 1, 60)) run->waiting &= (uint32_t)bench_mask(bench, WARPS);  // some are killed
    if (bench_chance(bench, 1, 100)) run->waiting = 1u << bench_below(bench, WARPS);
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vbarrier &rtl = run->rtl;
    change(run);
    rtl.rst_i = bench_chance(bench, 1, 500);
    rtl.waiting_i = run->waiting;
    for (uint32_t w = 0; w < WARPS; w++) {
        set_bits(rtl.cta_i, w * WARP_W, WARP_W, run->cta[w]);
        set_bits(rtl.alive_i, w * COUNT_W, COUNT_W, run->alive[w]);
    }
    rtl.eval();
    const uint32_t here = members(run, run->look) & run->waiting;
    const bool all = here != 0 && (uint32_t)__builtin_popcount(here) == run->alive[run->look];
    const uint32_t wanted = all ? here : 0;
    if (rtl.release_o != wanted)
        bench_fail(bench, "slot %u, %x wait of %x, %u alive: %x go, not %x", run->look, run->waiting,
                   members(run, run->look), run->alive[run->look], rtl.release_o, wanted);
    if (rtl.trace_barrier_valid_o != all || (all && rtl.trace_barrier_cta_o != run->look))
        bench_fail(bench, "event of slot %u, not %u", rtl.trace_barrier_cta_o, run->look);
    for (uint32_t s = 0; s < WARPS; s++) {
        const uint32_t wait = members(run, s) & run->waiting;
        const bool due = wait != 0 && (uint32_t)__builtin_popcount(wait) == run->alive[s] && !rtl.rst_i;
        run->since[s] = due && !(all && s == run->look) ? run->since[s] + 1 : 0;
        if (run->since[s] >= WARPS) bench_fail(bench, "all of slot %u wait for %u cycles", s, run->since[s]);
    }
    if (rtl.rst_i)
        run->look = 0;
    else if (run->waiting != 0)
        run->look = (run->look + 1) % WARPS;
    tick(rtl);
    if (!rtl.rst_i) run->waiting &= ~wanted;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 100000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.inject_i = 0;
    run.rtl.waiting_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    return bench_end(&run.bench);
}
