// Which of the ready warps goes next. Twin of rtl/sm/warp_scheduler.sv.
#ifndef TANDEM_CMODEL_SM_WARP_SCHEDULER_H
#define TANDEM_CMODEL_SM_WARP_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

enum warp_policy { WARP_POLICY_ROUND_ROBIN = 0 };  // loose: a warp that is not ready is passed over and loses nothing

struct warp_scheduler {
    uint32_t warps;  // 1 to 64
    uint32_t last;   // the warp granted last
};

void warp_scheduler_init(struct warp_scheduler *scheduler, uint32_t warps);
// The first ready warp after the last one granted, around the circle; bit w of ready: warp w. False when none is ready.
bool warp_scheduler_pick(const struct warp_scheduler *scheduler, enum warp_policy policy, uint64_t ready,
                         uint32_t *warp);
// The warp has been granted: the next pick starts behind it.
void warp_scheduler_grant(struct warp_scheduler *scheduler, uint32_t warp);

#endif
