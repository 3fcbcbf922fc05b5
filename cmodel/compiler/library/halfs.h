// Numbers of 16 bits as bits: what the files of halfs share.
#ifndef TANDEM_LIBRARY_HALFS_H
#define TANDEM_LIBRARY_HALFS_H

#include "tandem.h"

#define NAN_HALF 0x7E00u
#define INFINITY_HALF 0x7C00u
#define MOST_HALF 0x7BFFu
#define INFINITY_BITS 0x7F800000u
#define SMALLEST_NORMAL 0x38800000u  // 2^-14
#define BIAS_DIFFERENCE 0x38000000u  // 112 << 23

float tandem_half_to_float(ushort bits);
ushort tandem_float_to_half(float x);

// The magnitude's bits, m those of a float without sign: toward zero, and away from it.
static inline uint half_down(uint m) {
    if (m >= 0x47800000u) return m == INFINITY_BITS ? INFINITY_HALF : MOST_HALF;
    if (m < SMALLEST_NORMAL) return to_uint_rtz(as_float(m) * 0x1p24f);
    return (m - BIAS_DIFFERENCE) >> 13;
}

static inline uint half_up(uint m) {
    if (m > 0x477FE000u) return INFINITY_HALF;
    if (m < SMALLEST_NORMAL) return to_uint_rtp(as_float(m) * 0x1p24f);
    return (m + 0x1FFFu - BIAS_DIFFERENCE) >> 13;
}

static inline ushort with_sign(float x, bool up) {
    uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, m = bits & 0x7FFFFFFFu;
    if (m > INFINITY_BITS) return (ushort)(sign | NAN_HALF);
    return (ushort)(sign | (up ? half_up(m) : half_down(m)));
}

static inline ushort half_rtz(float x) {
    return with_sign(x, false);
}
static inline ushort half_rtp(float x) {
    return with_sign(x, as_uint(x) >> 31 == 0);
}
static inline ushort half_rtn(float x) {
    return with_sign(x, as_uint(x) >> 31 != 0);
}

#endif
