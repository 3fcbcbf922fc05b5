// Gamma of doubles: libclc's goes by the exponential of lgamma, whose error that makes hundreds of units.
#include "doubles.h"

#define MOST 171.7   // gamma is infinite from here on
#define LEAST -185.0  // and less than the smallest number below

// Gamma on [1, 2] by powers of x - 1.5, the constant first: interpolation at Chebyshev's nodes.
static __constant double core[] = {
    0x1.c5bf891b4ef6bp-1, 0x1.08ea88ee561b2p-5, 0x1.a8c4dba620d62p-2, -0x1.b77ac1ca2ebc4p-4,
    0x1.283bd374ea140p-3, -0x1.3d88cfe504937p-4, 0x1.e022b74492dadp-5, -0x1.374fd5cd6a141p-5,
    0x1.a752c64df56b9p-6, -0x1.1a2c293acbda4p-6, 0x1.7991ee81016cfp-7, -0x1.f7fc6d20efc03p-8,
    0x1.504cc8c4c0843p-8, -0x1.c09fa693cbfc4p-9, 0x1.2b52a6fbf3048p-9, -0x1.8f2be63625a54p-10,
    0x1.084be8db95414p-10, -0x1.606b57e7334acp-11, 0x1.f4d423febd85dp-12, -0x1.4de4bab1d6d22p-12,
    0x1.192c9a82f15fdp-13, -0x1.76e75bc4d1b5ap-14, 0x1.76e8b52b8ad09p-13, -0x1.f3e1335b1f73ap-14,
};

static double gamma_core(double t) {
    double p = core[23];
    for (int k = 22; k >= 0; k--)
        p = __builtin_fma(p, t, core[k]);
    return p;
}

// A product of many factors, rounded once at its end as good as: 64 bits with the first one set, times 2^exponent.
struct long_product {
    ulong bits;
    int exponent;
};

static void multiply(struct long_product *p, double by) {
    int e;
    ulong m = double_normalized(double_magnitude(as_ulong(by)), &e) << 11;
    ulong low = (p->bits & 0xFFFFFFFFul) * (m >> 32), other = (p->bits >> 32) * (m & 0xFFFFFFFFul);
    ulong high = (p->bits >> 32) * (m >> 32) + (low >> 32) + (other >> 32);
    uint up = (uint)(high >> 63) ^ 1u;
    p->bits = high << up;
    p->exponent += e - 1022 - (int)up;
}

double OVERLOAD tgamma(double x) {
    if (double_is_nan(as_ulong(x)) || x > MOST) return x > MOST ? as_double(DOUBLE_INFINITY) : x;
    if (double_exponent(as_ulong(x)) < 1023u - 60u) return 1.0 / x;  // on either side of 0
    double below = __builtin_floor(x);
    if (x < 0.0 && below == x) return as_double(DOUBLE_NAN);
    bool negative = x < 0.0 && __builtin_floor(below * 0.5) != below * 0.5;
    if (x < LEAST) return negative ? -0.0 : 0.0;
    // gamma(y + 1) = y gamma(y), from or to y in [1, 2).
    int steps = (int)below - 1;
    struct long_product p = {DOUBLE_SIGN, 1};
    double y = x < 1.0 ? x : x - 1.0;
    for (int left = steps < 0 ? -steps : steps; left > 0; left--) {
        multiply(&p, y);
        y += x < 1.0 ? 1.0 : -1.0;
    }
    double core_at = gamma_core((x < 1.0 ? y : y + 1.0) - 1.5);
    double product = as_double(double_rounded(0ul, 1023, p.bits >> 1 | (p.bits & 1ul), RTE));  // in [1, 2]
    double result = steps < 0 ? ldexp(core_at / product, 1 - p.exponent) : ldexp(core_at * product, p.exponent - 1);
    return negative ? -result : result;
}
VECTORS_1(double, tgamma, double)
