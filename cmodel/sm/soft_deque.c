// Held warps: software moves the tokens of a deque that stands at a bound (registers DEQUE_*), then resumes the warp.
#include "sm_internal.h"

void warp_hold(struct ppu *ppu, struct sm *sm, uint32_t number) {
    struct warp *warp = &sm->warps[number];
    warp->held = true;
    warp->due = (struct due){0};
    warp_update_ready(sm, number);
    host_warp_held(ppu);
}

bool sm_warp_held(const struct ppu *ppu, unsigned number, unsigned w) {
    const struct sm *sm = sm_of(ppu, number);
    return sm->warps[w].running && sm->warps[w].held;
}

uint32_t sm_deque_ends(const struct ppu *ppu, unsigned number, unsigned w) {
    const struct token_deque *deque = &sm_of(ppu, number)->warps[w].divergence.token_deque;
    return deque->head | deque->tail << 16;
}

void sm_deque_token(const struct ppu *ppu, unsigned number, uint32_t words[4]) {
    uint64_t lo, hi;
    token_pack(ppu->config.threads, &sm_of(ppu, number)->loaded, &lo, &hi);
    words[0] = (uint32_t)lo;
    words[1] = (uint32_t)(lo >> 32);
    words[2] = (uint32_t)hi;
    words[3] = (uint32_t)(hi >> 32);
}

void sm_deque_load(struct ppu *ppu, unsigned number, unsigned w, uint32_t entry) {
    struct sm *sm = sm_of(ppu, number);
    token_deque_load(&sm->warps[w].divergence.token_deque, entry, &sm->loaded);
}

void sm_deque_store(struct ppu *ppu, unsigned number, unsigned w, uint32_t entry) {
    struct sm *sm = sm_of(ppu, number);
    token_deque_store(&sm->warps[w].divergence.token_deque, entry, &sm->loaded);
}

void sm_deque_move(struct ppu *ppu, unsigned number, unsigned w, uint32_t head) {
    token_deque_move(&sm_of(ppu, number)->warps[w].divergence.token_deque, head);
}

void sm_deque_resume(struct ppu *ppu, unsigned number, unsigned w) {
    struct sm *sm = sm_of(ppu, number);
    sm->warps[w].held = false;
    warp_update_ready(sm, w);
}
