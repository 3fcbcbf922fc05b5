// FRCP, FRSQ, FEX2, FLG2 as the table unit computes them (rtl/sm/fpu_table.sv): a straight line in each of 128
// segments, in integers; only the last step, a fixed-point number to a float, is the host's.
#ifndef TANDEM_SM_FPU_TABLE_H
#define TANDEM_SM_FPU_TABLE_H

#include "fpu.h"
#include "gen/fpu_table.h"

#define FPU_INFINITY 0x7F800000u
#define FPU_SIGN 0x80000000u

// The value for 23 bits of fraction, with 24 bits behind the point.
static inline uint32_t fpu_line(unsigned first, bool rises, uint32_t fraction) {
    const unsigned entry = first + (fraction >> 16);
    const uint32_t change = (uint32_t)(((uint64_t)fpu_table[entry].change * (fraction & 0xFFFFu)) >> 16);
    return rises ? fpu_table[entry].value + change : fpu_table[entry].value - change;
}

// value * 2^(exponent - 24), rounded to nearest even.
static inline uint32_t fpu_scaled(double value, int exponent) {
    return fpu_bits((float)ldexp(value, exponent - 24));
}

// A positive finite float that is not zero as 2^exponent * (1 + fraction * 2^-23).
static inline int fpu_normalize(uint32_t b, uint32_t *fraction) {
    const uint32_t field = b >> 23 & 0xFFu;
    const uint32_t significand = (b & 0x7FFFFFu) | (field != 0 ? 0x800000u : 0u);
    const int shift = __builtin_clz(significand | 1u) - 8;
    *fraction = (significand << shift) & 0x7FFFFFu;
    return (int)(field != 0 ? field : 1u) - 127 - shift;
}

static inline uint32_t fpu_reciprocal(uint32_t b) {
    const uint32_t sign = b & FPU_SIGN, size = b & ~FPU_SIGN;
    uint32_t fraction;
    if (fpu_is_nan(b)) return FPU_NAN;
    if (size == 0) return sign | FPU_INFINITY;
    if (size == FPU_INFINITY) return sign;
    const int exponent = fpu_normalize(size, &fraction);
    return sign | fpu_scaled(fpu_line(FPU_TABLE_FRCP, false, fraction), -exponent);
}

static inline uint32_t fpu_reciprocal_root(uint32_t b) {
    uint32_t fraction;
    if ((b & ~FPU_SIGN) == 0) return b | FPU_INFINITY;
    if (fpu_is_nan(b) || (b & FPU_SIGN) != 0) return FPU_NAN;
    if (b == FPU_INFINITY) return 0;
    const int exponent = fpu_normalize(b, &fraction);
    const bool odd = (exponent & 1) != 0;
    return fpu_scaled(fpu_line(odd ? FPU_TABLE_FRSQ_ODD : FPU_TABLE_FRSQ, false, fraction),
                      -(exponent - (odd ? 1 : 0)) / 2);
}

static inline uint32_t fpu_exp2(uint32_t b) {
    if (fpu_is_nan(b)) return FPU_NAN;
    const float x = fpu_float(b);
    if (x >= 256.0f) return FPU_INFINITY;
    if (x <= -256.0f) return 0;
    const int32_t fixed = (int32_t)((double)x * 0x1p23);  // toward zero
    const int exponent = (int)floor(fixed * 0x1p-23);
    if (exponent < -165) return 0;
    return fpu_scaled(fpu_line(FPU_TABLE_FEX2, true, (uint32_t)fixed & 0x7FFFFFu), exponent);
}

static inline uint32_t fpu_log2(uint32_t b) {
    uint32_t fraction;
    if ((b & ~FPU_SIGN) == 0) return FPU_SIGN | FPU_INFINITY;
    if (fpu_is_nan(b) || (b & FPU_SIGN) != 0) return FPU_NAN;
    if (b == FPU_INFINITY) return b;
    const int exponent = fpu_normalize(b, &fraction);
    return fpu_scaled(exponent * 0x1p24 + fpu_line(FPU_TABLE_FLG2, true, fraction), 0);
}

#endif
