// Memory instructions, request by request, as the RTL does them.
#include <string.h>

#include "sm_internal.h"

static uint32_t load_word(const uint8_t *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

// Not past the end of the buffer of a valid bank.
static bool constant_inside(const struct task_slot *slot, uint32_t bank, uint32_t offset, uint32_t bytes) {
    return (uint64_t)offset + bytes <= slot->const_size[bank];
}

// Word i of all threads of a warp's place lies side by side.
uint32_t load_store_local(const struct sm *sm, const struct task_slot *slot, uint32_t warp, uint32_t thread,
                          uint32_t offset) {
    const uint32_t threads = sm->config->threads, place = sm->number * sm->config->warps + warp;
    return slot->local + place * threads * slot->local_bytes + (offset & ~3u) * threads + 4 * thread + (offset & 3u);
}

// The addresses of all threads at once. False: one of them, perhaps one that takes no part, is no good.
static inline __attribute__((always_inline)) bool good_addresses(const unsigned n, const uint32_t *ra, uint32_t base,
                                                                 uint32_t offset, uint32_t low, uint32_t last,
                                                                 uint32_t *address) {
    uint32_t wrong = 0;
    for (unsigned t = 0; t < n; t++) {
        const uint32_t sum = ra[t] + offset;
        address[t] = base + sum;
        wrong |= (address[t] & low) | (uint32_t)(sum > last);
    }
    return wrong == 0;
}

static void begin(struct warp *warp, const struct decoded *d, uint64_t exec) {
    warp->access.decoded = *d;
    warp->access.kept = NULL;
    warp->access.pending = exec;
    warp->access.in_flight = 0;
    warp->access.failed = 0;
}

enum space { SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL, SPACE_SHARED };

// Of a generic address: the space that it is in.
static enum space space_at(uint32_t address) {
    return address >> 24 == WINDOW_SHARED ? SPACE_SHARED : address >> 24 == WINDOW_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL;
}

bool load_store_begin(const struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec, uint32_t *code,
                      uint32_t *info) {
    const struct task_slot *slot = warp_slot(sm, warp);
    const struct execute_state state = {.threads = sm->config->threads, .registers = warp->registers};
    const uint32_t *ra = execute_read(&state, d->ra);
    const bool constant = d->opcode == OP_LDC;
    const uint32_t bank = (d->imm >> 16) & 15u;
    const bool bank_valid = bank < sm->config->const_banks && ((slot->const_valid >> bank) & 1u) != 0;
    const uint32_t offset = constant ? d->imm & 0xFFFFu : d->atomic ? (uint32_t)d->ext : d->imm;
    const uint32_t base = constant && bank_valid ? slot->const_addr[bank] : 0;
    const uint32_t size = bank_valid ? slot->const_size[bank] : 0, low = d->bytes - 1u;
    if (!d->local && !d->generic && (!constant || size >= d->bytes)) {
        const uint32_t last = constant ? size - d->bytes : UINT32_MAX;
        if (sm->config->threads == 32 ? good_addresses(32, ra, base, offset, low, last, warp->access.address)
                                      : good_addresses(64, ra, base, offset, low, last, warp->access.address)) {
            begin(warp, d, exec);
            return true;
        }
    }
    uint64_t shared = 0;
    for (uint64_t left = exec; left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        const uint32_t sum = ra[t] + offset, address = base + sum;
        const enum space space = d->generic ? space_at(sum)
                                 : d->local ? SPACE_LOCAL
                                 : constant ? SPACE_CONSTANT
                                            : SPACE_GLOBAL;
        const uint32_t place = d->generic && space != SPACE_GLOBAL ? sum & 0xFFFFFFu : sum;
        if (constant && !bank_valid) {
            *code = FAULT_CONSTANT_BOUNDS;
            *info = sum;
            return false;
        }
        if ((address & (d->bytes - 1u)) != 0) {
            *code = FAULT_MEMORY_ALIGNMENT;
            *info = address;
            return false;
        }
        if (constant && !constant_inside(slot, bank, sum, d->bytes)) {
            *code = FAULT_CONSTANT_BOUNDS;
            *info = sum;
            return false;
        }
        if (space == SPACE_LOCAL && (uint64_t)place + d->bytes > slot->local_bytes) {
            *code = FAULT_LOCAL_BOUNDS;
            *info = sum;
            return false;
        }
        if (space == SPACE_SHARED && (uint64_t)place + d->bytes > slot->shared_bytes) {
            *code = FAULT_SHARED_BOUNDS;
            *info = sum;
            return false;
        }
        if (space == SPACE_SHARED) shared |= UINT64_C(1) << t;
        warp->access.address[t] =
            space == SPACE_LOCAL ? load_store_local(sm, slot, (uint32_t)(warp - sm->warps), t, place) : address;
    }
    begin(warp, d, exec & ~shared);
    warp->due.shared = shared;
    return true;
}

uint32_t load_store_line(const struct warp *warp, unsigned thread) {
    const uint32_t address = warp->access.address[thread];
    return warp->access.decoded.atomic ? address : address & ~(LINE_BYTES - 1u);
}

uint64_t load_store_next(const struct sm *sm, const struct warp *warp) {
    const struct access *access = &warp->access;
    const unsigned first = (unsigned)__builtin_ctzll(access->pending);
    if (access->decoded.atomic) return UINT64_C(1) << first;
    const uint32_t line = load_store_line(warp, first);
    uint64_t threads = 0;
    for (uint64_t left = access->pending & portion_mask(sm, first / sm->config->lanes); left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        if (load_store_line(warp, t) == line) threads |= UINT64_C(1) << t;
    }
    return threads;
}

void load_store_request(const struct sm *sm, struct warp *warp, uint64_t threads, struct mem_request *request) {
    struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const unsigned first = (unsigned)__builtin_ctzll(threads);
    const unsigned stride = warp->divergence.threads;
    const struct execute_state state = {.threads = stride, .registers = warp->registers};
    *request = (struct mem_request){
        .op = MEM_READ, .channel = warp_slot(sm, warp)->channel, .addr = load_store_line(warp, first)};
    access->pending &= ~threads;
    access->in_flight |= threads;
    if (d->atomic) {
        request->op = MEM_ATOMIC;
        request->atom = d->mod;
        const uint32_t *kept = access->kept;
        const uint32_t *operand = kept != NULL ? &kept[4 * stride] : execute_read(&state, d->rb);
        const uint32_t *new_value = kept != NULL ? &kept[5 * stride] : execute_read(&state, d->rc);
        memcpy(&request->wdata[0], &operand[first], 4);
        if (d->mod == ATOM_CAS) memcpy(&request->wdata[4], &new_value[first], 4);
    } else if (d->store) {
        request->op = MEM_WRITE;
        const uint32_t *data = access->kept != NULL ? access->kept : execute_read(&state, d->rd);
        const unsigned words = d->bytes > 4 ? d->bytes / 4u : 1u, bytes = d->bytes > 4 ? 4u : d->bytes;
        // Ascending: where two threads store to one byte, the highest stays.
        for (uint64_t left = threads; left != 0; left &= left - 1) {
            const unsigned t = (unsigned)__builtin_ctzll(left), at = access->address[t] % LINE_BYTES;
            for (unsigned i = 0; i < words; i++) {
                // RZ: one row of zeros stands for all words.
                memcpy(&request->wdata[at + 4 * i], &data[d->rd == ISA_RZ ? t : i * stride + t], bytes);
            }
            request->wstrb |= (uint32_t)(((UINT64_C(1) << d->bytes) - 1) << at);
        }
        inject_store(sm->run->inject, request);
    }
}

static uint32_t extend(uint32_t size, const uint8_t *from) {
    switch (size) {
        case SIZE_U8: return from[0];
        case SIZE_S8: return (uint32_t)(int32_t)(int8_t)from[0];
        case SIZE_U16: return (uint32_t)(from[0] | from[1] << 8);
        case SIZE_S16: return (uint32_t)(int32_t)(int16_t)(from[0] | from[1] << 8);
        default: return load_word(from);
    }
}

void load_store_answer(const struct sm *sm, struct warp *warp, uint64_t threads, const struct mem_request *request,
                       const struct mem_response *response, unsigned inject) {
    struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    access->in_flight &= ~threads;
    if (response->fault != 0) {
        access->failed |= threads;
        if (!warp->due.fault && !warp->faulted) {
            warp->due.fault = true;
            warp->due.fault_code = response->fault == ANSWER_BUS_ERROR ? FAULT_BUS_ERROR : FAULT_MEMORY_BOUNDS;
            warp->due.fault_info = request->addr;
            warp->due.fault_order = response->order;
        }
        return;
    }
    if (request->op == MEM_WRITE || d->registers == 0) return;
    const unsigned stride = sm->config->threads;
    for (uint64_t left = threads; left != 0; left &= left - 1) {
        const unsigned t = (unsigned)__builtin_ctzll(left);
        uint32_t *to = &warp->registers[d->rd * stride + t];
        if (request->op == MEM_ATOMIC) {
            *to = load_word(response->data);
            if (inject == DEFECT_ATOMIC_NEW)
                *to = atomic_unit_result(d->mod, *to, load_word(&request->wdata[0]), load_word(&request->wdata[4]));
            continue;
        }
        const uint8_t *from = &response->data[access->address[t] % LINE_BYTES];
        if (d->bytes <= 4) {
            *to = extend(d->mod, from);
        } else {
            for (unsigned i = 0; i < d->registers; i++)
                to[i * stride] = load_word(from + 4 * i);
        }
    }
    register_file_share(sm, warp, d->rd, d->registers, threads);
    // A portion is written when all its requests have been answered.
    const uint64_t portion = portion_mask(sm, (uint32_t)__builtin_ctzll(threads) / sm->config->lanes);
    if (((access->pending | access->in_flight | access->failed) & portion) != 0) return;
    for (unsigned i = 0; i < d->registers; i++)
        warp->due.wb[i] |= warp->due.exec & ~warp->due.shared & portion;
}
