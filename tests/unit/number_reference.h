// What tests of doubles and of halfs have in common: the operations of the kernel `arithmetic`, and conversions to whole
// numbers, as the host says what they should give.
#ifndef TANDEM_TESTS_NUMBER_REFERENCE_H
#define TANDEM_TESTS_NUMBER_REFERENCE_H

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RESULTS = 32, MODES = 6 };

static const char *const operation_names[RESULTS] = {
    "a + b",  "a - b",    "a * b",  "a / b",     "fma",       "sqrt",    "fmod",   "remainder",
    "trunc",  "floor",    "ceil",   "rint",      "round",     "fmin",    "fmax",   "-a",
    "fabs",   "copysign", "ldexp",  "nextafter", "relations", "classes", "remquo", "quotient",
    "choice", "fdim",     "select", "bitselect", "modf",      "whole",   "frexp",  "exponent",
};

// What OpenCL C says of order, as the kernel packs it.
static inline uint64_t relations(double a, double b) {
    return (uint64_t)(a < b) | (uint64_t)(a <= b) << 1 | (uint64_t)(a > b) << 2 | (uint64_t)(a >= b) << 3 |
           (uint64_t)(a == b) << 4 | (uint64_t)(a != b) << 5;
}

// ---- conversions ----

// Without a rounding, _rte, _rtz, _rtp, _rtn, and a cast.
static const int modes[MODES] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};

static inline double rounded_whole(double x, unsigned mode) {
    // Without _rte a conversion to an integer goes toward zero.
    if (mode == 0 || mode == 5) return trunc(x);
    fesetround(modes[mode]);
    volatile double in = x, out = nearbyint(in);
    fesetround(FE_TONEAREST);
    return out;
}

// The nearest number of the type, NaN 0.
static inline uint64_t integer_of(double x, unsigned bits, bool is_signed, unsigned mode) {
    if (isnan(x)) return 0;
    const double r = rounded_whole(x, mode), most = ldexp(1.0, (int)(is_signed ? bits - 1 : bits));
    const uint64_t all = ~UINT64_C(0) >> (64 - bits);
    if (r >= most) return is_signed ? all >> 1 : all;
    if (is_signed) return r <= -most ? (all >> 1) + 1 : (uint64_t)(int64_t)r & all;
    return r <= 0 ? 0 : (uint64_t)r;
}

static const struct type {
    const char *name;
    unsigned bits;
    bool is_signed;
} types[] = {{"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false},
             {"int", 32, true}, {"uint", 32, false}, {"long", 64, true},  {"ulong", 64, false}};
enum { TYPES = sizeof types / sizeof *types };

static inline uint64_t integer_at(const void *from, size_t at, unsigned bits) {
    uint64_t value = 0;
    memcpy(&value, (const char *)from + at * (bits / 8), bits / 8);
    return value;
}

// The k-th conversion of a kernel to_TYPE, which was of x. Out of range a cast has no value.
static inline void expect_integer(const void *got, uint32_t k, double x, const struct type *type) {
    const double r = trunc(x);
    const uint64_t result = integer_at(got, k, type->bits);
    const uint64_t wanted = integer_of(x, type->bits, type->is_signed, k % MODES);
    if (k % MODES == 5 && (isnan(r) || r >= ldexp(1.0, (int)type->bits - type->is_signed) ||
                           r < (type->is_signed ? -ldexp(1.0, (int)type->bits - 1) : 0.0)))
        return;
    cr_expect_eq(result, wanted, "%a to %s, rounding %u: %llx, not %llx", x, type->name, k % MODES,
                 (unsigned long long)result, (unsigned long long)wanted);
}

#endif
