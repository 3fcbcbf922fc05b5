// Half precision as a type: what the files of its built-in functions share. Operations of halfs become operations of
// floats, and a rounding (../lower/double_operations.c): 24 bits are enough for the second rounding to change nothing.
#ifndef TANDEM_LIBRARY_HALF_TYPE_H
#define TANDEM_LIBRARY_HALF_TYPE_H

#include "halfs.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// These are functions of halfs here.
#undef fma
#undef trunc
#undef fabs
#undef copysign
#undef isnan
#undef isfinite
#undef min
#undef max

static inline uint half_magnitude(half x) {
    return as_ushort(x) & 0x7FFFu;
}

// The vector forms of a function of three numbers.
#define VECTORS_3(result, name, ta, tb, tc)                                  \
    result##2 OVERLOAD name(ta##2 a, tb##2 b, tc##2 c) {                     \
        return (result##2)(name(a.x, b.x, c.x), name(a.y, b.y, c.y));        \
    }                                                                        \
    result##3 OVERLOAD name(ta##3 a, tb##3 b, tc##3 c) {                     \
        return (result##3)(name(a.xy, b.xy, c.xy), name(a.z, b.z, c.z));     \
    }                                                                        \
    result##4 OVERLOAD name(ta##4 a, tb##4 b, tc##4 c) {                     \
        return (result##4)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi));  \
    }                                                                        \
    result##8 OVERLOAD name(ta##8 a, tb##8 b, tc##8 c) {                     \
        return (result##8)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi));  \
    }                                                                        \
    result##16 OVERLOAD name(ta##16 a, tb##16 b, tc##16 c) {                 \
        return (result##16)(name(a.lo, b.lo, c.lo), name(a.hi, b.hi, c.hi)); \
    }

#endif
