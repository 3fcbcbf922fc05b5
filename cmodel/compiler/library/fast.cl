// native_* and half_*: the table units, with no more around them than OpenCL asks (half_*: 2^-11 of the result).
#include "tandem.h"

#define LOG2_E 1.44269504088896340736f
#define LOG2_10 3.32192809488736234787f
#define LN_2 0.69314718055994530942f
#define LOG10_2 0.30102999566398119521f

#define UNARY(name, expression)     \
    float OVERLOAD name(float x) {  \
        return expression;          \
    }                               \
    VECTORS_1(float, name, float)
#define BINARY(name, expression)            \
    float OVERLOAD name(float x, float y) { \
        return expression;                  \
    }                                       \
    VECTORS_2(float, name, float, float)

static float square_root(float x) {
    return x == 0.0f || x == as_float(0x7F800000u) ? x : x * table_rsq(x);
}

// The table's error is absolute, so near 1 the first terms of the series.
static float log2_relative(float x) {
    float t = x - 1.0f;
    if (fabs(t) < 0.0625f) return t * fma(fma(fma(t, -0.36067376f, 0.48089835f), t, -0.72134752f), t, LOG2_E);
    return table_lg2(x);
}

static float quotient(float x, float y) {
    // The reciprocal of a very large number would be subnormal, of a very small one infinite.
    float scale = fabs(y) > 0x1p96f ? 0x1p-64f : fabs(y) < 0x1p-96f ? 0x1p64f : 1.0f;
    return y == 0.0f || fabs(y) == as_float(0x7F800000u) ? x * table_rcp(y) : x * table_rcp(y * scale) * scale;
}

// x less the nearest multiple of pi / 2, and which one; |x| up to 2^16 or so.
static float reduced(float x, int *quarter) {
    float n = __builtin_rintf(x * 0.63661977236758134308f);
    *quarter = to_int_rte(n);
    float r = fma(n, -1.57079637050628662109f, x);
    return fma(n, -1.7151245100058e-15f, fma(n, 4.37113900018624283e-8f, r));
}

static float small_sin(float r) {
    float s = r * r;
    return fma(fma(fma(s, -1.9515296e-4f, 8.3321609e-3f), s, -1.6666655e-1f) * s, r, r);
}

static float small_cos(float r) {
    float s = r * r;
    return fma(fma(fma(s, -1.3888397e-3f, 4.1666638e-2f), s, -0.5f), s, 1.0f);
}

static float sine(float x, int turn) {
    int quarter;
    float r = reduced(x, &quarter);
    quarter += turn;
    float v = (quarter & 1) != 0 ? small_cos(r) : small_sin(r);
    return (quarter & 2) != 0 ? -v : v;
}

static float tangent(float x) {
    int quarter;
    float r = reduced(x, &quarter), s = small_sin(r), c = small_cos(r);
    return (quarter & 1) != 0 ? -c * table_rcp(s) : s * table_rcp(c);
}

// half_sin, half_cos and half_tan promise nothing beyond 2^16 but a number, -1 to 1 of sine and cosine. Up to 2^22 the
// reduction still gives the function's; beyond, its polynomials would see an r that has not been reduced.
static float reducible(float x) {
    return fabs(x) <= 0x1p22f ? x : x * 0.0f;
}

UNARY(native_exp2, table_ex2(x))
UNARY(native_exp, table_ex2(x * LOG2_E))
UNARY(native_exp10, table_ex2(x * LOG2_10))
UNARY(native_log2, table_lg2(x))
UNARY(native_log, table_lg2(x) * LN_2)
UNARY(native_log10, table_lg2(x) * LOG10_2)
UNARY(native_recip, table_rcp(x))
UNARY(native_rsqrt, table_rsq(x))
UNARY(native_sqrt, square_root(x))
UNARY(native_sin, sine(x, 0))
UNARY(native_cos, sine(x, 1))
UNARY(native_tan, tangent(x))
BINARY(native_divide, x * table_rcp(y))
BINARY(native_powr, table_ex2(y * table_lg2(x)))

UNARY(half_exp2, table_ex2(x))
UNARY(half_exp, table_ex2(x * LOG2_E))
UNARY(half_exp10, table_ex2(x * LOG2_10))
UNARY(half_log2, log2_relative(x))
UNARY(half_log, log2_relative(x) * LN_2)
UNARY(half_log10, log2_relative(x) * LOG10_2)
UNARY(half_recip, quotient(1.0f, x))
UNARY(half_rsqrt, table_rsq(x))
UNARY(half_sqrt, square_root(x))
UNARY(half_sin, sine(reducible(x), 0))
UNARY(half_cos, sine(reducible(x), 1))
UNARY(half_tan, tangent(reducible(x)))
BINARY(half_divide, quotient(x, y))
