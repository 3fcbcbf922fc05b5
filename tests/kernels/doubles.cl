// Double precision: every operation, conversion and math function, a kernel each where it takes operands of its own.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// in: 3 doubles an item. out: RESULTS words of 64 bits an item, in the order of tests/unit/test_doubles.c.
__kernel void arithmetic(__global const double *in, __global ulong *out) {
    size_t i = get_global_id(0);
    double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    __global ulong *to = out + 32 * i;
    int quotient;
    to[0] = as_ulong(a + b);
    to[1] = as_ulong(a - b);
    to[2] = as_ulong(a * b);
    to[3] = as_ulong(a / b);
    to[4] = as_ulong(fma(a, b, c));
    to[5] = as_ulong(sqrt(a));
    to[6] = as_ulong(fmod(a, b));
    to[7] = as_ulong(remainder(a, b));
    to[8] = as_ulong(trunc(a));
    to[9] = as_ulong(floor(a));
    to[10] = as_ulong(ceil(a));
    to[11] = as_ulong(rint(a));
    to[12] = as_ulong(round(a));
    to[13] = as_ulong(fmin(a, b));
    to[14] = as_ulong(fmax(a, b));
    to[15] = as_ulong(-a);
    to[16] = as_ulong(fabs(a));
    to[17] = as_ulong(copysign(a, b));
    to[18] = as_ulong(ldexp(a, (int)(as_ulong(b) >> 40 & 4095) - 2048));
    to[19] = as_ulong(nextafter(a, b));
    to[20] = (ulong)(a < b) | (ulong)(a <= b) << 1 | (ulong)(a > b) << 2 | (ulong)(a >= b) << 3 |
             (ulong)(a == b) << 4 | (ulong)(a != b) << 5;
    to[21] = (ulong)isnan(a) | (ulong)isinf(a) << 1 | (ulong)isfinite(a) << 2 | (ulong)isnormal(a) << 3 |
             (ulong)(signbit(a) != 0) << 4 | (ulong)isunordered(a, b) << 5 | (ulong)isordered(a, b) << 6 |
             (ulong)islessgreater(a, b) << 7;
    to[22] = as_ulong(remquo(a, b, &quotient));
    to[23] = (ulong)(quotient & 127);
    to[24] = as_ulong(a < b ? c : a);
    to[25] = as_ulong(fdim(a, b));
    to[26] = as_ulong(select(a, b, as_long(c)));
    to[27] = as_ulong(bitselect(a, b, c));
    double whole, part = modf(a, &whole);
    to[28] = as_ulong(part);
    to[29] = as_ulong(whole);
    int exponent;
    to[30] = as_ulong(frexp(a, &exponent));
    to[31] = (ulong)(long)exponent;
}

// The same sums in vectors, against the single ones.
__kernel void vectors(__global const double *in, __global double *out) {
    size_t i = get_global_id(0);
    double4 a = vload4(0, in + 3 * i), b = a.wzyx;
    double8 both = (double8)(a + b * a, fma(a, b, (double4)0.5));
    long4 below = a < b;
    both.lo = select(both.lo, -a, below);
    vstore8(both, i, out);
}

// Rows of each length in constant memory, one behind the other.
__kernel void constant_rows(__constant double *in, __global double *out) {
    size_t i = get_global_id(0);
    out += 33 * i;
    vstore2(vload2(i, in), 0, out);
    vstore3(vload3(i, in), 0, out + 2);
    vstore4(vload4(i, in), 0, out + 5);
    vstore8(vload8(i, in), 0, out + 9);
    vstore16(vload16(i, in), 0, out + 17);
}

#define TO(type)                                                                     \
    __kernel void to_##type(__global const double *in, __global type *out) {         \
        size_t i = get_global_id(0);                                                 \
        double a = in[i];                                                            \
        out[6 * i] = convert_##type##_sat(a);                                        \
        out[6 * i + 1] = convert_##type##_sat_rte(a);                                \
        out[6 * i + 2] = convert_##type##_sat_rtz(a);                                \
        out[6 * i + 3] = convert_##type##_sat_rtp(a);                                \
        out[6 * i + 4] = convert_##type##_sat_rtn(a);                                \
        out[6 * i + 5] = (type)a;                                                    \
    }
TO(char) TO(uchar) TO(short) TO(ushort) TO(int) TO(uint) TO(long) TO(ulong)

#define FROM(type)                                                                   \
    __kernel void from_##type(__global const type *in, __global double *out) {       \
        size_t i = get_global_id(0);                                                 \
        type a = in[i];                                                              \
        out[6 * i] = convert_double(a);                                              \
        out[6 * i + 1] = convert_double_rte(a);                                      \
        out[6 * i + 2] = convert_double_rtz(a);                                      \
        out[6 * i + 3] = convert_double_rtp(a);                                      \
        out[6 * i + 4] = convert_double_rtn(a);                                      \
        out[6 * i + 5] = a;                                                          \
    }
FROM(char) FROM(uchar) FROM(short) FROM(ushort) FROM(int) FROM(uint) FROM(long) FROM(ulong) FROM(float)

__kernel void to_float(__global const double *in, __global float *out) {
    size_t i = get_global_id(0);
    double a = in[i];
    out[6 * i] = convert_float(a);
    out[6 * i + 1] = convert_float_rte(a);
    out[6 * i + 2] = convert_float_rtz(a);
    out[6 * i + 3] = convert_float_rtp(a);
    out[6 * i + 4] = convert_float_rtn(a);
    out[6 * i + 5] = (float)a;
}

struct mixed {
    char first;
    double second;
    float third;
    double2 fourth;
};
__constant double table[3] = {0.1, -0x1p-1074, 1e300};
__constant struct mixed structures[2] = {{1, 0.25, 0.5f, (double2)(2.0, 3.0)}, {2, -0.0, 1.5f, (double2)(1e-310, 7.0)}};

// Constants, arguments by value, structures, local and private memory, what is handed to functions.
double __attribute__((noinline)) called(double x, double2 y, int n) {
    return n > 1 ? x * y.x : x + y.y;
}
__kernel void places(double by, struct mixed given, double3 vector, __global double *out, __local double *shared) {
    size_t i = get_global_id(0), l = get_local_id(0);
    double own[4] = {by, by * 2, by * 3, by * 4};
    shared[l] = own[l & 3] + table[l % 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * i] = shared[l ^ 1];
    out[4 * i + 1] = called(structures[l & 1].second, structures[l & 1].fourth, (int)l);
    out[4 * i + 2] = called(given.second + given.third, given.fourth, (int)l + given.first);
    out[4 * i + 3] = vector.z + dot(vector, vector.zyx);
    if (i == 3)
        printf("%f %.17g %v2lf %s %d %e %a\n", 0.5f, by, (double2)(by, -1.0), "text", 7, table[1], out[4 * i + 1]);
}

#undef UNARY
#undef BINARY
#define UNARY(f)                                                                     \
    __kernel void test_##f(__global const double *in, __global double *out, uint n) { \
        uint i = get_global_id(0);                                                   \
        if (i < n) out[i] = f(in[i]);                                                \
    }
#define BINARY(f)                                                                    \
    __kernel void test_##f(__global const double *in, __global double *out, uint n) { \
        uint i = get_global_id(0);                                                   \
        if (i < n) out[i] = f(in[2 * i], in[2 * i + 1]);                             \
    }
#define WITHOUT_FAST
#include "math_functions.h"

__kernel void test_pown(__global const double *in, __global double *out, uint n) {
    uint i = get_global_id(0);
    if (i < n) out[i] = pown(in[2 * i], convert_int_sat(in[2 * i + 1]));
}
__kernel void test_rootn(__global const double *in, __global double *out, uint n) {
    uint i = get_global_id(0);
    if (i < n) out[i] = rootn(in[2 * i], convert_int_sat(in[2 * i + 1]));
}
