// The quick way's loads and stores. Included by native_loop.h.
#ifndef TANDEM_SM_NATIVE_MEMORY_H
#define TANDEM_SM_NATIVE_MEMORY_H

#include <string.h>

#include "native_state.h"

// The lines of a warp's access: a request for each, in each portion.
static inline uint32_t native_requests(const struct native *n, const uint32_t *address, uint64_t exec) {
    uint32_t count = 0;
    for (unsigned first = 0; first < n->threads; first += n->lanes) {
        uint64_t left = exec >> first & n->portion;
        if (left == 0) continue;
        // Mostly the lines lie close together: a bit for each.
        const uint32_t low = address[first + (unsigned)__builtin_ctzll(left)] / LINE_BYTES - 32u;
        uint64_t lines = 0, far = 0;
        for (uint64_t rest = left; rest != 0; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(rest);
            const uint32_t line = address[first + lane] / LINE_BYTES - low;
            lines |= (uint64_t)(line < 64) << (line & 63u);
            far |= (uint64_t)(line >= 64) << lane;
        }
        count += (uint32_t)__builtin_popcountll(lines);
        for (; far != 0;) {
            const uint32_t line = address[first + (unsigned)__builtin_ctzll(far)] / LINE_BYTES;
            uint64_t same = 0;
            for (uint64_t rest = far; rest != 0; rest &= rest - 1) {
                const unsigned lane = (unsigned)__builtin_ctzll(rest);
                same |= (uint64_t)(address[first + lane] / LINE_BYTES == line) << lane;
            }
            far &= ~same;
            count++;
        }
    }
    return count;
}

static inline uint32_t native_portions(const struct native *n, uint64_t exec) {
    uint32_t count = 0;
    for (unsigned first = 0; first < n->threads; first += n->lanes)
        count += (exec >> first & n->portion) != 0;
    return count;
}

static inline uint32_t native_extend(uint32_t size, const uint8_t *from) {
    uint16_t half;
    uint32_t word;
    switch (size) {
        case SIZE_U8: return *from;
        case SIZE_S8: return (uint32_t)(int32_t)(int8_t)*from;
        case SIZE_U16: memcpy(&half, from, sizeof half); return half;
        case SIZE_S16: memcpy(&half, from, sizeof half); return (uint32_t)(int32_t)(int16_t)half;
        default: memcpy(&word, from, sizeof word); return word;
    }
}

// All threads want the same bytes: constants, mostly.
static inline void native_load_one(struct native *n, const struct decoded *d, uint32_t address, uint64_t exec) {
    for (unsigned i = 0; i < d->registers; i++) {
        uint32_t *to = native_write(n, d->rd + i);
        const uint32_t value = native_extend(d->mod, n->memory + address + 4 * i);
        NATIVE_LANES(to, exec, value);
    }
}

#define NATIVE_EACH(body)                                     \
    for (uint64_t left = exec; left != 0; left &= left - 1) { \
        const unsigned t = (unsigned)__builtin_ctzll(left);   \
        body                                                  \
    }

static inline void native_load(struct native *n, const struct decoded *d, const uint32_t *address, uint64_t exec) {
    if (d->registers == 0) return;
    uint32_t *to = native_write(n, d->rd);
    const uint8_t *memory = n->memory;
    switch (d->mod) {
        case SIZE_U8: NATIVE_EACH(to[t] = native_extend(SIZE_U8, memory + address[t]);) break;
        case SIZE_S8: NATIVE_EACH(to[t] = native_extend(SIZE_S8, memory + address[t]);) break;
        case SIZE_U16: NATIVE_EACH(to[t] = native_extend(SIZE_U16, memory + address[t]);) break;
        case SIZE_S16: NATIVE_EACH(to[t] = native_extend(SIZE_S16, memory + address[t]);) break;
        case SIZE_32: NATIVE_EACH(memcpy(&to[t], memory + address[t], 4);) break;
        default:
            NATIVE_EACH(for (unsigned i = 0; i < d->registers; i++)
                            memcpy(&to[i * n->threads + t], memory + address[t] + 4 * i, 4);)
            break;
    }
}

// In ascending order: where two threads store to one byte, the highest stays.
static inline void native_store(const struct native *n, const struct decoded *d, const uint32_t *address,
                                uint64_t exec) {
    const uint32_t *data = native_read(n, d->rd);
    uint8_t *memory = n->memory;
    const unsigned stride = d->rd == ISA_RZ ? 0 : n->threads;
    switch (d->bytes) {
        case 1: NATIVE_EACH(memory[address[t]] = (uint8_t)data[t];) break;
        case 2: NATIVE_EACH(const uint16_t half = (uint16_t)data[t]; memcpy(memory + address[t], &half, 2);) break;
        case 4: NATIVE_EACH(memcpy(memory + address[t], &data[t], 4);) break;
        default:
            NATIVE_EACH(for (unsigned i = 0; i < d->bytes / 4u; i++)
                            memcpy(memory + address[t] + 4 * i, &data[i * stride + t], 4);)
            break;
    }
}

// LDG, STG, LDC. False, and nothing done: some thread's address is no good.
static inline bool native_access(struct native *n, const struct decoded *d, uint64_t exec) {
    const bool constant = d->opcode == OP_LDC;
    uint32_t base = 0, offset = d->imm, sum_last = UINT32_MAX;
    if (constant) {
        const uint32_t bank = (d->imm >> 16) & 15u;
        if (bank >= n->sm->config->const_banks || ((n->slot->const_valid >> bank) & 1u) == 0 ||
            n->slot->const_size[bank] < d->bytes)
            return false;
        base = n->slot->const_addr[bank];
        offset &= 0xFFFFu;
        sum_last = n->slot->const_size[bank] - d->bytes;
    }
    const uint32_t last = n->space - d->bytes, low = d->bytes - 1u;
    if (n->space < d->bytes) return false;
    if (d->ra == ISA_RZ && !d->store) {
        const uint32_t address = base + offset;
        if (offset > sum_last || address > last || (address & low) != 0) return false;
        native_load_one(n, d, address, exec);
        n->requests += native_portions(n, exec);
        return true;
    }
    const uint32_t *ra = native_read(n, d->ra);
    uint32_t address[WARP_THREADS_MAX];
    uint64_t wrong = 0;
    for (unsigned i = 0; i < n->threads; i += NATIVE_CHUNK) {
        uint32_t bad[NATIVE_CHUNK];
        for (unsigned k = 0; k < NATIVE_CHUNK; k++) {
            const uint32_t sum = ra[i + k] + offset, at = base + sum;
            address[i + k] = at;
            bad[k] = (uint32_t)((at & low) != 0) | (uint32_t)(sum > sum_last) | (uint32_t)(at > last);
        }
        wrong |= native_gather(bad) << i;
    }
    if ((wrong & exec) != 0) return false;
    uint32_t differ = 1, apart = 1;
    if (exec == n->all) {
        differ = apart = 0;
        for (unsigned i = 0; i < n->threads; i += NATIVE_CHUNK) {
            for (unsigned k = 0; k < NATIVE_CHUNK; k++) {
                differ |= address[i + k] ^ address[0];
                apart |= address[i + k] ^ (address[0] + (i + k) * d->bytes);
            }
        }
    }
    if (exec == n->all && differ == 0 && !d->store) {
        native_load_one(n, d, address[0], exec);
        n->requests += native_portions(n, exec);
        return true;
    }
    if (exec == n->all && apart == 0) {
        for (unsigned first = 0; first < n->threads; first += n->lanes)
            n->requests += address[first + n->lanes - 1] / LINE_BYTES - address[first] / LINE_BYTES + 1;
        if (d->bytes == 4) {
            if (d->store) {
                memcpy(n->memory + address[0], native_read(n, d->rd), n->threads * 4);
            } else if (d->registers != 0) {
                memcpy(native_write(n, d->rd), n->memory + address[0], n->threads * 4);
            }
            return true;
        }
    } else {
        n->requests += native_requests(n, address, exec);
    }
    if (d->store) {
        native_store(n, d, address, exec);
    } else {
        native_load(n, d, address, exec);
    }
    return true;
}

#undef NATIVE_EACH

#endif
