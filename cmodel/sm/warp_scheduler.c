#include "sm/warp_scheduler.h"

#include <assert.h>
#include <string.h>

void warp_scheduler_init(struct warp_scheduler *scheduler, uint32_t warps) {
    assert(warps >= 1 && warps <= WARP_SCHEDULER_WARPS_MAX);
    memset(scheduler, 0, sizeof *scheduler);
    scheduler->warps = warps;
    scheduler->last = warps - 1;  // warp 0 is first
    for (uint32_t w = 0; w < warps; w++)
        scheduler->older[w] = (UINT64_C(1) << w) - 1;
}

void warp_scheduler_start(struct warp_scheduler *scheduler, uint32_t warp) {
    assert(warp < scheduler->warps);
    for (uint32_t w = 0; w < scheduler->warps; w++)
        scheduler->older[w] &= ~(UINT64_C(1) << warp);
    scheduler->older[warp] = ~(UINT64_C(1) << warp);  // warps that are not there are never ready
    scheduler->passed[warp] = 0;
}

static uint64_t greedy(const struct warp_scheduler *scheduler, uint64_t ready) {
    uint64_t impatient = 0, oldest = 0;
    for (uint64_t left = ready; left != 0; left &= left - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(left);
        if (scheduler->passed[w] == WARP_SCHEDULER_PATIENCE) impatient |= UINT64_C(1) << w;
        if ((ready & scheduler->older[w]) == 0) oldest |= UINT64_C(1) << w;
    }
    if (impatient != 0) return impatient;
    if (scheduler->granted && (ready >> scheduler->last & 1u) != 0) return UINT64_C(1) << scheduler->last;
    return oldest;
}

bool warp_scheduler_pick(const struct warp_scheduler *scheduler, enum warp_policy policy, uint64_t ready,
                         uint32_t *warp) {
    if (ready == 0) return false;
    uint64_t candidates = ready & ~UINT64_C(0) << scheduler->last << 1;
    if (policy == WARP_POLICY_GREEDY) candidates = greedy(scheduler, ready);
    *warp = (uint32_t)__builtin_ctzll(candidates != 0 ? candidates : ready);
    return true;
}

void warp_scheduler_grant(struct warp_scheduler *scheduler, uint64_t ready, uint32_t warp) {
    assert(warp < scheduler->warps);
    scheduler->last = warp;
    scheduler->granted = true;
    for (uint64_t left = ready; left != 0; left &= left - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(left);
        if (scheduler->passed[w] < WARP_SCHEDULER_PATIENCE) scheduler->passed[w]++;
    }
    scheduler->passed[warp] = 0;
}
