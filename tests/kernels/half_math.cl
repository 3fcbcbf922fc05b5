// Math functions of halfs, a kernel each.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define UNARY(f)                                                                     \
    __kernel void test_##f(__global const half *in, __global half *out, uint n) {    \
        uint i = get_global_id(0);                                                   \
        if (i < n) out[i] = f(in[i]);                                                \
    }
#define BINARY(f)                                                                    \
    __kernel void test_##f(__global const half *in, __global half *out, uint n) {    \
        uint i = get_global_id(0);                                                   \
        if (i < n) out[i] = f(in[2 * i], in[2 * i + 1]);                             \
    }
#define WITHOUT_FAST
#include "math_functions.h"

__kernel void test_pown(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    if (i < n) out[i] = pown(in[2 * i], convert_int_sat(in[2 * i + 1]));
}
__kernel void test_rootn(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    if (i < n) out[i] = rootn(in[2 * i], convert_int_sat(in[2 * i + 1]));
}
__kernel void test_fract(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    half whole;
    if (i < n) out[i] = fract(in[i], &whole);
}
__kernel void test_sincos(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    half cosine;
    if (i < n) out[i] = sincos(in[i], &cosine) == sin(in[i]) || !isfinite(in[i]) ? cosine : 9.0h;
}
__kernel void test_lgamma_r(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    int sign;
    if (i < n) out[i] = lgamma_r(in[i], &sign);
}
__kernel void test_ilogb(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    if (i < n) out[i] = (half)ilogb(in[i]);
}
__kernel void test_mad(__global const half *in, __global half *out, uint n) {
    uint i = get_global_id(0);
    if (i < n) out[i] = mad(in[2 * i], in[2 * i + 1], in[2 * i]);
}
