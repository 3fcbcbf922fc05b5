// Lets a C compiler read the kernels of this folder that are written in the common part of OpenCL C and C: the same
// source, compiled by the host's compiler and called once for each work-item, is the reference that the PPU's results
// are compared with. Who includes it says `#pragma GCC diagnostic push` before, and `pop` behind the kernels.
#ifndef TANDEM_KERNELS_AS_C_H
#define TANDEM_KERNELS_AS_C_H

// Kernels convert without casts where OpenCL does, and no file calls all of them.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;  // 64 bits here as there

#define __kernel
#define __global
#define __constant static const
#define __private

struct work_item {
    uint32_t global_id[3], local_id[3], group_id[3], global_size[3], local_size[3], num_groups[3], offset[3],
        dimensions;
};
// The work-item that the reference is being called for; each translation unit that includes kernels has its own.
static struct work_item this_item;

static inline uint get_global_id(uint d) {
    return d < 3 ? this_item.global_id[d] : 0;
}
static inline uint get_local_id(uint d) {
    return d < 3 ? this_item.local_id[d] : 0;
}
static inline uint get_group_id(uint d) {
    return d < 3 ? this_item.group_id[d] : 0;
}
static inline uint get_global_size(uint d) {
    return d < 3 ? this_item.global_size[d] : 1;
}
static inline uint get_local_size(uint d) {
    return d < 3 ? this_item.local_size[d] : 1;
}
static inline uint get_num_groups(uint d) {
    return d < 3 ? this_item.num_groups[d] : 1;
}
static inline uint get_global_offset(uint d) {
    return d < 3 ? this_item.offset[d] : 0;
}
static inline uint get_work_dim(void) {
    return this_item.dimensions;
}

// Builtins, for the types the kernels use them with.
static inline int min_i(int a, int b) {
    return a < b ? a : b;
}
static inline uint min_u(uint a, uint b) {
    return a < b ? a : b;
}
static inline int max_i(int a, int b) {
    return a > b ? a : b;
}
static inline uint max_u(uint a, uint b) {
    return a > b ? a : b;
}
static inline int clamp_i(int x, int low, int high) {
    return min_i(max_i(x, low), high);
}
static inline uint clamp_u(uint x, uint low, uint high) {
    return min_u(max_u(x, low), high);
}
static inline uint abs_i(int a) {
    return a < 0 ? 0u - (uint)a : (uint)a;
}
static inline int mul_hi_i(int a, int b) {
    return (int)((int64_t)a * b >> 32);
}
static inline uint mul_hi_u(uint a, uint b) {
    return (uint)((uint64_t)a * b >> 32);
}
static inline int mul24_i(int a, int b) {
    return (int)((uint)a * (uint)b);
}
static inline uint clz_u(uint a) {
    return a == 0 ? 32u : (uint)__builtin_clz(a);
}
static inline uint popcount_u(uint a) {
    return (uint)__builtin_popcount(a);
}
static inline uint rotate_u(uint a, uint by) {
    return (by & 31u) == 0 ? a : a << (by & 31u) | a >> (32u - (by & 31u));
}
static inline uint hadd_u(uint a, uint b) {
    return (uint)(((uint64_t)a + b) >> 1);
}
static inline int hadd_i(int a, int b) {
    return (int)(((int64_t)a + b) >> 1);
}
static inline uint add_sat_u(uint a, uint b) {
    return a + b < a ? 0xFFFFFFFFu : a + b;
}
static inline uint sub_sat_u(uint a, uint b) {
    return a < b ? 0u : a - b;
}
static inline int64_t saturated(int64_t x) {
    return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x;
}
static inline int add_sat_i(int a, int b) {
    return (int)saturated((int64_t)a + b);
}
static inline int sub_sat_i(int a, int b) {
    return (int)saturated((int64_t)a - b);
}
static inline uint abs_diff_i(int a, int b) {
    return a > b ? (uint)a - (uint)b : (uint)b - (uint)a;
}

static inline ulong rotate_l(ulong a, ulong by) {
    return (by & 63u) == 0 ? a : a << (by & 63u) | a >> (64u - (by & 63u));
}
static inline ulong popcount_l(ulong a) {
    return (ulong)__builtin_popcountl(a);
}
static inline ulong clz_l(ulong a) {
    return a == 0 ? 64u : (ulong)__builtin_clzl(a);
}
static inline ulong min_ul(ulong a, ulong b) {
    return a < b ? a : b;
}
static inline ulong max_ul(ulong a, ulong b) {
    return a > b ? a : b;
}
static inline long min_l(long a, long b) {
    return a < b ? a : b;
}
static inline long max_l(long a, long b) {
    return a > b ? a : b;
}
static inline ulong add_sat_ul(ulong a, ulong b) {
    return a + b < a ? UINT64_MAX : a + b;
}
static inline ulong sub_sat_ul(ulong a, ulong b) {
    return a < b ? 0 : a - b;
}
static inline long saturated_l(__int128 x) {
    return x < INT64_MIN ? INT64_MIN : x > INT64_MAX ? INT64_MAX : (long)x;
}
static inline long add_sat_l(long a, long b) {
    return saturated_l((__int128)a + b);
}
static inline long sub_sat_l(long a, long b) {
    return saturated_l((__int128)a - b);
}
static inline ulong mul_hi_ul(ulong a, ulong b) {
    return (ulong)((unsigned __int128)a * b >> 64);
}
static inline long mul_hi_l(long a, long b) {
    return (long)((__int128)a * b >> 64);
}

// Floats.
static inline float as_float(uint bits) {
    union {
        uint bits;
        float value;
    } same = {bits};
    return same.value;
}
static inline uint as_uint_f(float value) {
    union {
        float value;
        uint bits;
    } same = {value};
    return same.bits;
}
// The nearest of the integers from low to high, rounded by this function; NaN becomes 0.
static inline double saturated_to(float x, float rounded(float), double low, double high) {
    if (x != x) return 0;
    double whole = rounded(x);
    return whole < low ? low : whole > high ? high : whole;
}
#define as_uint(x) as_uint_f(x)
#define fabs fabsf
#define sqrt sqrtf
#define fma fmaf
#define fmod fmodf
#define floor floorf
#define ceil ceilf
#define trunc truncf
#define rint rintf
#define round roundf
#define copysign copysignf
#define fmin fminf
#define fmax fmaxf
#define convert_int_sat(x) (int)saturated_to(x, truncf, INT32_MIN, INT32_MAX)
#define convert_uint_sat(x) (uint) saturated_to(x, truncf, 0, UINT32_MAX)
#define convert_short_sat(x) (short)saturated_to(x, truncf, INT16_MIN, INT16_MAX)
#define convert_uchar_sat(x) (uchar) saturated_to(x, truncf, 0, UINT8_MAX)
#define convert_int_sat_rte(x) (int)saturated_to(x, rintf, INT32_MIN, INT32_MAX)
#define convert_int_sat_rtp(x) (int)saturated_to(x, ceilf, INT32_MIN, INT32_MAX)
#define convert_int_sat_rtn(x) (int)saturated_to(x, floorf, INT32_MIN, INT32_MAX)
#define convert_uint_sat_rte(x) (uint) saturated_to(x, rintf, 0, UINT32_MAX)
#define convert_char_sat_rte(x) (signed char)saturated_to(x, rintf, INT8_MIN, INT8_MAX)
#define convert_ushort_sat_rtp(x) (ushort) saturated_to(x, ceilf, 0, UINT16_MAX)

#define min(a, b) _Generic((a), int : min_i, uint : min_u)(a, b)
#define max(a, b) _Generic((a), int : max_i, uint : max_u)(a, b)
#define clamp(x, a, b) _Generic((x), int : clamp_i, uint : clamp_u)(x, a, b)
#define mul_hi(a, b) _Generic((a), int : mul_hi_i, uint : mul_hi_u)(a, b)
#define hadd(a, b) _Generic((a), int : hadd_i, uint : hadd_u)(a, b)
#define add_sat(a, b) _Generic((a), int : add_sat_i, uint : add_sat_u)(a, b)
#define sub_sat(a, b) _Generic((a), int : sub_sat_i, uint : sub_sat_u)(a, b)
#define abs(a) abs_i(a)
#define abs_diff(a, b) abs_diff_i(a, b)
#define mul24(a, b) mul24_i(a, b)
#define mad24(a, b, c) (int)((uint)mul24_i(a, b) + (uint)(c))
#define clz(a) clz_u(a)
#define popcount(a) popcount_u(a)
#define rotate(a, b) rotate_u(a, b)

#endif
