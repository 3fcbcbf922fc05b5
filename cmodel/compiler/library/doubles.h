// Numbers of 64 bits in software: what the files of doubles share. They are handled as their bits; a significand in work
// has its first bit at 62 and ten bits behind the 53 that stay, the lowest of them also saying that there was more.
#ifndef TANDEM_LIBRARY_DOUBLES_H
#define TANDEM_LIBRARY_DOUBLES_H

#include "tandem.h"

#define DOUBLE_SIGN 0x8000000000000000ul
#define DOUBLE_INFINITY 0x7FF0000000000000ul
#define DOUBLE_NAN 0x7FF8000000000000ul
#define DOUBLE_FRACTION 0x000FFFFFFFFFFFFFul
#define DOUBLE_HIDDEN 0x0010000000000000ul

enum rounding { RTE, RTZ, RTP, RTN };

static inline ulong double_magnitude(ulong x) {
    return x & ~DOUBLE_SIGN;
}

static inline bool double_is_nan(ulong x) {
    return double_magnitude(x) > DOUBLE_INFINITY;
}

static inline uint double_exponent(ulong x) {
    return (uint)(x >> 52) & 2047u;
}

// Not of 0.
static inline uint clz64(ulong x) {
    return (uint)__builtin_clzl(x);
}

// n up to 63; what is shifted out stays as the lowest bit.
static inline ulong shift_right_sticky(ulong x, uint n) {
    ulong kept = x >> n;
    return kept | (ulong)((kept << n) != x);
}

// The significand, with its first bit at 52 also when x is below the normal range; x finite and not 0.
static inline ulong double_normalized(ulong x, int *exponent) {
    uint e = double_exponent(x);
    ulong m = x & DOUBLE_FRACTION;
    if (e != 0) {
        *exponent = (int)e;
        return m | DOUBLE_HIDDEN;
    }
    uint n = clz64(m) - 11u;
    *exponent = 1 - (int)n;
    return m << n;
}

// What rounding adds below the lowest bit that stays, of `bits` bits behind it.
static inline uint rounding_up(enum rounding mode, bool negative, uint odd, uint bits) {
    switch (mode) {
        case RTE: return (1u << (bits - 1u)) - 1u + odd;
        case RTP: return negative ? 0u : (1u << bits) - 1u;
        case RTN: return negative ? (1u << bits) - 1u : 0u;
        default: return 0u;
    }
}

// Whether a number that is too large becomes infinite, or the largest that there is.
static inline bool overflows_to_infinity(enum rounding mode, bool negative) {
    return mode == RTE || (mode == RTP && !negative) || (mode == RTN && negative);
}

// sign (its place, or 0) and m * 2^(e - 1023 - 62), with the first bit of m at 62, or m 0; rounded.
static inline ulong double_rounded(ulong sign, int e, ulong m, enum rounding mode) {
    if (e < 1) {
        m = shift_right_sticky(m, (uint)min(1 - e, 63));
        e = 1;
    }
    m += rounding_up(mode, sign != 0, (uint)(m >> 10) & 1u, 10u);
    ulong bits = ((ulong)(uint)(e - 1) << 52) + (m >> 10);
    if (e > 2046) bits = DOUBLE_INFINITY - (ulong)!overflows_to_infinity(mode, sign != 0);
    return sign | bits;
}

#endif
