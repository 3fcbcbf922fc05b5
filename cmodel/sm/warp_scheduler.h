// Which ready warp goes next.
#ifndef TANDEM_CMODEL_SM_WARP_SCHEDULER_H
#define TANDEM_CMODEL_SM_WARP_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/registers.h"

#define WARP_SCHEDULER_WARPS_MAX 64u
#define WARP_SCHEDULER_PATIENCE 64u

enum warp_policy {
    WARP_POLICY_ROUND_ROBIN =
        REG_WARP_POLICY_POLICY_ROUND_ROBIN,  // loose: a warp that is not ready is passed over and loses nothing
    WARP_POLICY_GREEDY =
        REG_WARP_POLICY_POLICY_GREEDY,  // the warp granted last while it is ready, else the one that started first
};

struct warp_scheduler {
    uint32_t warps;                             // 1 to 64
    uint32_t last;                              // the warp granted last
    bool granted;                               // one has been
    uint64_t older[WARP_SCHEDULER_WARPS_MAX];   // the warps that started before each
    uint32_t passed[WARP_SCHEDULER_WARPS_MAX];  // how often each was ready and another was granted, since its last
                                                // grant; at most the patience
};

void warp_scheduler_init(struct warp_scheduler *scheduler, uint32_t warps);
// A warp starts: it is the youngest.
void warp_scheduler_start(struct warp_scheduler *scheduler, uint32_t warp);
// Bit w of ready: warp w. False when none is ready. Round robin: the first one after the last one granted, around the
// circle. Greedy: one whose patience is at its end, else the one granted last, else the oldest.
bool warp_scheduler_pick(const struct warp_scheduler *scheduler, enum warp_policy policy, uint64_t ready,
                         uint32_t *warp);
// The warp, one of `ready`, has been granted.
void warp_scheduler_grant(struct warp_scheduler *scheduler, uint64_t ready, uint32_t warp);

#endif
