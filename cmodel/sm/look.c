// What a debugger sees of a warp: copies of its state, and in words what it waits for.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sm_internal.h"

_Static_assert(LOOK_SCALARS == ISA_SCALARS && LOOK_PREDICATES == ISA_PT, "base/look.h has room for all of them");

void sm_look_place(const struct sm *sm, unsigned w, struct warp_place *place) {
    const struct warp *warp = &sm->warps[w];
    *place = (struct warp_place){.running = warp->running};
    if (!warp->running) return;
    const struct task_slot *slot = warp_slot(sm, warp);
    place->faulted = warp->faulted;
    place->killed = slot->kill;
    place->serial = warp->serial;
    place->pc = warp->faulted ? warp->instr_pc : warp->pc;
    place->region = slot->region;
    place->channel = slot->channel;
    place->slot = warp->slot;
    place->active = divergence_active(&warp->divergence);
}

static void tell_memory(const struct warp *warp, char *to) {
    const uint64_t waiting = warp->access.pending | warp->access.in_flight;
    (void)snprintf(to, LOOK_WHY_MAX, "memory, for threads 0x%" PRIx64 " of the instruction at 0x%x", waiting,
                   8u * warp->instr_pc);
}

// The first cause that applies, in the order in which they matter.
static void tell_why(const struct sm *sm, unsigned w, char *to) {
    const struct warp *warp = &sm->warps[w];
    const struct cta *cta = &sm->ctas[warp->cta];
    uint64_t words[FETCH_WORDS];
    uint32_t code, info;
    to[0] = '\0';
    if (warp->faulted) {
        (void)snprintf(to, LOOK_WHY_MAX, "nothing: it has faulted, its task is being ended");
    } else if (warp_killed(sm, warp)) {
        (void)snprintf(to, LOOK_WHY_MAX, "nothing: its task is being ended");
    } else if (warp_stops(sm, warp) && sm->trap.on) {
        (void)snprintf(to, LOOK_WHY_MAX, "trap: it is stopped when warp %u has left its own", sm->trap.warp);
    } else if (warp->at_barrier) {
        (void)snprintf(to, LOOK_WHY_MAX, "barrier: %u of %u warps of its CTA have come, %u have ended", cta->waiting,
                       cta->warps, cta->ended);
    } else if (warp->held) {
        (void)snprintf(to, LOOK_WHY_MAX, "software: its token deque stands at a bound and is to be moved");
    } else if (warp->children.left != 0) {
        (void)snprintf(to, LOOK_WHY_MAX, "launch: children of threads 0x%" PRIx64 " are not taken yet",
                       warp->children.left);
    } else if (warp->children.running != 0) {
        (void)snprintf(to, LOOK_WHY_MAX, "launch: %u children have not ended", warp->children.running);
    } else if ((warp->access.pending | warp->access.in_flight) != 0) {
        tell_memory(warp, to);
    } else if (sm->run->following && due_first(sm, w, (struct why){to, LOOK_WHY_MAX})) {
        char what[LOOK_WHY_MAX];
        (void)snprintf(what, sizeof what, "%s", to);
        (void)snprintf(to, LOOK_WHY_MAX, "results: %.140s", what);
    } else if (fetch(sm, warp, words, &code, &info) == 0 && code == FAULT_NONE) {
        (void)snprintf(to, LOOK_WHY_MAX, "fetch: its next instruction is not there yet");
    }
}

bool sm_look_warp(const struct sm *sm, unsigned w, struct warp_look *look) {
    const struct warp *warp = &sm->warps[w];
    *look = (struct warp_look){.state = "idle"};
    sm_look_place(sm, w, &look->place);
    if (!warp->running) return false;
    const struct task_slot *slot = warp_slot(sm, warp);
    const struct cta *cta = &sm->ctas[warp->cta];
    uint32_t pc, state;
    uint64_t mask;
    sm_warp_registers(sm, w, &pc, &mask, &state);
    look->state = warp_state_name(REG_WARP_STATE_STATE_OF(state));
    look->last_pc = warp->instr_pc;
    look->cta[0] = cta->x;
    look->cta[1] = cta->y;
    look->cta[2] = cta->z;
    look->group = warp->cta;
    look->index = warp->index;
    look->warps = cta->warps;
    memcpy(look->ntid, slot->ntid, sizeof look->ntid);
    memcpy(look->grid, slot->grid, sizeof look->grid);
    look->registers = slot->registers;
    look->shared_bytes = slot->shared_bytes;
    look->local = slot->local;
    look->local_bytes = slot->local_bytes;
    look->constants = slot->const_addr[0];
    look->constant_bytes = slot->const_size[0];
    look->threads = sm->config->threads;
    memcpy(look->reason, warp->divergence.reason, sizeof look->reason);
    memcpy(look->predicates, warp->predicates, sizeof look->predicates);
    memcpy(look->scalars, warp->scalar_unit.scalars, sizeof look->scalars);
    look->tokens = token_deque_count(&warp->divergence.token_deque);
    tell_why(sm, w, look->why);
    return true;
}

bool sm_look_register(const struct sm *sm, unsigned w, unsigned thread, unsigned number, uint32_t *value) {
    const struct warp *warp = &sm->warps[w];
    if (!warp->running || thread >= sm->config->threads || number >= warp_slot(sm, warp)->registers) return false;
    *value = warp->registers[number * sm->config->threads + thread];
    return true;
}

bool sm_look_token(const struct sm *sm, unsigned w, unsigned number, struct token_look *token) {
    const struct warp *warp = &sm->warps[w];
    const struct token_deque *deque = &warp->divergence.token_deque;
    if (!warp->running || number >= token_deque_count(deque)) return false;
    const struct token from = token_deque_at(deque, deque->head + number);
    *token = (struct token_look){.kind = from.kind, .addr = from.addr, .flags = from.flags, .mask = from.mask};
    return true;
}

bool sm_look_shared(const struct sm *sm, unsigned w, uint32_t offset, void *to, uint32_t size) {
    const struct warp *warp = &sm->warps[w];
    if (!warp->running) return false;
    const uint32_t bytes = warp_slot(sm, warp)->shared_bytes;
    if (offset > bytes || size > bytes - offset) return false;
    if (size != 0) memcpy(to, &sm->shared_memory[sm->ctas[warp->cta].shared_base + offset], size);
    return true;
}

bool sm_look_local(const struct sm *sm, unsigned w, unsigned thread, uint32_t offset, uint32_t *address) {
    const struct warp *warp = &sm->warps[w];
    if (!warp->running || thread >= sm->config->threads || offset >= warp_slot(sm, warp)->local_bytes) return false;
    *address = load_store_local(sm, warp_slot(sm, warp), w, thread, offset);
    return true;
}
