// Integer builtins that libclc has no body for on our target.
#include "tandem.h"

#define MAD_HI(type)                                             \
    type OVERLOAD mad_hi(type a, type b, type c) { \
        return mul_hi(a, b) + c;                    \
    }
#define EVERY_SIZE(make, type) make(type) make(type##2) make(type##3) make(type##4) make(type##8) make(type##16)

EVERY_SIZE(MAD_HI, char)
EVERY_SIZE(MAD_HI, uchar)
EVERY_SIZE(MAD_HI, short)
EVERY_SIZE(MAD_HI, ushort)
EVERY_SIZE(MAD_HI, int)
EVERY_SIZE(MAD_HI, uint)
EVERY_SIZE(MAD_HI, long)
EVERY_SIZE(MAD_HI, ulong)

// OpenCL C 2.0's: the ones behind the last one. Of 0 all bits.
#define CTZ(type)                                              \
    type OVERLOAD ctz(type x) {                                \
        return popcount((type)((x & -x) - (type)1));           \
    }
EVERY_SIZE(CTZ, char)
EVERY_SIZE(CTZ, uchar)
EVERY_SIZE(CTZ, short)
EVERY_SIZE(CTZ, ushort)
EVERY_SIZE(CTZ, int)
EVERY_SIZE(CTZ, uint)
EVERY_SIZE(CTZ, long)
EVERY_SIZE(CTZ, ulong)

// libclc's difference of 0 and the smallest number has the wrong sign. Single numbers by way of two: C would make an int of
// a smaller one.
#define SATURATE(type)                                                                                                 \
    type##2 OVERLOAD add_sat(type##2 a, type##2 b) { return __builtin_elementwise_add_sat(a, b); }                      \
    type##2 OVERLOAD sub_sat(type##2 a, type##2 b) { return __builtin_elementwise_sub_sat(a, b); }                      \
    type OVERLOAD add_sat(type a, type b) { return __builtin_elementwise_add_sat((type##2)a, (type##2)b).x; }           \
    type OVERLOAD sub_sat(type a, type b) { return __builtin_elementwise_sub_sat((type##2)a, (type##2)b).x; }           \
    SATURATE_VECTOR(type##3) SATURATE_VECTOR(type##4) SATURATE_VECTOR(type##8) SATURATE_VECTOR(type##16)
#define SATURATE_VECTOR(type)                                                                                          \
    type OVERLOAD add_sat(type a, type b) { return __builtin_elementwise_add_sat(a, b); }                              \
    type OVERLOAD sub_sat(type a, type b) { return __builtin_elementwise_sub_sat(a, b); }
SATURATE(char)
SATURATE(uchar)
SATURATE(short)
SATURATE(ushort)
SATURATE(int)
SATURATE(uint)
SATURATE(long)
SATURATE(ulong)

// Shorter than libclc's: beyond 24 bits the result is not defined, so the whole product will do.
int OVERLOAD mul24(int a, int b) {
    return (int)((uint)a * (uint)b);
}
uint OVERLOAD mul24(uint a, uint b) {
    return a * b;
}
VECTORS_2(int, mul24, int, int)
VECTORS_2(uint, mul24, uint, uint)

#define MAD24(type)                                         \
    type OVERLOAD mad24(type a, type b, type c) {           \
        return mul24(a, b) + c;                             \
    }
EVERY_SIZE(MAD24, int)
EVERY_SIZE(MAD24, uint)

uint OVERLOAD abs_diff(int a, int b) {
    return iabsd(a, b);
}
uint OVERLOAD abs_diff(uint a, uint b) {
    return uabsd(a, b);
}
VECTORS_2(uint, abs_diff, int, int)
VECTORS_2(uint, abs_diff, uint, uint)

// a * b + c in 128 bits. libclc's body multiplies as signed numbers, so LLVM may forget that the product overflows.
long OVERLOAD mad_sat(long a, long b, long c) {
    ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
    long high = mul_hi(a, b) + (c >> 63) + (sum < low ? 1 : 0);
    if (high == (long)sum >> 63) return (long)sum;
    return high < 0 ? LONG_MIN : LONG_MAX;
}
#define MAD_SAT(type)                                                           \
    type OVERLOAD mad_sat(type a, type b, type c) {                                   \
        return (type)(mad_sat(a.lo, b.lo, c.lo), mad_sat(a.hi, b.hi, c.hi));          \
    }
MAD_SAT(long2)
long3 OVERLOAD mad_sat(long3 a, long3 b, long3 c) {
    return (long3)(mad_sat(a.xy, b.xy, c.xy), mad_sat(a.z, b.z, c.z));
}
MAD_SAT(long4)
MAD_SAT(long8)
MAD_SAT(long16)
