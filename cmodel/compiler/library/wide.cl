// 64-bit integers: division, and conversions to and from floats.
#include "tandem.h"

// {high, low} / d with high below d, by halves of 16 bits (Knuth's algorithm D for two digits).
static uint divide_pair(uint high, uint low, uint d, uint *rest) {
    uint s = clz(d);
    ulong n = ((ulong)high << 32 | low) << s;
    d <<= s;
    uint top = d >> 16, bottom = d & 0xFFFFu, part = (uint)(n >> 32), q = 0;
    for (int half_ = 16; half_ >= 0; half_ -= 16) {
        uint next = (uint)n >> half_ & 0xFFFFu;
        uint digit = part / top, r = part - digit * top;
        for (int k = 0; k < 2; k++) {
            if (digit < 0x10000u && (r > 0xFFFFu || digit * bottom <= (r << 16 | next))) break;
            digit--;
            r += top;
        }
        part = (part << 16 | next) - digit * d;
        q = q << 16 | digit;
    }
    *rest = part >> s;
    return q;
}

static ulong divide(ulong n, ulong d, ulong *rest) {
    uint high = (uint)(n >> 32), low = (uint)n, dh = (uint)(d >> 32), dl = (uint)d;
    if (dh == 0) {
        if (high == 0) {
            uint q = low / dl;
            *rest = low - q * dl;
            return q;
        }
        uint q = high / dl, r;
        uint q0 = divide_pair(high - q * dl, low, dl, &r);
        *rest = r;
        return (ulong)q << 32 | q0;
    }
    // The quotient has at most 32 bits: by the divisor's upper 32 bits it comes out at most one too large.
    uint s = clz(dh), r;
    uint q = divide_pair(high >> 1, (uint)(n >> 1), (uint)(d << s >> 32), &r);
    q = (uint)(((ulong)q << s) >> 31);
    if (q != 0) q--;
    ulong left = n - q * d;
    if (left >= d) {
        q++;
        left -= d;
    }
    *rest = left;
    return q;
}

ulong tandem_udiv64(ulong n, ulong d) {
    ulong rest;
    return divide(n, d, &rest);
}

ulong tandem_urem64(ulong n, ulong d) {
    ulong rest;
    divide(n, d, &rest);
    return rest;
}

static ulong magnitude(long x) {
    return x < 0 ? 0ul - (ulong)x : (ulong)x;
}

long tandem_sdiv64(long n, long d) {
    ulong q = tandem_udiv64(magnitude(n), magnitude(d));
    return (long)((n ^ d) < 0 ? 0ul - q : q);
}

long tandem_srem64(long n, long d) {
    ulong r = tandem_urem64(magnitude(n), magnitude(d));
    return (long)(n < 0 ? 0ul - r : r);
}

// To nearest even: the upper 32 bits from the first one on, the lowest of them also saying that there are more, are
// enough to round from.
float tandem_u64_to_float(ulong x) {
    uint high = (uint)(x >> 32);
    if (high == 0) return from_uint_rte((uint)x);
    uint s = clz(high);
    x <<= s;
    return from_uint_rte((uint)(x >> 32) | (uint)((uint)x != 0)) * as_float((127u + 32u - s) << 23);
}

float tandem_s64_to_float(long x) {
    float f = tandem_u64_to_float(magnitude(x));
    return x < 0 ? -f : f;
}

// Toward zero; out of range the nearest end, NaN 0.
ulong tandem_float_to_u64(float x) {
    if (!(x >= 4294967296.0f)) return to_uint_rtz(x);
    if (x >= 18446744073709551616.0f) return ~0ul;
    uint bits = as_uint(x);
    return (ulong)((bits & 0x007FFFFFu) | 0x00800000u) << ((bits >> 23) - 150u);
}

long tandem_float_to_s64(float x) {
    ulong whole = tandem_float_to_u64(fabs(x));
    if (x < 0.0f) return whole >> 63 ? (long)(1ul << 63) : (long)(0ul - whole);
    return whole >> 63 ? (long)~(1ul << 63) : (long)whole;
}

// Numbers of 16 bits, as they lie in memory.
float tandem_half_to_float(ushort bits) {
    uint sign = (uint)(bits & 0x8000u) << 16, magnitude_bits = (uint)(bits & 0x7FFFu);
    if (magnitude_bits >= 0x7C00u) return as_float(sign | 0x7F800000u | (magnitude_bits & 0x3FFu) << 13);
    // The exponent's bias is put right by a product, which also makes subnormal numbers normal.
    return as_float(as_uint(as_float(magnitude_bits << 13) * 0x1p112f) | sign);
}

// The float that the nearest half is: of a number that goes on from one operation of halfs to the next.
float tandem_float_as_half(float x) {
    uint bits = as_uint(x), sign = bits & 0x80000000u, m = bits & 0x7FFFFFFFu;
    if (m >= 0x477FF000u) return as_float(m > 0x7F800000u ? 0x7FC00000u : sign | 0x7F800000u);
    uint rounded = (m + 0xFFFu + (m >> 13 & 1u)) & ~0x1FFFu;
    if (m < 0x38800000u) rounded = as_uint(as_float(m) + 0.5f - 0.5f);
    return as_float(rounded | sign);
}

ushort tandem_float_to_half(float x) {
    uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, m = bits & 0x7FFFFFFFu;
    if (m > 0x7F800000u) return (ushort)(sign | 0x7E00u);
    if (m >= 0x477FF000u) return (ushort)(sign | 0x7C00u);
    // Below the normal range the sum with a power of two rounds at the right bit.
    if (m < 0x38800000u) return (ushort)(sign | (as_uint(as_float(m) + 0.5f) - as_uint(0.5f)));
    m += 0xFFFu + (m >> 13 & 1u);
    return (ushort)(sign | ((m - 0x38000000u) >> 13));
}
