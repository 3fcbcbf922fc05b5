// What is done on numbers of 64 bits beside arithmetic: comparisons, whole numbers, remainders, scaling.
#include "doubles.h"

#define CALLED __attribute__((noinline))

bool tandem_double_less(ulong a, ulong b);
bool tandem_double_not_above(ulong a, ulong b);
bool tandem_double_equal(ulong a, ulong b);
bool tandem_double_unordered(ulong a, ulong b);
ulong tandem_double_smaller(ulong a, ulong b);
ulong tandem_double_larger(ulong a, ulong b);
ulong tandem_double_minimum(ulong a, ulong b);
ulong tandem_double_maximum(ulong a, ulong b);
ulong tandem_double_trunc(ulong x);
ulong tandem_double_floor(ulong x);
ulong tandem_double_ceil(ulong x);
ulong tandem_double_rint(ulong x);
ulong tandem_double_round(ulong x);
ulong tandem_double_modulo(ulong a, ulong b) CALLED;
ulong tandem_double_scale(ulong x, int by);

// ---- comparisons ----

// Numbers in their order as integers; both zeros are 0.
static long order_of(ulong x) {
    return (long)x < 0 ? (long)(DOUBLE_SIGN - x) : (long)x;
}

static bool ordered(ulong a, ulong b) {
    return !double_is_nan(a) && !double_is_nan(b);
}

bool tandem_double_less(ulong a, ulong b) {
    return ordered(a, b) && order_of(a) < order_of(b);
}

bool tandem_double_not_above(ulong a, ulong b) {
    return ordered(a, b) && order_of(a) <= order_of(b);
}

bool tandem_double_equal(ulong a, ulong b) {
    return !double_is_nan(a) && (a == b || double_magnitude(a | b) == 0);
}

bool tandem_double_unordered(ulong a, ulong b) {
    return !ordered(a, b);
}

// Of a number and NaN the number; +0 is more than -0.
ulong tandem_double_smaller(ulong a, ulong b) {
    if (double_is_nan(a)) return b;
    bool first = (long)(a ^ ((ulong)((long)a >> 63) >> 1)) < (long)(b ^ ((ulong)((long)b >> 63) >> 1));
    return first || double_is_nan(b) ? a : b;
}

ulong tandem_double_larger(ulong a, ulong b) {
    if (double_is_nan(a)) return b;
    bool first = (long)(a ^ ((ulong)((long)a >> 63) >> 1)) > (long)(b ^ ((ulong)((long)b >> 63) >> 1));
    return first || double_is_nan(b) ? a : b;
}

// Of a number and NaN NaN.
ulong tandem_double_minimum(ulong a, ulong b) {
    return ordered(a, b) ? tandem_double_smaller(a, b) : DOUBLE_NAN;
}

ulong tandem_double_maximum(ulong a, ulong b) {
    return ordered(a, b) ? tandem_double_larger(a, b) : DOUBLE_NAN;
}

// ---- whole numbers ----

// Toward zero, or, where `away` says so and anything is lost, one further.
static ulong whole(ulong x, bool away) {
    uint e = double_exponent(x);
    if (e >= 1075u) return x;
    if (e < 1023u) return (x & DOUBLE_SIGN) | (away && double_magnitude(x) != 0 ? 0x3FF0000000000000ul : 0ul);
    ulong lost = DOUBLE_FRACTION >> (e - 1023u);
    return (x + (away ? lost : 0ul)) & ~lost;  // a carry goes on into the exponent
}

ulong tandem_double_trunc(ulong x) {
    return whole(x, false);
}

ulong tandem_double_floor(ulong x) {
    return whole(x, x >> 63 != 0);
}

ulong tandem_double_ceil(ulong x) {
    return whole(x, x >> 63 == 0);
}

// To nearest; `even`: from the middle to the even one, else away from zero.
static ulong nearest(ulong x, bool even) {
    uint e = double_exponent(x);
    if (e >= 1075u) return x;
    if (e < 1023u) {
        bool up = even ? double_magnitude(x) > 0x3FE0000000000000ul : e == 1022u;
        return (x & DOUBLE_SIGN) | (up ? 0x3FF0000000000000ul : 0ul);
    }
    uint n = 1075u - e;
    ulong half_unit = 1ul << (n - 1u);
    ulong add = even ? half_unit - 1ul + (x >> n & 1ul) : half_unit;
    return (x + add) & ~((half_unit << 1) - 1ul);
}

ulong tandem_double_rint(ulong x) {
    return nearest(x, true);
}

ulong tandem_double_round(ulong x) {
    return nearest(x, false);
}

// ---- remainders ----

// What is left of a (finite) after whole quotients of b (not 0, not NaN), magnitudes; the quotient's lowest bits.
static ulong divide_out(ulong a, ulong b, uint *quotient) {
    *quotient = 0;
    if (a < b) return a;
    int ea, eb;
    ulong ma = double_normalized(a, &ea), mb = double_normalized(b, &eb);
    uint q = 0;
    for (int left = ea - eb; left >= 0; left--) {
        bool fits = ma >= mb;
        ma -= fits ? mb : 0ul;
        q = q << 1 | (uint)fits;
        if (left != 0) ma <<= 1;
    }
    *quotient = q;
    if (ma == 0) return 0ul;
    uint n = clz64(ma) - 11u;
    int e = eb - (int)n;
    ma <<= n;
    // Exact: it is a multiple of the smallest number that there is.
    return e >= 1 ? ((ulong)(uint)e << 52) + (ma & DOUBLE_FRACTION) : ma >> (uint)(1 - e);
}

static bool no_remainder(ulong a, ulong b) {
    return double_magnitude(a) >= DOUBLE_INFINITY || double_is_nan(b) || double_magnitude(b) == 0;
}

ulong tandem_double_modulo(ulong a, ulong b) {
    uint quotient;
    if (no_remainder(a, b)) return DOUBLE_NAN;
    return (a & DOUBLE_SIGN) | divide_out(double_magnitude(a), double_magnitude(b), &quotient);
}

double OVERLOAD fmod(double a, double b) {
    return as_double(tandem_double_modulo(as_ulong(a), as_ulong(b)));
}
VECTORS_2(double, fmod, double, double)

// Twice what is left against b, without leaving the range: left against b - left, which is exact.
static double to_nearest(double x, double y, int *quotient) {
    ulong a = as_ulong(x), b = double_magnitude(as_ulong(y));
    uint q;
    *quotient = 0;
    if (no_remainder(a, b)) return as_double(DOUBLE_NAN);
    double left = as_double(divide_out(double_magnitude(a), b, &q)), other = as_double(b) - left;
    if (left > other || (left == other && (q & 1u) != 0)) {
        left = -other;
        q++;
    }
    q &= 127u;
    *quotient = ((a ^ as_ulong(y)) & DOUBLE_SIGN) != 0 ? -(int)q : (int)q;
    return as_double(as_ulong(left) ^ (a & DOUBLE_SIGN));
}

double OVERLOAD remainder(double x, double y) {
    int quotient;
    return to_nearest(x, y, &quotient);
}
VECTORS_2(double, remainder, double, double)

#define REMQUO(space)                                                                                            \
    double OVERLOAD remquo(double x, double y, space int *quotient) {                                             \
        int q;                                                                                                    \
        double r = to_nearest(x, y, &q);                                                                          \
        *quotient = q;                                                                                            \
        return r;                                                                                                 \
    }                                                                                                             \
    PARTS_OF_REMQUO(2, 1, 1, space)                                                                               \
    double3 OVERLOAD remquo(double3 x, double3 y, space int3 *quotient) {                                         \
        int2 q;                                                                                                   \
        int last;                                                                                                 \
        double2 r = remquo(x.xy, y.xy, (__private int2 *)&q);                                                     \
        double3 all = (double3)(r, remquo(x.z, y.z, (__private int *)&last));                                     \
        *quotient = (int3)(q, last);                                                                              \
        return all;                                                                                               \
    }                                                                                                             \
    PARTS_OF_REMQUO(4, 2, 2, space)                                                                               \
    PARTS_OF_REMQUO(8, 4, 4, space)                                                                               \
    PARTS_OF_REMQUO(16, 8, 8, space)
#define TYPE_1(type) type
#define TYPE_2(type) type##2
#define TYPE_4(type) type##4
#define TYPE_8(type) type##8
#define PARTS_OF_REMQUO(size, half_size, kind, space)                                                             \
    double##size OVERLOAD remquo(double##size x, double##size y, space int##size *quotient) {                     \
        TYPE_##kind(int) low, high;                                                                               \
        double##size r = (double##size)(remquo(x.lo, y.lo, (__private TYPE_##kind(int) *)&low),                   \
                                        remquo(x.hi, y.hi, (__private TYPE_##kind(int) *)&high));                 \
        *quotient = (int##size)(low, high);                                                                       \
        return r;                                                                                                 \
    }
REMQUO(__private)
REMQUO(__local)
REMQUO(__global)

// ---- scaling ----

ulong tandem_double_scale(ulong x, int by) {
    ulong m = double_magnitude(x);
    if (m == 0 || m >= DOUBLE_INFINITY) return m > DOUBLE_INFINITY ? DOUBLE_NAN : x;
    int e;
    m = double_normalized(m, &e);
    return double_rounded(x & DOUBLE_SIGN, e + max(min(by, 5000), -5000), m << 10, RTE);
}

double OVERLOAD ldexp(double x, int by) {
    return as_double(tandem_double_scale(as_ulong(x), by));
}
VECTORS_2(double, ldexp, double, int)
double2 OVERLOAD ldexp(double2 x, int by) {
    return ldexp(x, (int2)by);
}
double3 OVERLOAD ldexp(double3 x, int by) {
    return ldexp(x, (int3)by);
}
double4 OVERLOAD ldexp(double4 x, int by) {
    return ldexp(x, (int4)by);
}
double8 OVERLOAD ldexp(double8 x, int by) {
    return ldexp(x, (int8)by);
}
double16 OVERLOAD ldexp(double16 x, int by) {
    return ldexp(x, (int16)by);
}

// ---- neighbours ----

double OVERLOAD nextafter(double x, double y) {
    ulong a = as_ulong(x), b = as_ulong(y);
    if (!ordered(a, b)) return as_double(DOUBLE_NAN);
    if (tandem_double_equal(a, b)) return y;
    if (double_magnitude(a) == 0) return as_double((b & DOUBLE_SIGN) | 1ul);
    bool away = (order_of(a) < order_of(b)) == ((long)a > 0);
    return as_double(away ? a + 1ul : a - 1ul);
}
VECTORS_2(double, nextafter, double, double)

// ---- rows in constant memory, which libclc has for all other types ----

#define CONSTANT_ROW(n, ...)                                                                                           \
    double##n OVERLOAD vload##n(size_t at, const __constant double *p) {                                               \
        p += n * at;                                                                                                   \
        return (double##n)(__VA_ARGS__);                                                                               \
    }
CONSTANT_ROW(2, p[0], p[1])
CONSTANT_ROW(3, p[0], p[1], p[2])
CONSTANT_ROW(4, p[0], p[1], p[2], p[3])
CONSTANT_ROW(8, vload4(0, p), vload4(1, p))
CONSTANT_ROW(16, vload8(0, p), vload8(1, p))
