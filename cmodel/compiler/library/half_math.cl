// Math functions of halfs: those of floats, rounded once more. What is exact or correctly rounded as a float stays so as a
// half: sqrt, fmod, remainder, whole numbers.
#include "half_type.h"
#include "second_results.h"

// A name that is defined here is no longer found among clang's own: each function of floats is declared.

#define UNARY(name)                                                                                                    \
    float OVERLOAD name(float x);                                                                                      \
    half OVERLOAD name(half x) {                                                                                       \
        return (half)name((float)x);                                                                                   \
    }                                                                                                                  \
    VECTORS_1(half, name, half)
#define BINARY(name)                                                                                                   \
    float OVERLOAD name(float x, float y);                                                                             \
    half OVERLOAD name(half x, half y) {                                                                               \
        return (half)name((float)x, (float)y);                                                                         \
    }                                                                                                                  \
    VECTORS_2(half, name, half, half)

UNARY(acos)
UNARY(acosh)
UNARY(acospi)
UNARY(asin)
UNARY(asinh)
UNARY(asinpi)
UNARY(atan)
UNARY(atanh)
UNARY(atanpi)
UNARY(cbrt)
UNARY(ceil)
UNARY(cos)
UNARY(cosh)
UNARY(cospi)
UNARY(erf)
UNARY(erfc)
UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(expm1)
UNARY(floor)
UNARY(lgamma)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
UNARY(logb)
UNARY(rint)
UNARY(round)
UNARY(rsqrt)
UNARY(sin)
UNARY(sinh)
UNARY(sinpi)
UNARY(sqrt)
UNARY(tan)
UNARY(tanh)
UNARY(tanpi)
UNARY(tgamma)
UNARY(trunc)
BINARY(atan2)
BINARY(atan2pi)
BINARY(fdim)
BINARY(fmin)
BINARY(fmax)
BINARY(fmod)
BINARY(hypot)
BINARY(maxmag)
BINARY(minmag)
BINARY(pow)
BINARY(powr)
BINARY(remainder)

// With one number for all elements.
#define FOR_ALL(name, number)                                                                                          \
    half2 OVERLOAD name(half2 x, number y) { return name(x, (number##2)y); }                                           \
    half3 OVERLOAD name(half3 x, number y) { return name(x, (number##3)y); }                                           \
    half4 OVERLOAD name(half4 x, number y) { return name(x, (number##4)y); }                                           \
    half8 OVERLOAD name(half8 x, number y) { return name(x, (number##8)y); }                                           \
    half16 OVERLOAD name(half16 x, number y) { return name(x, (number##16)y); }
FOR_ALL(fmin, half)
FOR_ALL(fmax, half)

#define WITH_NUMBER(name)                                                                                              \
    float OVERLOAD name(float x, int n);                                                                               \
    half OVERLOAD name(half x, int n) {                                                                                \
        return (half)name((float)x, n);                                                                                \
    }                                                                                                                  \
    VECTORS_2(half, name, half, int)
WITH_NUMBER(ldexp)
WITH_NUMBER(pown)
WITH_NUMBER(rootn)
FOR_ALL(ldexp, int)

int OVERLOAD ilogb(float x);
int OVERLOAD ilogb(half x) {
    return ilogb((float)x);
}
VECTORS_1(int, ilogb, half)

// ---- bits ----

half OVERLOAD fabs(half x) {
    return as_half((ushort)half_magnitude(x));
}
VECTORS_1(half, fabs, half)

half OVERLOAD copysign(half x, half y) {
    return as_half((ushort)(half_magnitude(x) | (as_ushort(y) & 0x8000u)));
}
VECTORS_2(half, copysign, half, half)

half OVERLOAD nan(ushort code) {
    return as_half((ushort)(NAN_HALF | (code & 0x1FFu)));
}
VECTORS_1(half, nan, ushort)

// The place of a half in the order of all, zeros at 0.
static inline int place_of(half x) {
    const int m = (int)half_magnitude(x);
    return as_short(x) < 0 ? -m : m;
}

half OVERLOAD nextafter(half x, half y) {
    if (half_magnitude(x) > INFINITY_HALF || half_magnitude(y) > INFINITY_HALF) return as_half((ushort)NAN_HALF);
    const int from = place_of(x), to = place_of(y);
    if (from == to) return y;
    const int next = from < to ? from + 1 : from - 1;
    return as_half((ushort)(next < 0 || from < next && from < 0 ? 0x8000u | (uint)-next : (uint)next));
}
VECTORS_2(half, nextafter, half, half)

// ---- products and sums ----

// The product of two halfs is a float. Its sum with the third goes to the odd one of the two floats that it lies between,
// so that the rounding to a half sees on which side of a middle it was.
float tandem_half_fma(float a, float b, float c) {
    const float p = a * b, s = p + c, part = s - p, lost = (p - (s - part)) + (c - part);
    uint bits = as_uint(s);
    // Of infinity and NaN the lost part is NaN.
    if ((lost > 0.0f || lost < 0.0f) && (bits & 1u) == 0u) bits += (lost > 0.0f) == (s > 0.0f) ? 1u : ~0u;
    return as_float(bits);
}

half OVERLOAD fma(half a, half b, half c) {
    return (half)tandem_half_fma((float)a, (float)b, (float)c);
}
VECTORS_3(half, fma, half, half, half)

half OVERLOAD mad(half a, half b, half c) {
    return (half)((float)a * (float)b + (float)c);
}
VECTORS_3(half, mad, half, half, half)

// ---- two results ----

// second: the type of what is left in memory; left: what the function of floats leaves.
#define SECOND(name, second, left, space)                                                                              \
    half OVERLOAD name(half x, space second *p) {                                                                      \
        left other;                                                                                                    \
        const half first = (half)name((float)x, &other);                                                               \
        *p = (second)other;                                                                                            \
        return first;                                                                                                  \
    }                                                                                                                  \
    SECOND_VECTORS(name, half, second, space)
// What is left above the whole number below; less than 1.
#define FRACT(space)                                                                                                   \
    half OVERLOAD fract(half x, space half *p) {                                                                       \
        float whole;                                                                                                   \
        const half part = (half)fract((float)x, &whole);                                                               \
        *p = (half)whole;                                                                                              \
        return half_magnitude(part) == 0x3C00u ? (half)0x1.FFCp-1f : part;                                             \
    }                                                                                                                  \
    SECOND_VECTORS(fract, half, half, space)

#define REMQUO_HALVES(n, m, space)                                                                                     \
    half##n OVERLOAD remquo(half##n x, half##n y, space int##n *p) {                                                   \
        int##m a, b;                                                                                                   \
        const half##n first = (half##n)(remquo(x.lo, y.lo, &a), remquo(x.hi, y.hi, &b));                               \
        *p = (int##n)(a, b);                                                                                           \
        return first;                                                                                                  \
    }
#define REMQUOS(space)                                                                                                 \
    half OVERLOAD remquo(half x, half y, space int *p) {                                                               \
        int quotient;                                                                                                  \
        const half first = (half)remquo((float)x, (float)y, &quotient);                                                \
        *p = quotient;                                                                                                 \
        return first;                                                                                                  \
    }                                                                                                                  \
    half2 OVERLOAD remquo(half2 x, half2 y, space int2 *p) {                                                           \
        int a, b;                                                                                                      \
        const half2 first = (half2)(remquo(x.x, y.x, &a), remquo(x.y, y.y, &b));                                       \
        *p = (int2)(a, b);                                                                                             \
        return first;                                                                                                  \
    }                                                                                                                  \
    half3 OVERLOAD remquo(half3 x, half3 y, space int3 *p) {                                                           \
        int2 a;                                                                                                        \
        int b;                                                                                                         \
        const half3 first = (half3)(remquo(x.xy, y.xy, &a), remquo(x.z, y.z, &b));                                     \
        *p = (int3)(a, b);                                                                                             \
        return first;                                                                                                  \
    }                                                                                                                  \
    REMQUO_HALVES(4, 2, space)                                                                                         \
    REMQUO_HALVES(8, 4, space)                                                                                         \
    REMQUO_HALVES(16, 8, space)

float OVERLOAD modf(float x, __private float *p);
float OVERLOAD sincos(float x, __private float *p);
float OVERLOAD fract(float x, __private float *p);
float OVERLOAD frexp(float x, __private int *p);
float OVERLOAD lgamma_r(float x, __private int *p);
float OVERLOAD remquo(float x, float y, __private int *p);
#define EVERY_FUNCTION(space)                                                                                          \
    SECOND(modf, half, float, space)                                                                                   \
    SECOND(sincos, half, float, space)                                                                                 \
    SECOND(frexp, int, int, space)                                                                                     \
    SECOND(lgamma_r, int, int, space)                                                                                  \
    FRACT(space)                                                                                                       \
    REMQUOS(space)
EVERY_FUNCTION(__private)
EVERY_FUNCTION(__global)
EVERY_FUNCTION(__local)
