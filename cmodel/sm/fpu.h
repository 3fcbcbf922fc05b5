// Single precision floating point of the lanes: IEEE 754, round to nearest even, subnormals kept, one canonical NaN.
// Computed by the host's own IEEE arithmetic (so: no -ffast-math, no x87), bit for bit what rtl/sm/fpu_*.sv build from
// gates.
#ifndef TANDEM_SM_FPU_H
#define TANDEM_SM_FPU_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "gen/isa.h"

#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0)
#error "the model needs IEEE arithmetic in single precision: no -ffast-math, no x87 (use -msse2 -mfpmath=sse)"
#endif

#define FPU_NAN 0x7FC00000u

static inline float fpu_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline bool fpu_is_nan(uint32_t bits) {
    return (bits & 0x7FFFFFFFu) > 0x7F800000u;
}

// Every NaN leaves as the canonical one. Without a branch: loops over lanes become vector code.
static inline uint32_t fpu_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t nan = 0u - (uint32_t)fpu_is_nan(bits);
    return (bits & ~nan) | (FPU_NAN & nan);
}

static inline uint32_t fpu_add(uint32_t a, uint32_t b) {
    return fpu_bits(fpu_float(a) + fpu_float(b));
}

static inline uint32_t fpu_mul(uint32_t a, uint32_t b) {
    return fpu_bits(fpu_float(a) * fpu_float(b));
}

// Rounded once.
static inline uint32_t fpu_fma(uint32_t a, uint32_t b, uint32_t c) {
    return fpu_bits(fmaf(fpu_float(a), fpu_float(b), fpu_float(c)));
}

// Whether a stands before b, with -0 before +0; of numbers that are no NaN.
static inline bool fpu_below(uint32_t a, uint32_t b) {
    const int32_t x = (int32_t)(a ^ ((a >> 31) != 0 ? 0x7FFFFFFFu : 0u));
    const int32_t y = (int32_t)(b ^ ((b >> 31) != 0 ? 0x7FFFFFFFu : 0u));
    return x < y;
}

// A NaN gives way to a number.
static inline uint32_t fpu_min(uint32_t a, uint32_t b) {
    const uint32_t of_numbers = fpu_below(a, b) ? a : b;
    const uint32_t some = fpu_is_nan(a) ? (fpu_is_nan(b) ? FPU_NAN : b) : a;
    return fpu_is_nan(a) || fpu_is_nan(b) ? some : of_numbers;
}

static inline uint32_t fpu_max(uint32_t a, uint32_t b) {
    const uint32_t of_numbers = fpu_below(a, b) ? b : a;
    const uint32_t some = fpu_is_nan(a) ? (fpu_is_nan(b) ? FPU_NAN : b) : a;
    return fpu_is_nan(a) || fpu_is_nan(b) ? some : of_numbers;
}

// mod: table fcmp, a bit for each relation that counts.
static inline bool fpu_compare(uint32_t mod, uint32_t a, uint32_t b) {
    const float x = fpu_float(a), y = fpu_float(b);
    const uint32_t relation = (uint32_t)(x == y) | (uint32_t)(x > y) << 1 | (uint32_t)(x < y) << 2 |
                              (uint32_t)(fpu_is_nan(a) || fpu_is_nan(b)) << 3;
    return (relation & mod) != 0;
}

// To an integral value; the rounding is bits 1:0 of mod (table round).
static inline float fpu_integral(uint32_t mod, float x) {
    switch (mod & 3u) {
        case ROUND_RTE: return rintf(x);
        case ROUND_RTZ: return truncf(x);
        case ROUND_RTP: return ceilf(x);
        default: return floorf(x);
    }
}

static inline uint32_t fpu_round_integral(uint32_t mod, uint32_t b) {
    return fpu_bits(fpu_integral(mod, fpu_float(b)));
}

// mod: table cvt. Out of range: the nearest end of the range; NaN: 0.
static inline uint32_t fpu_to_integer(uint32_t mod, uint32_t b) {
    const float x = fpu_integral(mod, fpu_float(b));
    if (fpu_is_nan(b)) return 0;
    if ((mod & 4u) != 0) return x >= 0x1p32f ? UINT32_MAX : x > 0.0f ? (uint32_t)x : 0u;
    return x >= 0x1p31f ? (uint32_t)INT32_MAX : x < -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)x;
}

// mod: table cvt.
static inline uint32_t fpu_from_integer(uint32_t mod, uint32_t b) {
    const double exact = (mod & 4u) != 0 ? (double)b : (double)(int32_t)b;
    const float nearest = (float)exact;
    const uint32_t bits = fpu_bits(nearest);
    switch (mod & 3u) {
        case ROUND_RTZ: return bits - (fabs((double)nearest) > fabs(exact) ? 1u : 0u);
        case ROUND_RTP: return (double)nearest >= exact ? bits : exact < 0 ? bits - 1u : bits + 1u;
        case ROUND_RTN: return (double)nearest <= exact ? bits : exact < 0 ? bits + 1u : bits - 1u;
        default: return bits;
    }
}

#endif
