#include "math_accuracy.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "random_numbers.h"

#define PI 3.14159265358979323846264338327950288L

static long double f_acospi(long double x) {
    return acosl(x) / PI;
}
static long double f_asinpi(long double x) {
    return asinl(x) / PI;
}
static long double f_atanpi(long double x) {
    return atanl(x) / PI;
}
// x modulo 2, in [-1, 1], exact.
static long double turns(long double x) {
    return x - 2.0L * rintl(x / 2.0L);
}
static long double f_sinpi(long double x) {
    if (!isfinite(x)) return NAN;
    long double t = turns(x);
    if (t == 0.0L || fabsl(t) == 1.0L) return copysignl(0.0L, x);
    return sinl(PI * (fabsl(t) > 0.5L ? copysignl(1.0L - fabsl(t), t) : t));
}
static long double f_cospi(long double x) {
    if (!isfinite(x)) return NAN;
    long double t = fabsl(turns(x));
    return t == 0.5L ? 0.0L : t > 0.25L && t < 0.75L ? sinl(PI * (0.5L - t)) : cosl(PI * t);
}
static long double f_tanpi(long double x) {
    if (!isfinite(x)) return NAN;
    long double t = x - rintl(x);  // in [-1/2, 1/2]
    if (fabsl(t) == 0.5L) return INFINITY;
    return t == 0.0L          ? copysignl(0.0L, x)
           : fabsl(t) > 0.25L ? copysignl(1.0L / tanl(PI * (0.5L - fabsl(t))), t)
                              : tanl(PI * t);
}
static long double f_exp10(long double x) {
    return powl(10.0L, x);
}
static long double f_rsqrt(long double x) {
    return 1.0L / sqrtl(x);
}
static long double f_recip(long double x) {
    return 1.0L / x;
}
static long double f_divide(long double x, long double y) {
    return x / y;
}
static long double f_atan2pi(long double y, long double x) {
    return atan2l(y, x) / PI;
}
static long double f_maxmag(long double x, long double y) {
    return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}
static long double f_minmag(long double x, long double y) {
    return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}
static long double f_nextafter(long double x, long double y) {
    return nextafterf((float)x, (float)y);
}
static long double f_powr(long double x, long double y) {
    if (isnan(x) || isnan(y) || x < 0.0L) return NAN;
    if ((x == 0.0L && y == 0.0L) || (isinf(x) && y == 0.0L) || (x == 1.0L && isinf(y))) return NAN;
    return powl(fabsl(x), y);
}
static long double f_tgamma(long double x) {
    return tgammal(x);
}

long double math_pown(long double x, long double y) {
    return powl(x, rintl(y));
}
long double math_rootn(long double x, long double y) {
    const long double n = rintl(y);
    const bool odd = fmodl(n, 2.0L) != 0.0L;
    if (n == 0.0L || (x < 0.0L && !odd)) return NAN;
    const long double root = powl(fabsl(x), 1.0L / n);
    return signbit(x) && odd ? -root : root;
}

const struct math_function math_functions[] = {
    {"acos", acosl, NULL, 4},
    {"acosh", acoshl, NULL, 4},
    {"acospi", f_acospi, NULL, 5},
    {"asin", asinl, NULL, 4},
    {"asinh", asinhl, NULL, 4},
    {"asinpi", f_asinpi, NULL, 5},
    {"atan", atanl, NULL, 5},
    {"atanh", atanhl, NULL, 5},
    {"atanpi", f_atanpi, NULL, 5},
    {"cbrt", cbrtl, NULL, 2},
    {"ceil", ceill, NULL, 0},
    {"cos", cosl, NULL, 4},
    {"cosh", coshl, NULL, 4},
    {"cospi", f_cospi, NULL, 4},
    {"erf", erfl, NULL, 16},
    {"erfc", erfcl, NULL, 16},
    {"exp", expl, NULL, 3},
    {"exp2", exp2l, NULL, 3},
    {"exp10", f_exp10, NULL, 3},
    {"expm1", expm1l, NULL, 3},
    {"fabs", fabsl, NULL, 0},
    {"floor", floorl, NULL, 0},
    {"lgamma", lgammal, NULL, -1},
    {"log", logl, NULL, 3},
    {"log2", log2l, NULL, 3},
    {"log10", log10l, NULL, 3},
    {"log1p", log1pl, NULL, 2},
    {"logb", logbl, NULL, 0},
    {"rint", rintl, NULL, 0},
    {"round", roundl, NULL, 0},
    {"rsqrt", f_rsqrt, NULL, 2},
    {"sin", sinl, NULL, 4},
    {"sinh", sinhl, NULL, 4},
    {"sinpi", f_sinpi, NULL, 4},
    {"sqrt", sqrtl, NULL, 0.5},
    {"tan", tanl, NULL, 5},
    {"tanh", tanhl, NULL, 5},
    {"tanpi", f_tanpi, NULL, 6},
    {"tgamma", f_tgamma, NULL, 16},
    {"trunc", truncl, NULL, 0},
    {"half_cos", cosl, NULL, 8192},
    {"half_exp", expl, NULL, 8192},
    {"half_exp2", exp2l, NULL, 8192},
    {"half_exp10", f_exp10, NULL, 8192},
    {"half_log", logl, NULL, 8192},
    {"half_log2", log2l, NULL, 8192},
    {"half_log10", log10l, NULL, 8192},
    {"half_recip", f_recip, NULL, 8192},
    {"half_rsqrt", f_rsqrt, NULL, 8192},
    {"half_sin", sinl, NULL, 8192},
    {"half_sqrt", sqrtl, NULL, 8192},
    {"half_tan", tanl, NULL, 8192},
    {"atan2", NULL, atan2l, 6},
    {"atan2pi", NULL, f_atan2pi, 6},
    {"fdim", NULL, fdiml, 0.5},
    {"fmod", NULL, fmodl, 0},
    {"hypot", NULL, hypotl, 4},
    {"maxmag", NULL, f_maxmag, 0},
    {"minmag", NULL, f_minmag, 0},
    {"nextafter", NULL, f_nextafter, 0},
    {"pow", NULL, powl, 16},
    {"powr", NULL, f_powr, 16},
    {"remainder", NULL, remainderl, 0},
    {"half_divide", NULL, f_divide, 8192},
    {"half_powr", NULL, f_powr, 8192},
};
const size_t math_function_count = sizeof math_functions / sizeof *math_functions;

// half_sin, half_cos, half_tan are accurate from -2^16 to 2^16; of other finite numbers they give a number, sine and
// cosine none beyond 1 and their error.
static int half_beyond_range(const struct math_function *function, float x) {
    return (strcmp(function->name, "half_sin") == 0 || strcmp(function->name, "half_cos") == 0 ||
            strcmp(function->name, "half_tan") == 0) &&
           isfinite(x) && fabsf(x) > 65536.0f;
}

static double error_beyond_range(const struct math_function *function, float got) {
    float most = strcmp(function->name, "half_tan") == 0 ? FLT_MAX : 1.0f + 8192 * 0x1p-24f;
    return fabsf(got) <= most ? 0 : INFINITY;
}

static int same_sign(float a, long double b) {
    return (signbit(a) != 0) == (signbit(b) != 0);
}

double math_error(const struct math_function *function, float x, float y, float got) {
    if (half_beyond_range(function, x)) return error_beyond_range(function, got);
    long double truth = function->one != NULL ? function->one(x) : function->two(x, y);
    if (isnan(truth)) return isnan(got) ? 0 : INFINITY;
    if (isnan(got)) return INFINITY;
    // tanpi at its poles: an infinity of either sign.
    if (isinf(truth))
        return isinf(got) && (same_sign(got, truth) || strcmp(function->name, "tanpi") == 0) ? 0 : INFINITY;
    if (isinf(got) && (fabsl(truth) < FLT_MAX || !same_sign(got, truth))) {
        // Within the limit of the largest float.
        long double ulp = ldexpl(1, 104);
        return same_sign(got, truth) ? (double)((ldexpl(1, 128) - fabsl(truth)) / ulp) : INFINITY;
    }
    if (isinf(got)) return 0;
    if (truth == 0.0L) return got == 0.0f ? 0 : INFINITY;
    int exponent;
    (void)frexpl(truth, &exponent);
    if (exponent < -125) exponent = -125;
    return (double)(fabsl((long double)got - truth) / ldexpl(1, exponent - 24));
}

static uint32_t mix(uint64_t x) {
    return (uint32_t)random_bits(&x);
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint32_t math_operand(uint64_t seed, uint64_t k, unsigned pair) {
    static const float corners[] = {0.0f,      1.0f,     2.0f,     0.5f,        3.0f,        10.0f,       0x1p-149f,
                                    0x1p-126f, FLT_MAX,  INFINITY, NAN,         3.14159274f, 1.57079637f, 88.7228f,
                                    87.3366f,  103.97f,  0x1p24f,  0x1p31f,     0x1.fp-127f, 0.99999994f, 1.0000001f,
                                    34.5f,     33.9999f, 8.5f,     0.78539819f, 1.5f,        2.5f,        1e-10f,
                                    1e10f,     41.7f,    128.0f,   149.5f};
    enum { CORNERS = sizeof corners / sizeof *corners };
    uint32_t random = mix(seed * 2 + pair + mix(k) * UINT64_C(0x100000001)), kind = mix(random ^ k);
    uint64_t corner = pair == 0 ? k : k / (2 * (uint64_t)CORNERS);
    if (k < 4 * CORNERS * CORNERS && (pair == 0 || corner < 2 * CORNERS)) {
        if (pair != 0 || k < 4 * CORNERS * CORNERS) {
            uint32_t bits = bits_of(corners[corner / 2 % CORNERS]);
            return corner % 2 != 0 ? bits ^ 0x80000000u : bits;
        }
    }
    switch (kind % 4) {
        case 0: return random;  // any bits
        case 1: return (random & 0x807FFFFFu) | (0x3A000000u + (kind >> 8 & 0xFu) * 0x00800000u);
        case 2: return bits_of(((float)(int32_t)random) * 0x1p-24f);  // evenly, to 128
        default: return (random & 0x80FFFFFFu) | 0x3F000000u;         // near 1
    }
}
