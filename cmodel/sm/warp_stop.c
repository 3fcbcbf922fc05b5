// Warps that step aside: which ones enter a trap by request, and what the task unit must know of the warps of a slot.
// The twin of rtl/sm/warp_stop.sv.
#include "sm_internal.h"

bool warp_stops(const struct sm *sm, const struct warp *warp) {
    if (!warp_slot(sm, warp)->stop && !warp->resume) return false;
    return warp->running && !warp->faulted && !warp->divergence.trapped && !warp->divergence.resumed &&
           !warp_killed(sm, warp);
}

bool warp_can_stop(const struct sm *sm, const struct warp *warp) {
    return !sm->trap.on && !warp->held && warp->children.left == 0 && warp_stops(sm, warp);
}

void warp_stop(struct sm *sm, uint32_t number, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    if (warp->at_barrier) {  // it comes there again
        warp->at_barrier = false;
        sm->ctas[warp->cta].waiting--;
        warp->pc = warp->instr_pc;
    }
    warp->children.running = 0;  // it goes on when they have ended: the task unit counts them
    if (event != NULL) {
        event->kind = TRACE_WARP_STOP;
        event->warp_stop =
            (struct trace_warp_stop){.warp = number, .pc = warp->pc, .active = divergence_active(&warp->divergence)};
    }
    warp->resume = false;
    sm->trap.on = warp->divergence.trapped = true;
    sm->trap.saved = false;
    sm->trap.warp = number;
    sm->trap.pc = warp->pc;
    warp->pc = 0;
    warp->fetched_since = warp->fetched_last = sm->fetch_cache.time;
    warp_update_ready(sm, number);
}

// ---- what the task unit must know ----
static bool waits_for_children(const struct warp *warp) {
    return warp->children.left == 0 && warp->children.running != 0;
}

bool sm_slot_rests(const struct sm *sm, uint32_t slot) {
    for (uint32_t l = 0; l < sm->launch_count; l++) {
        if (sm->launches[l].slot == slot) return false;
    }
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        if (warp->running && warp->slot == slot && !warp->at_barrier && !waits_for_children(warp)) return false;
    }
    return true;
}

bool sm_slot_waits(const struct sm *sm, uint32_t slot) {
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        if (warp->running && warp->slot == slot && waits_for_children(warp)) return true;
    }
    return false;
}

bool sm_slot_trapped(const struct sm *sm, uint32_t slot) {
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        if (warp->running && warp->slot == slot && (warp->resume || warp->divergence.trapped)) return true;
    }
    return false;
}
