// LAUNCH: child tasks from the threads of a warp, and the wait for their end: the twin of rtl/sm/child_launch.sv.
#include <string.h>

#include "sm_internal.h"

void child_launch_begin(const struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec) {
    const struct execute_state state = {.threads = sm->config->threads, .registers = warp->registers};
    memcpy(warp->children.number, execute_read(&state, d->ra), sm->config->threads * sizeof warp->children.number[0]);
    warp->children.left = exec;
    warp->children.wait = (d->mod & 1u) != 0;
    warp->children.running = 0;
}

bool child_launch_next(struct sm *sm, uint32_t number, struct trace_event *event) {
    struct warp *warp = &sm->warps[number];
    struct children *children = &warp->children;
    if (children->left == 0 || !sm->wires.can_launch_child(sm->wires.context)) return false;
    const unsigned t = (unsigned)__builtin_ctzll(children->left);
    children->left &= children->left - 1;
    event->kind = TRACE_CHILD_LAUNCH;
    event->child_launch = (struct trace_child_launch){
        .warp = number, .thread = t, .number = children->number[t], .waits = children->wait};
    if (children->wait) children->running++;
    const struct sm_child child = {
        .slot = warp->slot, .number = children->number[t], .sm = sm->number, .warp = number, .wait = children->wait};
    sm->wires.launch_child(sm->wires.context, &child);
    warp_update_ready(sm, number);
    return true;
}

void sm_child_ended(struct sm *sm, uint32_t warp_number, uint32_t channel) {
    if (warp_number >= sm->config->warps) return;
    struct warp *warp = &sm->warps[warp_number];
    // Threads can overwrite what a TMD says about its parent, for tasks of their own channel.
    if (!warp->running || warp->children.running == 0 || warp_slot(sm, warp)->channel != channel) return;
    warp->children.running--;
    warp_update_ready(sm, warp_number);
}

bool sm_waiting(const struct sm *sm) {
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        if (sm->warps[w].running && sm->warps[w].children.left == 0 && sm->warps[w].children.running != 0) return true;
    }
    return false;
}

bool sm_stuck(const struct sm *sm) {
    if (sm->launch_count != 0) return false;
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        if (!warp->running || warp->at_barrier) continue;
        if (warp->children.left != 0 || warp->children.running == 0) return false;
    }
    return true;
}
