// Memory instructions at once, for the model running alone: what load_store.c does request by request, for all threads
// in one go. In ascending order of threads the result is the same: requests of one portion with different lines do not
// touch each other, and within a line the highest thread wins.
#include <string.h>

#include "sm_internal.h"

// A loop over the threads with everything known but the address.
#define FOR_THREADS(body)                                                \
    for (uint64_t left = access->pending; left != 0; left &= left - 1) { \
        const unsigned t = (unsigned)__builtin_ctzll(left);              \
        body                                                             \
    }

// How the addresses of a whole warp lie: most accesses are of the first two kinds.
enum shape { UNIFORM, ADJACENT, SCATTERED };

static inline __attribute__((always_inline)) enum shape shape_of(const unsigned n, const uint32_t *address,
                                                                 uint32_t bytes) {
    uint32_t differ = 0, apart = 0;
    for (unsigned t = 0; t < n; t++) {
        differ |= address[t] ^ address[0];
        apart |= address[t] ^ (address[0] + t * bytes);
    }
    return differ == 0 ? UNIFORM : apart == 0 ? ADJACENT : SCATTERED;
}

static bool inside(const struct sm *sm, const struct access *access, uint32_t last) {
    uint32_t outside = 0;
    if (access->pending == sm->all_threads) {
        for (unsigned t = 0; t < sm->config->threads; t++)
            outside |= (uint32_t)(access->address[t] > last);
    } else {
        FOR_THREADS(outside |= (uint32_t)(access->address[t] > last);)
    }
    return outside == 0;
}

static enum shape access_shape(const struct sm *sm, const struct access *access) {
    if (access->pending != sm->all_threads) return SCATTERED;
    return sm->config->threads == 32 ? shape_of(32, access->address, access->decoded.bytes)
                                     : shape_of(64, access->address, access->decoded.bytes);
}

// How many requests the RTL would make: the lines of each portion.
static uint64_t count_requests(const struct sm *sm, const struct warp *warp, enum shape shape) {
    const struct access *access = &warp->access;
    if (access->decoded.atomic) return (uint64_t)__builtin_popcountll(access->pending);
    if (shape == UNIFORM) return sm->portions;
    uint64_t count = 0;
    for (uint32_t p = 0; shape == ADJACENT && p < sm->portions; p++) {
        const unsigned first = p * sm->config->lanes, last = first + sm->config->lanes - 1;
        count += (load_store_line(warp, last) - load_store_line(warp, first)) / LINE_BYTES + 1;
    }
    if (shape == ADJACENT) return count;
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

// Words of a whole warp that lie side by side, or one that all threads want.
static void load_words(uint32_t threads, uint32_t *to, const uint8_t *from, enum shape shape) {
    uint32_t word;
    if (shape == ADJACENT) {
        memcpy(to, from, threads * sizeof *to);
        return;
    }
    memcpy(&word, from, sizeof word);
    for (uint32_t t = 0; t < threads; t++)
        to[t] = word;
}

static void load_all(const struct sm *sm, struct warp *warp, const uint8_t *memory, enum shape shape) {
    const struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const unsigned stride = sm->config->threads;
    const uint32_t *address = access->address;
    if (d->registers == 0) return;
    uint32_t *to = &warp->registers[d->rd * stride];
#define LOAD(type)                                                                \
    if (shape == ADJACENT) {                                                      \
        for (unsigned t = 0; t < stride; t++) {                                   \
            type value;                                                           \
            memcpy(&value, &memory[address[0] + t * sizeof value], sizeof value); \
            to[t] = (uint32_t)(int32_t)value;                                     \
        }                                                                         \
    } else {                                                                      \
        FOR_THREADS({                                                             \
            type value;                                                           \
            memcpy(&value, &memory[address[t]], sizeof value);                    \
            to[t] = (uint32_t)(int32_t)value;                                     \
        })                                                                        \
    }
    switch (d->mod) {
        case SIZE_U8: LOAD(uint8_t) break;
        case SIZE_S8: LOAD(int8_t) break;
        case SIZE_U16: LOAD(uint16_t) break;
        case SIZE_S16: LOAD(int16_t) break;
        case SIZE_32:
            if (shape != SCATTERED) {
                load_words(stride, to, &memory[address[0]], shape);
            } else {
                LOAD(int32_t)
            }
            break;
        default:
            FOR_THREADS({
                for (unsigned i = 0; i < d->registers; i++)
                    memcpy(&to[i * stride + t], &memory[address[t] + 4 * i], 4);
            })
            break;
    }
#undef LOAD
    register_file_share(sm, warp, d->rd, d->registers, access->pending);
}

static void store_all(const struct sm *sm, const struct warp *warp, uint8_t *memory, enum shape shape) {
    const struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const unsigned stride = sm->config->threads;
    const struct execute_state state = {.threads = stride, .registers = warp->registers};
    const uint32_t *data = execute_read(&state, d->rd);
    const uint32_t *address = access->address;
    switch (d->bytes) {
        case 1: FOR_THREADS(memory[address[t]] = (uint8_t)data[t];) break;
        case 2: FOR_THREADS(const uint16_t half = (uint16_t)data[t]; memcpy(&memory[address[t]], &half, 2);) break;
        case 4:
            if (shape == ADJACENT) {
                memcpy(&memory[address[0]], data, stride * sizeof *data);
            } else {
                FOR_THREADS(memcpy(&memory[address[t]], &data[t], 4);)
            }
            break;
        default:
            FOR_THREADS(for (unsigned i = 0; i < d->bytes / 4u; i++)
                            memcpy(&memory[address[t] + 4 * i], &data[d->rd == ISA_RZ ? t : i * stride + t], 4);)
            break;
    }
}

static void atomic_all(const struct sm *sm, struct warp *warp, uint8_t *memory) {
    const struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const struct execute_state state = {.threads = sm->config->threads, .registers = warp->registers};
    const uint32_t *operand = execute_read(&state, d->rb);
    const uint32_t *swap = execute_read(&state, d->mod == ATOM_CAS ? d->rc : ISA_RZ);
    uint32_t unread[WARP_THREADS_MAX];
    uint32_t *to = d->registers != 0 ? &warp->registers[d->rd * state.threads] : unread;
    FOR_THREADS({
        uint32_t old;
        memcpy(&old, &memory[access->address[t]], sizeof old);
        const uint32_t value = atomic_unit_result(d->mod, old, operand[t], swap[t]);
        memcpy(&memory[access->address[t]], &value, sizeof value);
        to[t] = old;
    })
    if (d->registers != 0) register_file_share(sm, warp, d->rd, d->registers, access->pending);
}

bool load_store_all(const struct sm *sm, struct warp *warp) {
    struct access *access = &warp->access;
    const struct decoded *d = &access->decoded;
    const uint32_t channel = warp_slot(sm, warp)->channel;
    uint8_t *const bytes = mem_bytes(sm->mem);
    if (sm->run->inject != 0 || bytes == NULL || mem_may_fail(sm->mem)) return false;  // one request after the other
    const uint32_t size = address_space_of(sm->mem, channel).size;
    uint64_t physical;
    if (size == 0 || !address_space_translate(sm->mem, channel, 0, size, &physical)) return false;
    if (physical + size > mem_size(sm->mem)) return false;
    if (!inside(sm, access, size - d->bytes)) return false;
    uint8_t *memory = bytes + physical;
    const enum shape shape = access_shape(sm, access);
    sm->run->counters.memory_requests += count_requests(sm, warp, shape);
    if (d->atomic) {
        atomic_all(sm, warp, memory);
    } else if (d->store) {
        store_all(sm, warp, memory, shape);
    } else {
        load_all(sm, warp, memory, shape);
    }
    access->pending = 0;
    return true;
}
