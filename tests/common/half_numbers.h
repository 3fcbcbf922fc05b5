// Numbers of 16 bits for tests of half precision: their values, and the host's numbers rounded to them.
#ifndef TANDEM_TESTS_HALF_NUMBERS_H
#define TANDEM_TESTS_HALF_NUMBERS_H

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define HALF_MOST 65504.0L
#define HALF_NAN 0x7E00u
#define HALF_INFINITY 0x7C00u

// Where infinity stands, 2^16: the largest half has a middle too. Of NaN a number as well.
static inline double value_of_half(uint32_t bits) {
    const int e = (int)(bits >> 10 & 31);
    const double m = (double)(bits & 1023), x = e == 0 ? ldexp(m, -24) : ldexp(1024 + m, e - 25);
    return (bits >> 15 & 1) != 0 ? -x : x;
}

// With infinity and NaN.
static inline double number_of_half(uint32_t bits) {
    const double x = value_of_half(bits);
    return (bits & 0x7FFFu) < HALF_INFINITY    ? x
           : (bits & 0x7FFFu) == HALF_INFINITY ? copysign(INFINITY, x)
                                               : (double)NAN;
}

// The host rounds a whole number of the half's last places; all else is exact. mode: FE_TONEAREST or another.
static inline uint32_t half_of(long double x, int mode) {
    const uint32_t sign = signbit(x) ? 0x8000u : 0;
    if (isnan(x)) return HALF_NAN;
    if (isinf(x)) return sign | HALF_INFINITY;
    if (x == 0) return sign;
    int e;
    frexpl(x, &e);
    const int place = (e < -13 ? -13 : e) - 11;
    fesetround(mode);
    volatile long double in = ldexpl(x, -place), out = nearbyintl(in);
    fesetround(FE_TONEAREST);
    const long double r = fabsl(ldexpl(out, place));
    if (r > HALF_MOST) {
        const bool infinite = mode == FE_TONEAREST || mode == (sign != 0 ? FE_DOWNWARD : FE_UPWARD);
        return sign | (infinite ? HALF_INFINITY : HALF_INFINITY - 1);
    }
    if (r < 0x1p-14L) return sign | (uint32_t)ldexpl(r, 24);
    const long double m = frexpl(r, &e);
    return sign | (((uint32_t)(e + 14) << 10) + ((uint32_t)ldexpl(m, 11) - 1024));
}

static inline uint32_t same_half_nan(uint32_t bits) {
    return (bits & 0x7FFFu) > HALF_INFINITY ? HALF_NAN : bits;
}

#endif
