// warp_scheduler: random ready masks, starts of warps, grants taken and not taken, both policies and changes between
// them, resets amid all that, RTL against the C twin; and that no warp is passed over more often than its policy allows.
// Compiled with -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vwarp_scheduler.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/warp_scheduler.h"
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    registers_at_random(bench.seed);
    Vwarp_scheduler rtl;
    struct warp_scheduler model;
    uint32_t waited[WARPS] = {0};  // grants to others since the warp has been ready without a break
    uint32_t most[2] = {0, 0}, policy = WARP_POLICY_ROUND_ROBIN;
    uint64_t ready = 0;
    warp_scheduler_init(&model, WARPS);
    rtl.policy_i = policy;
    rtl.ready_i = 0;
    rtl.start_i = 0;
    rtl.start_warp_i = 0;
    rtl.grant_taken_i = 0;
    reset(rtl);
    // Some warps are mostly ready, so that the others need their patience.
    uint64_t busy = 0;
    while (bench_more(&bench)) {
        if (bench_chance(&bench, 1, 2000)) {
            policy = bench_below(&bench, 4);
            for (uint32_t &w : waited)
                w = 0;
        }
        const bool greedy = policy == WARP_POLICY_GREEDY;
        if (bench_chance(&bench, 1, 200)) busy = bench_mask(&bench, WARPS) & bench_mask(&bench, WARPS);
        if (bench_chance(&bench, 1, 2)) ready = bench_mask(&bench, WARPS);
        if (bench_chance(&bench, 1, 4)) ready ^= UINT64_C(1) << bench_below(&bench, WARPS);
        if (bench_chance(&bench, 7, 8)) ready |= busy;
        const uint32_t starts = bench_below(&bench, WARPS);
        rtl.start_i = bench_chance(&bench, 1, 50);
        rtl.start_warp_i = starts;
        if (rtl.start_i) ready &= ~(UINT64_C(1) << starts);  // it was not there
        rtl.policy_i = policy;
        rtl.ready_i = ready;
        rtl.grant_taken_i = 0;
        rtl.eval();
        uint32_t warp = 0;
        const bool granted =
            warp_scheduler_pick(&model, greedy ? WARP_POLICY_GREEDY : WARP_POLICY_ROUND_ROBIN, ready, &warp);
        if (rtl.grant_valid_o != granted || (granted && rtl.grant_warp_o != warp)) {
            bench_fail(&bench, "policy %u, ready %llx, last %u: grant %u warp %u, model grant %u warp %u", policy,
                       (unsigned long long)ready, model.last, rtl.grant_valid_o, rtl.grant_warp_o, granted, warp);
        }
        if (granted && bench_chance(&bench, 3, 4)) {
            rtl.grant_taken_i = 1;
            warp_scheduler_grant(&model, ready, warp);
            for (uint32_t w = 0; w < WARPS; w++) {
                if ((ready >> w & 1) != 0 && w != warp) waited[w]++;
                if (waited[w] > most[greedy]) most[greedy] = waited[w];
                if (waited[w] > (greedy ? WARP_SCHEDULER_PATIENCE + WARPS - 2 : WARPS - 1))
                    bench_fail(&bench, "policy %u: warp %u has been passed over %u times", policy, w, waited[w]);
            }
            waited[warp] = 0;
        }
        for (uint32_t w = 0; w < WARPS; w++) {
            if ((ready >> w & 1) == 0) waited[w] = 0;
        }
        if (rtl.start_i) {
            warp_scheduler_start(&model, starts);
            waited[starts] = 0;
        }
        // A reset goes before whatever comes beside it.
        rtl.rst_i = bench_chance(&bench, 1, 2000);
        if (rtl.rst_i) {
            warp_scheduler_init(&model, WARPS);
            for (uint32_t &w : waited)
                w = 0;
        }
        tick(rtl);
    }
    printf("passed over at most %u times by round robin, %u by greedy then oldest\n", most[0], most[1]);
    rtl.final();
    return bench_end(&bench);
}
