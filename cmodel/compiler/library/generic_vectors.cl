// vloadN and vstoreN of pointers into any memory.
#include "tandem.h"
#include "generic.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define ROWS(type)                                                                                                     \
    type##2 OVERLOAD vload2(size_t at, const GENERIC type *p) {                                                        \
        p += 2 * at;                                                                                                   \
        return (type##2)(p[0], p[1]);                                                                                  \
    }                                                                                                                  \
    type##3 OVERLOAD vload3(size_t at, const GENERIC type *p) {                                                        \
        p += 3 * at;                                                                                                   \
        return (type##3)(p[0], p[1], p[2]);                                                                            \
    }                                                                                                                  \
    type##4 OVERLOAD vload4(size_t at, const GENERIC type *p) {                                                        \
        p += 4 * at;                                                                                                   \
        return (type##4)(p[0], p[1], p[2], p[3]);                                                                      \
    }                                                                                                                  \
    type##8 OVERLOAD vload8(size_t at, const GENERIC type *p) {                                                        \
        return (type##8)(vload4(2 * at, p), vload4(2 * at + 1, p));                                                    \
    }                                                                                                                  \
    type##16 OVERLOAD vload16(size_t at, const GENERIC type *p) {                                                      \
        return (type##16)(vload8(2 * at, p), vload8(2 * at + 1, p));                                                   \
    }                                                                                                                  \
    void OVERLOAD vstore2(type##2 x, size_t at, GENERIC type *p) {                                                     \
        p += 2 * at;                                                                                                   \
        p[0] = x.x, p[1] = x.y;                                                                                        \
    }                                                                                                                  \
    void OVERLOAD vstore3(type##3 x, size_t at, GENERIC type *p) {                                                     \
        p += 3 * at;                                                                                                   \
        p[0] = x.x, p[1] = x.y, p[2] = x.z;                                                                            \
    }                                                                                                                  \
    void OVERLOAD vstore4(type##4 x, size_t at, GENERIC type *p) {                                                     \
        p += 4 * at;                                                                                                   \
        p[0] = x.x, p[1] = x.y, p[2] = x.z, p[3] = x.w;                                                                \
    }                                                                                                                  \
    void OVERLOAD vstore8(type##8 x, size_t at, GENERIC type *p) {                                                     \
        vstore4(x.lo, 2 * at, p), vstore4(x.hi, 2 * at + 1, p);                                                        \
    }                                                                                                                  \
    void OVERLOAD vstore16(type##16 x, size_t at, GENERIC type *p) {                                                   \
        vstore8(x.lo, 2 * at, p), vstore8(x.hi, 2 * at + 1, p);                                                        \
    }

ROWS(char)
ROWS(uchar)
ROWS(short)
ROWS(ushort)
ROWS(int)
ROWS(uint)
ROWS(long)
ROWS(ulong)
ROWS(float)
ROWS(double)
ROWS(half)
