// warp_scheduler: random ready masks, grants taken and not taken, RTL against the C twin; and that no ready warp waits
// for more than WARPS - 1 other grants. Compiled with -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vwarp_scheduler.h"
#include "bench.h"
#include "tick.h"

extern "C" {
#include "sm/warp_scheduler.h"
}

double sc_time_stamp() {
    return 0;
}

int main(int argc, char **argv) {
    struct bench bench;
    bench_begin(&bench, argc, argv, 1000000);
    Vwarp_scheduler rtl;
    struct warp_scheduler model;
    uint32_t waited[WARPS] = {0};  // grants to others since the warp has been ready without a break
    uint64_t ready = 0;
    warp_scheduler_init(&model, WARPS);
    rtl.policy_i = WARP_POLICY_ROUND_ROBIN;
    rtl.ready_i = 0;
    rtl.grant_taken_i = 0;
    reset(rtl);
    while (bench_more(&bench)) {
        if (bench_chance(&bench, 1, 2)) ready = bench_mask(&bench, WARPS);
        if (bench_chance(&bench, 1, 4)) ready ^= UINT64_C(1) << bench_below(&bench, WARPS);
        rtl.ready_i = ready;
        rtl.grant_taken_i = 0;
        rtl.eval();
        uint32_t warp = 0;
        const bool granted = warp_scheduler_pick(&model, WARP_POLICY_ROUND_ROBIN, ready, &warp);
        if (rtl.grant_valid_o != granted || (granted && rtl.grant_warp_o != warp)) {
            bench_fail(&bench, "ready %llx, last %u: grant %u warp %u, model grant %u warp %u",
                       (unsigned long long)ready, model.last, rtl.grant_valid_o, rtl.grant_warp_o, granted, warp);
        }
        if (granted && bench_chance(&bench, 3, 4)) {
            rtl.grant_taken_i = 1;
            warp_scheduler_grant(&model, warp);
            for (uint32_t w = 0; w < WARPS; w++) {
                waited[w] = (ready >> w & 1) != 0 && w != warp ? waited[w] + 1 : 0;
                if (waited[w] >= WARPS) bench_fail(&bench, "warp %u has waited for %u grants", w, waited[w]);
            }
        }
        for (uint32_t w = 0; w < WARPS; w++) {
            if ((ready >> w & 1) == 0) waited[w] = 0;
        }
        tick(rtl);
    }
    rtl.final();
    return bench_end(&bench);
}
