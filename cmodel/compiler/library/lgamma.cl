// The logarithm of gamma: libclc's, but that of -infinity is infinity.
#include "second_results.h"
#include "tandem.h"

float libclc_lgamma(float x) __asm__("libclc._Z6lgammaf") __attribute__((const));
float libclc_lgamma_r(float x, __private int *p) __asm__("libclc._Z8lgamma_rfPi");

float OVERLOAD lgamma(float x) {
    const float result = libclc_lgamma(x);
    return fabs(x) == __builtin_inff() ? fabs(x) : result;
}
VECTORS_1(float, lgamma, float)

#define LGAMMA_R(space)                                                                                                \
    float OVERLOAD lgamma_r(float x, space int *p) {                                                                   \
        int sign;                                                                                                      \
        const float result = libclc_lgamma_r(x, &sign);                                                                \
        *p = sign;                                                                                                     \
        return fabs(x) == __builtin_inff() ? fabs(x) : result;                                                         \
    }                                                                                                                  \
    SECOND_VECTORS(lgamma_r, float, int, space)
LGAMMA_R(__private)
LGAMMA_R(__global)
LGAMMA_R(__local)
