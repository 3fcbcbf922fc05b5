// Functions around exp: libclc's take results below the normal range for zero.
#include "tandem.h"

#define LOG2_E 1.44269504088896340736f
#define LN_2_HIGH 0.693145751953125f  // 16 bits: times a whole number of up to 8 bits it is exact
#define LN_2_LOW 1.42860682030941723212e-6f

// e^r for |r| up to ln(2) / 2.
static float exp_of_small(float r) {
    float p = fma(r, 1.9841270e-4f, 1.3888889e-3f);
    p = fma(p, r, 8.3333333e-3f);
    p = fma(p, r, 4.1666667e-2f);
    p = fma(p, r, 1.6666667e-1f);
    p = fma(p, r, 0.5f);
    return 1.0f + fma(p * r, r, r);
}

// m * 2^k for a normal m near 1 and k from -300 to 300: rounded once, whatever the result is.
static float scale(float m, int k) {
    int first = k >> 1;
    return m * as_float((uint)(first + 127) << 23) * as_float((uint)(k - first + 127) << 23);
}

// x + low as k ln(2) + r: e^r, and k.
static float exp_parts(float x, float low, int *k) {
    float n = __builtin_rintf(x * LOG2_E);
    *k = to_int_rte(n);
    return exp_of_small(fma(n, -LN_2_LOW, fma(n, -LN_2_HIGH, x)) + low);
}

float OVERLOAD exp(float x) {
    if (isnan(x)) return x;
    int k;
    float m = exp_parts(min(max(x, -104.0f), 89.0f), 0.0f, &k);
    return scale(m, k);
}
VECTORS_1(float, exp, float)

float OVERLOAD exp2(float x) {
    if (isnan(x)) return x;
    float bounded = min(max(x, -151.0f), 129.0f), n = __builtin_rintf(bounded);
    return scale(exp_of_small((bounded - n) * 0.69314718055994530942f), to_int_rte(n));
}
VECTORS_1(float, exp2, float)

float libclc_erfc(float x) __asm__("libclc._Z4erfcf") __attribute__((const));

// Beyond 2.5 exp(-x^2) f(1 / x) / (x sqrt(pi)), f interpolated at Chebyshev's nodes; the square's low part counts there.
float OVERLOAD erfc(float x) {
    if (!(x > 2.5f)) return libclc_erfc(x);
    if (x > 10.2f) return 0.0f;
    float square = x * x, low = fma(x, x, -square), w = table_rcp(x);
    w = fma(fma(-x, w, 1.0f), w, w);
    float s = (w - 2.490196078e-01f) * 6.623376623e+00f;
    float f = fma(s, -3.638024913e-07f, -6.304770671e-08f);
    f = fma(s, f, 8.657022042e-06f);
    f = fma(s, f, -3.843391670e-05f);
    f = fma(s, f, -2.463370746e-05f);
    f = fma(s, f, 1.339752534e-03f);
    f = fma(s, f, -6.805194803e-03f);
    f = fma(s, f, -3.187648285e-02f);
    f = fma(s, f, 9.715081417e-01f);
    int k;
    float m = exp_parts(-square, -low, &k);
    return scale(m * f * 0.56418958354775628695f * w, k);
}
VECTORS_1(float, erfc, float)

// Gamma on [1, 2], t = x - 1.5: interpolation at Chebyshev's nodes.
static float gamma_core(float t) {
    float p = fma(t, -1.089769462e-02f, 1.633166024e-02f);
    p = fma(p, t, -1.625704446e-02f);
    p = fma(p, t, 2.439010879e-02f);
    p = fma(p, t, -3.813110332e-02f);
    p = fma(p, t, 5.880397661e-02f);
    p = fma(p, t, -7.751535730e-02f);
    p = fma(p, t, 1.446338212e-01f);
    p = fma(p, t, -1.072949708e-01f);
    p = fma(p, t, 4.148137029e-01f);
    p = fma(p, t, 3.233839803e-02f);
    p = fma(p, t, 8.862269246e-01f);
    return p;
}

// A product with what its rounding has lost.
static void times(float *high, float *low, float factor) {
    float product = *high * factor;
    *low = fma(*low, factor, fma(*high, factor, -product));
    *high = product;
}

// By the recurrence, from or to [1, 2].
float OVERLOAD tgamma(float x) {
    if (isnan(x)) return x;
    if (x > 36.0f) return as_float(0x7F800000u);
    if (x < 0.0f && x == trunc(x)) return as_float(0x7FC00000u);
    if (x < -42.0f) return ((int)x & 1) != 0 ? 0.0f : -0.0f;
    if (x >= 1.0f) {
        int steps = (int)x - 1;
        float high = gamma_core((x - (float)steps) - 1.5f), low = 0.0f;
        for (int k = steps; k >= 1; k--)
            times(&high, &low, x - (float)k);
        return isfinite(high) ? high + low : high;
    }
    // Divisors x, x + 1, .. up to the first above 0; in two products, as one alone would grow too large.
    float high[2] = {1.0f, 1.0f}, low[2] = {0.0f, 0.0f};
    float factor = x;
    times(&high[0], &low[0], factor);
    for (int k = 1; k < 64 && x + (float)k < 1.0f; k++) {
        factor = x + (float)k;
        if (factor < -17.0f) {
            times(&high[0], &low[0], factor);
        } else {
            times(&high[1], &low[1], factor);
        }
    }
    // factor is in [0, 1) now, or x itself; the next number is the one to start from.
    float g = gamma_core(factor + 1.0f - 1.5f), correction = low[1] / high[1];
    if (high[0] != 0.0f && isfinite(1.0f / high[0])) correction += low[0] / high[0];
    return fma(-g, correction, g) / high[1] / high[0];
}
VECTORS_1(float, tgamma, float)
