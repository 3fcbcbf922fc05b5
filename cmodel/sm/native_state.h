// What the quick way keeps at hand of a warp, and how it writes registers under a mask. Included by native_loop.h.
#ifndef TANDEM_SM_NATIVE_STATE_H
#define TANDEM_SM_NATIVE_STATE_H

#include <string.h>

#include "sm_internal.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

struct native {
    struct sm *sm;
    struct warp *warp;
    const struct task_slot *slot;
    unsigned threads, lanes;
    uint64_t all, portion;  // masks of all threads, of a portion's lanes
    uint32_t *registers;
    uint8_t *memory;  // of the channel's space
    uint32_t space;   // its size
    uint64_t requests;
    bool wrote;                          // memory
    uint32_t nowhere[WARP_THREADS_MAX];  // RZ as a destination
};

static const uint32_t native_zeros[WARP_THREADS_MAX];

static inline const uint32_t *native_read(const struct native *n, unsigned reg) {
    return reg == ISA_RZ ? native_zeros : &n->registers[reg * n->threads];
}

static inline uint32_t *native_write(struct native *n, unsigned reg) {
    return reg == ISA_RZ ? n->nowhere : &n->registers[reg * n->threads];
}

// So many threads at a time: a vector of the largest machine. A register is a whole number of them, and what is written
// is read before it, chunk by chunk.
enum { NATIVE_CHUNK = 16 };

static inline __attribute__((always_inline)) void native_put(uint32_t *to, const uint32_t *result, uint64_t exec) {
    const uint32_t bits = (uint32_t)exec & 0xFFFFu;
    if (bits == 0xFFFFu) {
        memcpy(to, result, NATIVE_CHUNK * sizeof *to);
        return;
    }
    for (unsigned k = 0; k < NATIVE_CHUNK; k++)
        to[k] = (bits >> k & 1u) != 0 ? result[k] : to[k];
}

// to[t] = value for the threads t of exec; value is an expression of t.
#define NATIVE_LANES(to, exec, value)                                        \
    for (unsigned first_ = 0; first_ < n->threads; first_ += NATIVE_CHUNK) { \
        uint32_t result_[NATIVE_CHUNK];                                      \
        for (unsigned k_ = 0; k_ < NATIVE_CHUNK; k_++) {                     \
            const unsigned t = first_ + k_;                                  \
            (void)t;                                                         \
            result_[k_] = (value);                                           \
        }                                                                    \
        native_put(&(to)[first_], result_, (exec) >> first_);                \
    }

// A bit of each of a chunk's words, which are 0 or 1.
static inline __attribute__((always_inline)) uint64_t native_gather(const uint32_t *words) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_loadu_si512(words);
    return _mm512_test_epi32_mask(all, all);
#elif defined(__AVX2__)
    uint64_t bits = 0;
    for (unsigned i = 0; i < NATIVE_CHUNK; i += 8) {
        const __m256i eight = _mm256_slli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)&words[i]), 31);
        bits |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(eight)) << i;
    }
    return bits;
#else
    uint32_t bits = 0;
    for (unsigned k = 0; k < NATIVE_CHUNK; k++)
        bits |= words[k] << k;
    return bits;
#endif
}

#define NATIVE_BITS(mask, value)                                             \
    for (unsigned first_ = 0; first_ < n->threads; first_ += NATIVE_CHUNK) { \
        uint32_t result_[NATIVE_CHUNK];                                      \
        for (unsigned k_ = 0; k_ < NATIVE_CHUNK; k_++) {                     \
            const unsigned t = first_ + k_;                                  \
            result_[k_] = (value);                                           \
        }                                                                    \
        (mask) |= native_gather(result_) << first_;                          \
    }

static inline void native_set(struct warp *warp, unsigned pd, uint64_t value, uint64_t exec) {
    if (pd != ISA_PT) warp->predicates[pd] = (warp->predicates[pd] & ~exec) | (value & exec);
}

#endif
