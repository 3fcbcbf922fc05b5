// Math functions that leave a second result in any memory: the functions on private memory, and a store.
#include "tandem.h"
#include "generic.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define SECOND(real, name, second)                      \
    real OVERLOAD name(real x, second *p);              \
    real OVERLOAD name(real x, GENERIC second *p) {     \
        second other;                                   \
        const real first = name(x, &other);             \
        *p = other;                                     \
        return first;                                   \
    }
#define EVERY_FUNCTION(real, whole)                     \
    SECOND(real, fract, real)                           \
    SECOND(real, modf, real)                            \
    SECOND(real, sincos, real)                          \
    SECOND(real, frexp, whole)                          \
    SECOND(real, lgamma_r, whole)                       \
    real OVERLOAD remquo(real x, real y, whole *p);     \
    real OVERLOAD remquo(real x, real y, GENERIC whole *p) { \
        whole other;                                    \
        const real first = remquo(x, y, &other);        \
        *p = other;                                     \
        return first;                                   \
    }
#define EVERY_LENGTH(real)        \
    EVERY_FUNCTION(real, int)     \
    EVERY_FUNCTION(real##2, int2) \
    EVERY_FUNCTION(real##3, int3) \
    EVERY_FUNCTION(real##4, int4) \
    EVERY_FUNCTION(real##8, int8) \
    EVERY_FUNCTION(real##16, int16)
EVERY_LENGTH(float)
EVERY_LENGTH(double)
EVERY_LENGTH(half)
