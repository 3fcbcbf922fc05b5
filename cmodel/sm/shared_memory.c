// The shared memory of an SM: where CTAs have theirs, and the instructions on it. The twin of rtl/sm/shared_memory.sv,
// whose unit serves instructions one after the other: the order of the instructions' issue is the order of the memory,
// so each is done whole when it is issued.
#include "sm/shared_memory.h"

#include <string.h>

#include "sm_internal.h"

// ---- places ----
uint32_t shared_memory_need(const struct sm *sm, uint32_t slot) {
    const uint32_t row = 4 * sm->config->lanes;
    return (sm_slot(sm, slot)->shared_bytes + row - 1) / row * row;
}

bool shared_memory_is_free(const struct sm *sm, uint32_t base, uint32_t bytes) {
    const uint64_t end = (uint64_t)base + bytes;
    if (base % (4 * sm->config->lanes) != 0 || end > sm->config->shared_bytes) return false;
    for (uint32_t c = 0; c < sm->config->warps; c++) {
        const struct cta *cta = &sm->ctas[c];
        if (cta->busy && base < cta->shared_base + cta->shared_room && end > cta->shared_base) return false;
    }
    return true;
}

// A piece that fits anywhere also fits at the start or right behind another one.
bool shared_memory_find(const struct sm *sm, uint32_t bytes, uint32_t *base) {
    bool found = bytes == 0 || shared_memory_is_free(sm, 0, bytes);
    *base = 0;
    if (found) return true;
    for (uint32_t c = 0; c < sm->config->warps; c++) {
        const uint32_t end = sm->ctas[c].shared_base + sm->ctas[c].shared_room;
        if (!sm->ctas[c].busy || (found && end >= *base) || !shared_memory_is_free(sm, end, bytes)) continue;
        *base = end;
        found = true;
    }
    return found;
}

void shared_memory_give(struct sm *sm, struct cta *cta, uint32_t base, uint32_t bytes) {
    cta->shared_base = base;
    cta->shared_room = bytes;
    if (bytes != 0) memset(sm->shared_memory + base, 0, bytes);
}

// ---- instructions ----
static bool check(uint32_t size, const struct decoded *d, const struct execute_state *state, uint32_t *address,
                  uint32_t *code, uint32_t *info) {
    const uint32_t *ra = execute_read(state, d->ra);
    const uint32_t offset = d->atomic ? (uint32_t)d->ext : d->imm,
                   window = d->generic ? (uint32_t)WINDOW_SHARED << 24 : 0;
    for (uint64_t left = state->exec; left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        address[t] = ra[t] + offset - window;
        *info = address[t];
        *code = (address[t] & (d->bytes - 1u)) != 0                ? FAULT_MEMORY_ALIGNMENT
                : (uint64_t)address[t] + d->bytes > (uint64_t)size ? FAULT_SHARED_BOUNDS
                                                                   : FAULT_NONE;
        if (*code != FAULT_NONE) return false;
    }
    return true;
}

static void load(const uint8_t *from, const struct decoded *d, uint32_t *to, unsigned stride) {
    uint16_t half;
    switch (d->mod) {
        case SIZE_U8: *to = *from; break;
        case SIZE_S8: *to = (uint32_t)(int32_t)(int8_t)*from; break;
        case SIZE_U16:
        case SIZE_S16:
            memcpy(&half, from, sizeof half);
            *to = d->mod == SIZE_U16 ? half : (uint32_t)(int32_t)(int16_t)half;
            break;
        default:
            for (unsigned i = 0; i < d->bytes / 4u; i++)
                memcpy(&to[i * stride], from + 4 * i, 4);
            break;
    }
}

static void store(uint8_t *to, const struct decoded *d, const uint32_t *data, unsigned stride) {
    if (d->bytes < 4) {
        memcpy(to, data, d->bytes);
        return;
    }
    for (unsigned i = 0; i < d->bytes / 4u; i++)
        memcpy(to + 4 * i, &data[d->rd == ISA_RZ ? 0 : i * stride], 4);  // RZ: one row of zeros stands for all words
}

bool shared_memory_access(uint8_t *bytes, uint32_t size, const struct decoded *d, const struct execute_state *state,
                          uint32_t *code, uint32_t *info) {
    uint32_t address[WARP_THREADS_MAX];
    if (!check(size, d, state, address, code, info)) return false;
    for (uint64_t left = state->exec; left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        uint8_t *at = bytes + address[t];
        if (d->atomic) {
            uint32_t old;
            memcpy(&old, at, sizeof old);
            const uint32_t value = atomic_unit_result(d->mod, old, execute_read(state, d->rb)[t],
                                                      d->mod == ATOM_CAS ? execute_read(state, d->rc)[t] : 0);
            memcpy(at, &value, sizeof value);
            if (d->rd != ISA_RZ) state->registers[d->rd * state->threads + t] = old;
        } else if (d->store) {
            store(at, d, &execute_read(state, d->rd)[t], state->threads);
        } else if (d->rd != ISA_RZ) {
            load(at, d, &state->registers[d->rd * state->threads + t], state->threads);
        }
    }
    return true;
}

// ---- bank conflicts ----
enum { NOBODY = 0xFF };

// Passes that the banks need for one beat of these threads. group: number of the group of words that each lane wants, of
// which there are `groups` side by side, each in its banks.
static uint32_t passes_of(const uint32_t *group, uint32_t groups, uint64_t threads, bool atomic) {
    uint8_t first[WARP_THREADS_MAX],
        next[WARP_THREADS_MAX];             // of a group; behind a lane: lanes with words of their own
    uint8_t count[WARP_THREADS_MAX] = {0};  // of a group
    uint32_t most = 1;
    memset(first, NOBODY, groups);
    for (uint64_t left = threads; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), bank = group[lane] & (groups - 1);
        uint8_t same = atomic ? NOBODY : first[bank];
        while (same != NOBODY && group[same] != group[lane])
            same = next[same];
        if (same != NOBODY) continue;
        next[lane] = first[bank];
        first[bank] = (uint8_t)lane;
        if (++count[bank] > most) most = count[bank];
    }
    return most;
}

void shared_memory_turns(const struct decoded *d, const struct execute_state *state, unsigned lanes,
                         unsigned shared_words, struct shared_turns *turns) {
    const uint32_t *ra = execute_read(state, d->ra);
    const bool atomic = d->atomic;
    const uint32_t offset = atomic ? (uint32_t)d->ext : d->imm, words = d->bytes > 4 ? d->bytes / 4u : 1;
    const uint32_t side = words < shared_words ? words : shared_words, beats = words / side;
    const uint64_t all = lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
    for (unsigned t = 0; t < state->threads; t += lanes) {
        const uint64_t threads = state->exec >> t & all;
        uint32_t group[WARP_THREADS_MAX];
        if (threads == 0) continue;
        for (unsigned lane = 0; lane < lanes; lane++)
            group[lane] = (ra[t + lane] + offset) / 4 / side;
        const uint32_t passes = passes_of(group, lanes / side, threads, atomic);
        turns->passes += beats * passes;
        turns->conflicts += beats * (passes - 1);
    }
}

void sm_shared_counters(const struct sm *sm, uint32_t *passes, uint32_t *conflicts) {
    *passes = sm->turns.passes;
    *conflicts = sm->turns.conflicts;
}

bool shared_memory_execute(struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec, uint32_t *code,
                           uint32_t *info) {
    // A store loses its highest thread, if it has others.
    if (sm->run->inject == DEFECT_SHARED_STORE && d->opcode == OP_STS && (exec & (exec - 1)) != 0)
        exec &= ~(UINT64_C(1) << (63 - __builtin_clzll(exec)));
    const struct execute_state state = {.threads = sm->config->threads, .registers = warp->registers, .exec = exec};
    struct shared_turns turns = sm->turns;
    shared_memory_turns(d, &state, sm->config->lanes, sm->config->shared_words, &turns);
    if (!shared_memory_access(sm->shared_memory + sm->ctas[warp->cta].shared_base, warp_slot(sm, warp)->shared_bytes, d,
                              &state, code, info))
        return false;
    sm->turns = turns;
    return true;
}
