// barrier: warps of random CTAs that come to it, some that end there, CTAs of which not all have started. Whether a CTA may go on, and who
// stands there still, says the C twin; the RTL looks at one CTA slot in a cycle, which are counted here.
// Counted besides: a CTA of which all wait is let go within WARPS cycles.
// Compiled with -DWARPS= as the unit was verilated, and -DBENCH_CONFIG=.
#include <verilated.h>

#include "Vbarrier.h"
#include "bench.h"
#include "bench_config.h"
#include "port_bits.h"
#include "tick.h"

extern "C" {
#include "base/run.h"
#include "mem/mem.h"
#include "sm/sm_internal.h"
}

static const uint32_t WARP_W = WARPS > 1 ? index_bits(WARPS) : 1, COUNT_W = index_bits(WARPS + 1);

struct barrier_run {
    struct bench bench;
    Vbarrier rtl;
    uint32_t waiting, look;
    uint32_t cta[WARPS];    // of each warp
    uint32_t alive[WARPS];  // of each CTA slot
    uint32_t since[WARPS];  // cycles that all of the slot wait
    struct sm *sm;
};

// The model, as if all that wait had come to its barrier one after the other.
static void set_twin(struct barrier_run *run) {
    struct sm *sm = run->sm;
    for (uint32_t s = 0; s < WARPS; s++) {
        sm->ctas[s] = {};
        sm->ctas[s].busy = true;
        sm->ctas[s].warps = run->alive[s] + s % 3;  // so many have ended
        sm->ctas[s].ended = s % 3;
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        sm->warps[w].running = true;
        sm->warps[w].at_barrier = false;
        sm->warps[w].cta = run->cta[w];
        warp_update_ready(sm, w);
        if (run->waiting >> w & 1) barrier_arrive(sm, w);
    }
    sm->warps[WARPS].running = sm->warps[WARPS].at_barrier = true;
    sm->warps[WARPS].cta = run->look;
}

// Who waits in the model, and who may go on.
static void compare_twin(const struct barrier_run *run, uint32_t waiting) {
    for (uint32_t w = 0; w < WARPS; w++) {
        const bool waits = waiting >> w & 1;
        if (run->sm->warps[w].at_barrier != waits || (run->sm->ready >> w & 1) == waits ||
            (run->sm->held >> w & 1) != waits)
            bench_fail(&run->bench, "warp %u of the model waits: %u, not %u", w, !waits, waits);
    }
}

static uint32_t members(const struct barrier_run *run, uint32_t slot) {
    uint32_t mask = 0;
    for (uint32_t w = 0; w < WARPS; w++)
        if (run->cta[w] == slot) mask |= 1u << w;
    return mask;
}

// Other warps come to the barrier, or all are of other CTAs.
static void change(struct barrier_run *run) {
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

static void step(struct barrier_run *run) {
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
    set_twin(run);
    compare_twin(run, run->waiting);
    const bool all = barrier_complete(&run->sm->ctas[run->look]);
    struct cta free_one = run->sm->ctas[run->look];
    free_one.busy = false;
    if (barrier_complete(&free_one)) bench_fail(bench, "the model opens the barrier of a slot that is free");
    const uint32_t wanted = all ? here : 0;
    if (all) {
        barrier_release(run->sm, run->look);
        compare_twin(run, run->waiting & ~here);
        if (barrier_complete(&run->sm->ctas[run->look])) bench_fail(bench, "the model opens a barrier twice");
        if (!run->sm->warps[WARPS].at_barrier) bench_fail(bench, "the model lets go who is no warp");
    }
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
    static struct barrier_run run;
    static struct run device;
    run.bench = bench;
    run_init(&device, bench_config(), bench.seed);
    struct mem *mem = mem_create(&device, 4096, nullptr);
    run.sm = mem == nullptr ? nullptr : sm_create(&device, mem, 0);
    if (run.sm == nullptr) bench_fail(&bench, "no memory for the model");
    // One more behind the last warp, which is none.
    struct warp *const warps = run.sm->warps;
    static struct warp more[WARPS + 1];
    memcpy(more, warps, WARPS * sizeof *warps);
    run.sm->warps = more;
    run.rtl.inject_i = 0;
    run.rtl.waiting_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    run.sm->warps = warps;
    sm_destroy(run.sm);
    mem_destroy(mem);
    return bench_end(&run.bench);
}
