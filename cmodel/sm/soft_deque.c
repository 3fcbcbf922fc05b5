// Held warps: software moves the tokens of a deque that stands at a bound (registers DEQUE_*), then resumes the warp.
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
    return deque->head | deque->tail << 16;
}

void sm_deque_token(const struct sm *sm, uint32_t words[4]) {
    uint64_t lo, hi;
    token_pack(sm->config->threads, &sm->loaded, &lo, &hi);
    words[0] = (uint32_t)lo;
    words[1] = (uint32_t)(lo >> 32);
    words[2] = (uint32_t)hi;
    words[3] = (uint32_t)(hi >> 32);
}

void sm_deque_load(struct sm *sm, unsigned w, uint32_t entry) {
    token_deque_load(&sm->warps[w].divergence.token_deque, entry, &sm->loaded);
}

void sm_deque_store(struct sm *sm, unsigned w, uint32_t entry) {
    token_deque_store(&sm->warps[w].divergence.token_deque, entry, &sm->loaded);
}

void sm_deque_move(struct sm *sm, unsigned w, uint32_t head) {
    token_deque_move(&sm->warps[w].divergence.token_deque, head);
}

void sm_deque_resume(struct sm *sm, unsigned w) {
    sm->warps[w].held = false;
    warp_update_ready(sm, w);
}
