// The barrier of each CTA.
#include "sm_internal.h"

void barrier_arrive(struct sm *sm, uint32_t warp) {
    sm->warps[warp].at_barrier = true;
    sm->ctas[sm->warps[warp].cta].waiting++;
    warp_update_ready(sm, warp);
}

bool barrier_complete(const struct cta *cta) {
    // A warp that has not started yet will still come to the barrier.
    return cta->busy && cta->waiting > 0 && cta->waiting == cta->warps - cta->ended;
}

void barrier_release(struct sm *sm, uint32_t cta) {
    sm->ctas[cta].waiting = 0;
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        if (!sm->warps[w].running || sm->warps[w].cta != cta || !sm->warps[w].at_barrier) continue;
        sm->warps[w].at_barrier = false;
        warp_update_ready(sm, w);
    }
}
