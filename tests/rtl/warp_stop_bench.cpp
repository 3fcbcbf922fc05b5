// warp_stop: random warps that start, come back, enter traps and wait, in random slots, against the rule that its head states. The model has the
// same where it decides (cmodel/sm/warp_stop.c); here each warp is a record of its own.
// Compiled with -DWARPS= -DTASK_SLOTS= as the unit was verilated.
#include <verilated.h>

#include "Vwarp_stop.h"
#include "bench.h"
#include "port_bits.h"
#include "tick.h"

static const uint32_t SLOT_W = TASK_SLOTS > 1 ? index_bits(TASK_SLOTS) : 1;

struct run {
    struct bench bench;
    Vwarp_stop rtl;
    struct {
        bool comes_back, live, barrier, waits, partly;
        uint32_t slot;
    } warp[WARPS];
    uint64_t rested, stopped;
};

static void look(struct run *run) {
    const Vwarp_stop &rtl = run->rtl;
    for (uint32_t w = 0; w < WARPS; w++) {
        const auto &warp = run->warp[w];
        const bool trapped = rtl.trap_busy_i && rtl.trap_warp_i == w;
        const bool wanted = rtl.slot_stop_i >> warp.slot & 1 || warp.comes_back;
        const bool stops = wanted && !warp.partly && !trapped;
        if ((rtl.stops_o >> w & 1) != stops) bench_fail(&run->bench, "warp %u: stops_o is not %u", w, stops);
        run->stopped += stops;
    }
    for (uint32_t k = 0; k < TASK_SLOTS; k++) {
        bool rests = !(rtl.launching_i && rtl.launch_slot_i == k), waits = false, trapped = false;
        for (uint32_t w = 0; w < WARPS; w++) {
            const auto &warp = run->warp[w];
            if (!warp.live || warp.slot != k) continue;
            rests = rests && (warp.waits || warp.barrier);
            waits = waits || warp.waits;
            trapped = trapped || warp.comes_back || (rtl.trap_busy_i && rtl.trap_warp_i == w);
        }
        if ((rtl.rests_o >> k & 1) != rests || (rtl.waits_o >> k & 1) != waits || (rtl.trapped_o >> k & 1) != trapped)
            bench_fail(&run->bench, "slot %u: rests %u, waits %u, trapped %u, not %u %u %u", k, rtl.rests_o >> k & 1,
                       rtl.waits_o >> k & 1, rtl.trapped_o >> k & 1, rests, waits, trapped);
        run->rested += rests && waits;
    }
}

static void step(struct run *run) {
    struct bench *bench = &run->bench;
    Vwarp_stop &rtl = run->rtl;
    // One warp or all of them change.
    const uint32_t only = bench_chance(bench, 1, 4) ? WARPS : bench_below(bench, WARPS);
    for (uint32_t w = 0; w < WARPS; w++) {
        auto &warp = run->warp[w];
        if (only < WARPS && w != only) continue;
        warp.live = bench_chance(bench, 3, 4);
        warp.barrier = bench_chance(bench, 1, 2);
        warp.waits = bench_chance(bench, 1, 2);
        warp.partly = bench_chance(bench, 1, 4);
        warp.slot = bench_below(bench, TASK_SLOTS);
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        const auto &warp = run->warp[w];
        set_bits(rtl.live_i, w, 1, warp.live);
        set_bits(rtl.at_barrier_i, w, 1, warp.barrier);
        set_bits(rtl.waiting_i, w, 1, warp.waits);
        set_bits(rtl.partly_i, w, 1, warp.partly);
        set_bits(rtl.slot_i, w * SLOT_W, SLOT_W, warp.slot);
    }
    rtl.rst_i = bench_chance(bench, 1, 100);
    set_bits(rtl.slot_stop_i, 0, TASK_SLOTS, bench_mask(bench, TASK_SLOTS));
    rtl.start_i = bench_chance(bench, 1, 2);
    rtl.start_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.start_resume_i = bench_chance(bench, 1, 2);
    rtl.stop_i = bench_chance(bench, 1, 3);
    rtl.stop_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.trap_busy_i = bench_chance(bench, 1, 3);
    rtl.trap_warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.launching_i = bench_chance(bench, 1, 4);
    rtl.launch_slot_i = (uint8_t)bench_below(bench, TASK_SLOTS);
    rtl.eval();
    look(run);
    for (uint32_t w = 0; w < WARPS; w++) {
        bool &comes_back = run->warp[w].comes_back;
        if (rtl.stop_i && rtl.stop_warp_i == w) comes_back = false;
        if (rtl.start_i && rtl.start_warp_i == w) comes_back = rtl.start_resume_i;
        if (rtl.rst_i) comes_back = false;
    }
    tick(rtl);
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 50000);
    registers_at_random(bench.seed);
    static struct run run;
    run.bench = bench;
    run.rtl.start_i = run.rtl.stop_i = 0;
    reset(run.rtl);
    while (bench_more(&run.bench))
        step(&run);
    run.rtl.final();
    if (bench.ops > 10000 && (run.rested == 0 || run.stopped == 0))
        bench_fail(&run.bench, "no slot rested, or no warp was stopped");
    return bench_end(&run.bench);
}
