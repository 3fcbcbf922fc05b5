// Held warps: software moves the tokens of a queue that stands at a bound (registers DEQUE_*), then resumes the warp.
#include "sm_internal.h"

void warp_hold(struct sm *sm, uint32_t number) {
    struct warp *warp = &sm->warps[number];
    warp->held = true;
    warp->due = (struct due){0};
    warp_update_ready(sm, number);
    sm->wires.warp_held(sm->wires.context);
}

bool sm_warp_held(const struct sm *sm, unsigned w) {
    return sm->warps[w].running && sm->warps[w].held;
}

uint32_t sm_deque_ends(const struct sm *sm, unsigned w) {
    const struct token_deque *deque = &sm->warps[w].divergence.token_deque;
    return REG_DEQUE_ENDS_FRONT(deque->head) | REG_DEQUE_ENDS_BACK(deque->places - deque->tail);
}

uint32_t sm_deque_kept(const struct sm *sm, unsigned w) {
    const struct token_kept *kept = &sm->warps[w].divergence.token_deque.kept;
    const uint32_t front = kept->head != kept->tail ? kept->fronts + 1 : 0;
    return REG_DEQUE_KEPT_FRONT(front) | REG_DEQUE_KEPT_BACK(kept->backs);
}

void sm_deque_move(struct sm *sm, unsigned w, int32_t places) {
    token_deque_move(&sm->warps[w].divergence.token_deque, places);
}

void sm_deque_resume(struct sm *sm, unsigned w) {
    sm->warps[w].held = false;
    warp_update_ready(sm, w);
}
