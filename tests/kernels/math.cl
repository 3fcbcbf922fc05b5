// Every function of one float, two floats, and a few more: a kernel each, named as the function. in: n words, or pairs; out: n words.
#define UNARY(f)                                                                       \
    __kernel void test_##f(__global const float *in, __global float *out, uint n) {    \
        uint i = get_global_id(0);                                                     \
        if (i < n) out[i] = f(in[i]);                                                  \
    }
#define BINARY(f)                                                                      \
    __kernel void test_##f(__global const float *in, __global float *out, uint n) {    \
        uint i = get_global_id(0);                                                     \
        if (i < n) out[i] = f(in[2 * i], in[2 * i + 1]);                               \
    }
#include "math_functions.h"
