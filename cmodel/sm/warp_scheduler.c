#include "sm/warp_scheduler.h"

#include <assert.h>

void warp_scheduler_init(struct warp_scheduler *scheduler, uint32_t warps) {
    assert(warps >= 1 && warps <= 64);
    scheduler->warps = warps;
    scheduler->last = warps - 1;  // warp 0 is first
}

bool warp_scheduler_pick(const struct warp_scheduler *scheduler, enum warp_policy policy, uint64_t ready,
                         uint32_t *warp) {
    (void)policy;  // there is one so far
    if (ready == 0) return false;
    const uint64_t behind = scheduler->last == 63 ? 0 : ready & (~UINT64_C(0) << (scheduler->last + 1));
    *warp = (uint32_t)__builtin_ctzll(behind != 0 ? behind : ready);
    return true;
}

void warp_scheduler_grant(struct warp_scheduler *scheduler, uint32_t warp) {
    assert(warp < scheduler->warps);
    scheduler->last = warp;
}
