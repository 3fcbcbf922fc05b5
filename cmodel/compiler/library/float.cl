// Operations on floats that the ISA has no instruction for. Selection knows of none of these: library_operations.c puts
// calls in their place.
#include "tandem.h"

#define NAN_BITS 0x7FC00000u
#define INFINITY_BITS 0x7F800000u
#define SIGN_BIT 0x80000000u
#define ONE_BITS 0x3F800000u
#define FRACTION 0x007FFFFFu

// 1 / m, correctly rounded, for m in [1, 2) (tests try every m): the table's 16 bits become 31, then the rounding.
static float reciprocal_of_mantissa(float m) {
    float r = table_rcp(m);
    r = fma(fma(-m, r, 1.0f), r, r);
    return fma(fma(-m, r, 1.0f), r, r);
}

// x as exponent and a mantissa in [1, 2); x finite and not zero.
static float mantissa(uint bits, int *exponent) {
    bits &= ~SIGN_BIT;
    uint shift = bits > FRACTION ? 0u : clz(bits) - 8u;
    *exponent = max((int)(bits >> 23), 1) - (int)shift;
    return as_float((bits << shift & FRACTION) | ONE_BITS);
}

// a / b with any exponents: divides the mantissas, then puts the exponent in. A subnormal result is rounded from the
// quotient's 24 bits and the sign of what is left of the division.
static float divide_anything(float a, float b) {
    uint ua = as_uint(a), ub = as_uint(b), sign = (ua ^ ub) & SIGN_BIT;
    uint magnitude_a = ua & ~SIGN_BIT, magnitude_b = ub & ~SIGN_BIT;
    if (isnan(a) || isnan(b)) return as_float(NAN_BITS);
    if (magnitude_a == INFINITY_BITS) return as_float(magnitude_b == INFINITY_BITS ? NAN_BITS : sign | INFINITY_BITS);
    if (magnitude_b == 0) return as_float(magnitude_a == 0 ? NAN_BITS : sign | INFINITY_BITS);
    if (magnitude_b == INFINITY_BITS || magnitude_a == 0) return as_float(sign);
    int ea, eb;
    float ma = mantissa(ua, &ea), mb = mantissa(ub, &eb);
    float r = reciprocal_of_mantissa(mb), q = ma * r;
    q = fma(fma(-mb, q, ma), r, q);
    float rest = fma(-mb, q, ma);
    int exponent = (int)(as_uint(q) >> 23) + ea - eb;
    if (exponent >= 255) return as_float(sign | INFINITY_BITS);
    if (exponent >= 1) return as_float(sign | (uint)exponent << 23 | (as_uint(q) & FRACTION));
    // Two bits more, the lower one says that the quotient is not exact.
    uint whole = ((as_uint(q) & FRACTION) | 0x00800000u) << 2;
    whole = rest > 0.0f ? whole + 1u : rest < 0.0f ? whole - 1u : whole;
    uint drop = (uint)min(3 - exponent, 31), kept = whole >> drop, lost = whole << (32u - drop);
    if (lost > SIGN_BIT || (lost == SIGN_BIT && (kept & 1u) != 0)) kept++;
    return as_float(sign | kept);
}

// Correctly rounded. The straight way when neither the operands nor what lies between can leave the normal range.
float tandem_divide(float a, float b) {
    uint ea = as_uint(a) >> 23 & 255u, eb = as_uint(b) >> 23 & 255u;
    if (ea - 64u < 128u && eb - 64u < 128u && ea - eb + 62u < 125u) {
        float r = table_rcp(b);
        r = fma(fma(-b, r, 1.0f), r, r);
        r = fma(fma(-b, r, 1.0f), r, r);
        float q = a * r;
        q = fma(fma(-b, q, a), r, q);
        return q;
    }
    return divide_anything(a, b);
}

// For programs that allow approximations: 1 / b within an ulp or so, then a product.
float tandem_divide_fast(float a, float b) {
    float r = table_rcp(b), better = fma(fma(-b, r, 1.0f), r, r);
    // Where the step itself overflows, the table's answer is all there is to have.
    return a * (isfinite(better) ? better : r);
}

// Correctly rounded.
float tandem_sqrt(float x) {
    uint bits = as_uint(x);
    if (bits - 1u >= INFINITY_BITS - 1u) {  // zeros, infinity, NaN, less than zero
        if ((bits & ~SIGN_BIT) == 0 || bits == INFINITY_BITS) return x;
        return as_float(NAN_BITS);
    }
    int exponent;
    float m = mantissa(bits, &exponent);
    // m in [1, 4) and an even exponent.
    uint odd = (uint)(exponent & 1) ^ 1u;
    m = as_float(as_uint(m) + (odd << 23));
    int half_exponent = (exponent - 127 - (int)odd) >> 1;
    float y = table_rsq(m), g = m * y, h = 0.5f * y, r = fma(-h, g, 0.5f);
    g = fma(g, r, g);
    h = fma(h, r, h);
    g = fma(fma(-g, g, m), h, g);
    return as_float(as_uint(g) + ((uint)half_exponent << 23));
}

float tandem_sqrt_fast(float x) {
    return x == 0.0f || x == as_float(INFINITY_BITS) ? x : x * table_rsq(x);
}

// What is left of a (a finite, b finite and not zero, both without sign) after whole quotients of b, as multiples of
// 2^(*exponent - 150), and the divisor in the same unit; the lowest bits of the quotient.
static uint divide_out(uint ua, uint ub, int *exponent, uint *divisor, uint *quotient) {
    int ea = max((int)(ua >> 23), 1), eb = max((int)(ub >> 23), 1);
    uint ma = ua > FRACTION ? (ua & FRACTION) | 0x00800000u : ua;
    uint mb = ub > FRACTION ? (ub & FRACTION) | 0x00800000u : ub;
    if (ea < eb) {  // by one: the divisor in the unit of a
        mb <<= eb - ea;
        eb = ea;
    }
    uint q = ma / mb;
    ma -= q * mb;
    // Up to seven bits a step: the rest is below 2^25, so it has room for them.
    for (int left = ea - eb; left > 0; left -= 7) {
        int bits = min(left, 7);
        uint more = (ma << bits) / mb;
        ma = (ma << bits) - more * mb;
        q = q << bits | more;
    }
    *exponent = eb;
    *divisor = mb;
    *quotient = q;
    return ma;
}

// m 2^(exponent - 150) with this sign; m below 2^24, exact.
static float put_together(uint sign, uint m, int exponent) {
    if (m == 0) return as_float(sign);
    int shift = min((int)clz(m) - 8, exponent - 1);
    m <<= shift;
    return as_float(sign | (m > FRACTION ? (uint)(exponent - shift) << 23 | (m & FRACTION) : m));
}

// a - n b, n a whole number, the sign of a, exact.
float tandem_remainder(float a, float b) {
    uint ua = as_uint(a) & ~SIGN_BIT, ub = as_uint(b) & ~SIGN_BIT, divisor, quotient;
    if (ua >= INFINITY_BITS || ub > INFINITY_BITS || ub == 0) return as_float(NAN_BITS);
    if (ua < ub) return a;
    int exponent;
    uint rest = divide_out(ua, ub, &exponent, &divisor, &quotient);
    return put_together(as_uint(a) & SIGN_BIT, rest, exponent);
}

// The same with the nearest n, of two the even one.
static float nearest_remainder(float a, float b, int *quotient) {
    uint ua = as_uint(a) & ~SIGN_BIT, ub = as_uint(b) & ~SIGN_BIT, sign = as_uint(a) & SIGN_BIT, divisor, q;
    int exponent;
    *quotient = 0;
    if (ua >= INFINITY_BITS || ub > INFINITY_BITS || ub == 0) return as_float(NAN_BITS);
    if (ub == INFINITY_BITS || (ua >> 23) + 1u < (ub >> 23)) return a;
    uint rest = divide_out(ua, ub, &exponent, &divisor, &q);
    if (2u * rest > divisor || (2u * rest == divisor && (q & 1u) != 0)) {
        rest = divisor - rest;
        q++;
        sign ^= SIGN_BIT;
    }
    q &= 127u;
    *quotient = (int)((as_uint(a) ^ as_uint(b)) >> 31 != 0 ? 0u - q : q);
    return put_together(sign, rest, exponent);
}

float OVERLOAD remainder(float a, float b) {
    int ignored;
    return nearest_remainder(a, b, &ignored);
}
VECTORS_2(float, remainder, float, float)

#define REMQUO_HALVES(space, size, part)                                                 \
    float##size OVERLOAD remquo(float##size a, float##size b, space int##size *quotient) { \
        int##part low, high;                                                             \
        float##part first = remquo(a.lo, b.lo, &low), second = remquo(a.hi, b.hi, &high); \
        *quotient = (int##size)(low, high);                                              \
        return (float##size)(first, second);                                             \
    }
#define REMQUO(space)                                                                    \
    float OVERLOAD remquo(float a, float b, space int *quotient) {                       \
        int q;                                                                           \
        float rest = nearest_remainder(a, b, &q);                                        \
        *quotient = q;                                                                   \
        return rest;                                                                     \
    }                                                                                    \
    REMQUO_HALVES(space, 2, )                                                            \
    float3 OVERLOAD remquo(float3 a, float3 b, space int3 *quotient) {                   \
        int2 q;                                                                          \
        int q2;                                                                          \
        float2 rest = remquo(a.xy, b.xy, &q);                                            \
        float last = nearest_remainder(a.z, b.z, &q2);                                   \
        *quotient = (int3)(q, q2);                                                       \
        return (float3)(rest, last);                                                     \
    }                                                                                    \
    REMQUO_HALVES(space, 4, 2)                                                           \
    REMQUO_HALVES(space, 8, 4)                                                           \
    REMQUO_HALVES(space, 16, 8)
REMQUO(__private)
REMQUO(__global)
REMQUO(__local)

// libclc's takes subnormal numbers for zeros.
float OVERLOAD fmod(float a, float b) {
    return tandem_remainder(a, b);
}
VECTORS_2(float, fmod, float, float)

// Half away from zero.
float tandem_round(float x) {
    float whole = trunc(x), rest = fabs(x - whole);  // exact
    return rest >= 0.5f ? whole + copysign(1.0f, x) : whole;
}

// x 2^n, rounded once: libclc's loses numbers below the normal range.
float OVERLOAD ldexp(float x, int n) {
    uint bits = as_uint(x);
    if ((bits & ~SIGN_BIT) - 1u >= INFINITY_BITS - 1u) return x;  // zero, infinity, NaN
    int exponent;
    uint sign = bits & SIGN_BIT;
    float m = mantissa(bits, &exponent);
    exponent += min(max(n, -400), 400);
    if (exponent >= 255) return as_float(sign | INFINITY_BITS);
    if (exponent >= 1) return as_float(sign | (uint)exponent << 23 | (as_uint(m) & FRACTION));
    // m 2^-63 times the rest.
    exponent = max(exponent, -62);
    return as_float((as_uint(m) - (63u << 23)) | sign) * as_float((uint)(exponent + 63) << 23);
}
VECTORS_2(float, ldexp, float, int)
#define LDEXP_VECTOR(size)                                   \
    float##size OVERLOAD ldexp(float##size x, int n) {       \
        return ldexp(x, (int##size)n);                       \
    }
LDEXP_VECTOR(2)
LDEXP_VECTOR(3)
LDEXP_VECTOR(4)
LDEXP_VECTOR(8)
LDEXP_VECTOR(16)

// The neighbour below zero of the smallest number is a zero with its sign, as in C; libclc's has none.
float OVERLOAD nextafter(float x, float towards) {
    if (isnan(x) || isnan(towards)) return as_float(NAN_BITS);
    if (x == towards) return towards;
    if (x == 0.0f) return as_float((as_uint(towards) & SIGN_BIT) | 1u);
    uint bits = as_uint(x);
    return as_float((towards > x) == (x > 0.0f) ? bits + 1u : bits - 1u);
}
VECTORS_2(float, nextafter, float, float)
