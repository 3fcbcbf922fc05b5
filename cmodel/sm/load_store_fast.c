// Memory instructions at once, for the model running alone: what load_store.c does request by request, for all threads
// in one go. In ascending order of threads the result is the same: requests of one portion with different lines do not
// touch each other, and within a line the highest thread wins.
#include <string.h>

#include "sm_internal.h"

// How many requests the RTL would make: the lines of each portion.
static uint64_t count_requests(const struct sm *sm, const struct warp *warp) {
    const struct access *access = &warp->access;
    if (access->decoded.opcode == OP_ATOMG) return (uint64_t)__builtin_popcountll(access->pending);
    uint64_t count = 0;
    for (uint32_t p = 0; p < sm->portions; p++) {
        uint32_t lines[WARP_THREADS_MAX];
        unsigned known = 0;
        for (uint64_t left = access->pending & portion_mask(sm, p); left != 0; left &= left - 1) {
            const uint32_t line = load_store_line(warp, (unsigned)__builtin_ctzll(left));
            unsigned i = known;
            while (i > 0 && lines[i - 1] != line)
                i--;
            if (i == 0) lines[known++] = line;
        }
        count += known;
    }
    return count;
}

// A loop over the threads with everything known but the address.
#define FOR_THREADS(body)                                                \
    for (uint64_t left = access->pending; left != 0; left &= left - 1) { \
        const unsigned t = (unsigned)__builtin_ctzll(left);              \
        body                                                             \
    }

static void load_all(const struct sm *sm, struct warp *warp, const uint8_t *memory) {
    const struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const unsigned stride = sm->config->threads;
    const uint32_t *address = access->address;
    if (d->registers == 0) return;
    uint32_t *to = &warp->registers[d->rd * stride];
#define LOAD(type)                                         \
    FOR_THREADS({                                          \
        type value;                                        \
        memcpy(&value, &memory[address[t]], sizeof value); \
        to[t] = (uint32_t)(int32_t)value;                  \
    })
    switch (d->mod) {
        case SIZE_U8: LOAD(uint8_t) break;
        case SIZE_S8: LOAD(int8_t) break;
        case SIZE_U16: LOAD(uint16_t) break;
        case SIZE_S16: LOAD(int16_t) break;
        case SIZE_32: LOAD(int32_t) break;
        default:
            FOR_THREADS({
                for (unsigned i = 0; i < d->registers; i++)
                    memcpy(&to[i * stride + t], &memory[address[t] + 4 * i], 4);
            })
            break;
    }
#undef LOAD
}

static void store_all(const struct sm *sm, const struct warp *warp, uint8_t *memory) {
    const struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const unsigned stride = sm->config->threads;
    const struct execute_state state = {.threads = stride, .registers = warp->registers};
    const uint32_t *data = execute_read(&state, d->rd);
    const uint32_t *address = access->address;
    switch (d->bytes) {
        case 1: FOR_THREADS(memory[address[t]] = (uint8_t)data[t];) break;
        case 2: FOR_THREADS(const uint16_t half = (uint16_t)data[t]; memcpy(&memory[address[t]], &half, 2);) break;
        case 4: FOR_THREADS(memcpy(&memory[address[t]], &data[t], 4);) break;
        default:
            FOR_THREADS(for (unsigned i = 0; i < d->bytes / 4u; i++)
                            memcpy(&memory[address[t] + 4 * i], &data[d->rd == ISA_RZ ? t : i * stride + t], 4);)
            break;
    }
}

bool load_store_all(struct ppu *ppu, const struct sm *sm, struct warp *warp) {
    struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const uint32_t channel = warp_slot(ppu, warp)->channel;
    if (d->opcode == OP_ATOMG || ppu->inject != 0) return false;  // one request after the other
    uint32_t base, size;
    uint64_t physical;
    host_space(ppu->host, channel, &base, &size);
    if (size == 0 || !address_space_translate(ppu, channel, 0, size, &physical)) return false;
    if (physical + size > mem_size(ppu->mem)) return false;
    FOR_THREADS(if (access->address[t] > size - d->bytes) return false;)
    uint8_t *memory = mem_bytes(ppu->mem) + physical;
    ppu->counters.memory_requests += count_requests(sm, warp);
    if (d->opcode == OP_STG || d->opcode == OP_STL) {
        store_all(sm, warp, memory);
    } else {
        load_all(sm, warp, memory);
    }
    access->pending = 0;
    return true;
}
