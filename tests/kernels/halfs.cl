// Half precision: every operation and conversion, a kernel each where it takes operands of its own; vectors; where halfs lie.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// in: 3 halfs an item. out: 32 words of 16 bits an item, in the order of tests/unit/test_halfs.c.
__kernel void arithmetic(__global const half *in, __global ushort *out) {
    size_t i = get_global_id(0);
    half a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    __global ushort *to = out + 32 * i;
    int quotient;
    to[0] = as_ushort((half)(a + b));
    to[1] = as_ushort((half)(a - b));
    to[2] = as_ushort((half)(a * b));
    to[3] = as_ushort((half)(a / b));
    to[4] = as_ushort(fma(a, b, c));
    to[5] = as_ushort(sqrt(a));
    to[6] = as_ushort(fmod(a, b));
    to[7] = as_ushort(remainder(a, b));
    to[8] = as_ushort(trunc(a));
    to[9] = as_ushort(floor(a));
    to[10] = as_ushort(ceil(a));
    to[11] = as_ushort(rint(a));
    to[12] = as_ushort(round(a));
    to[13] = as_ushort(fmin(a, b));
    to[14] = as_ushort(fmax(a, b));
    to[15] = as_ushort((half)-a);
    to[16] = as_ushort(fabs(a));
    to[17] = as_ushort(copysign(a, b));
    to[18] = as_ushort(ldexp(a, (int)(as_ushort(b) >> 4 & 127) - 64));
    to[19] = as_ushort(nextafter(a, b));
    to[20] = (ushort)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
    to[21] = (ushort)(isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | isnormal(a) << 3 | (signbit(a) != 0) << 4 |
                      isunordered(a, b) << 5 | isordered(a, b) << 6 | islessgreater(a, b) << 7);
    to[22] = as_ushort(remquo(a, b, &quotient));
    to[23] = (ushort)(quotient & 127);
    to[24] = as_ushort(a < b ? c : a);
    to[25] = as_ushort(fdim(a, b));
    to[26] = as_ushort(select(a, b, as_short(c)));
    to[27] = as_ushort(bitselect(a, b, c));
    half whole, part = modf(a, &whole);
    to[28] = as_ushort(part);
    to[29] = as_ushort(whole);
    int exponent;
    to[30] = as_ushort(frexp(a, &exponent));
    to[31] = (ushort)exponent;
}

// Numbers that go on from one operation to the next. out: 8 words of 16 bits an item.
__kernel void chains(__global const half *in, __global ushort *out) {
#pragma OPENCL FP_CONTRACT OFF
    size_t i = get_global_id(0);
    half a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    __global ushort *to = out + 8 * i;
    half sum = a + b, product = a * b;
    to[0] = as_ushort((half)(product + c));
    to[1] = as_ushort((half)(sum * c));
    to[2] = as_ushort((half)(c / sum));
    to[3] = as_ushort(sqrt(product));
    to[4] = as_ushort((half)(sum - product));
    to[5] = (ushort)((product < c) | (sum >= c) << 1 | (product == sum) << 2);
    to[6] = as_ushort(fma(sum, product, c));
    to[7] = as_ushort(convert_half_rtz((float)sum * 3.0f));
}

#define TO(type)                                                                     \
    __kernel void to_##type(__global const half *in, __global type *out) {           \
        size_t i = get_global_id(0);                                                 \
        half a = in[i];                                                              \
        out[6 * i] = convert_##type##_sat(a);                                        \
        out[6 * i + 1] = convert_##type##_sat_rte(a);                                \
        out[6 * i + 2] = convert_##type##_sat_rtz(a);                                \
        out[6 * i + 3] = convert_##type##_sat_rtp(a);                                \
        out[6 * i + 4] = convert_##type##_sat_rtn(a);                                \
        out[6 * i + 5] = (type)a;                                                    \
    }
TO(char) TO(uchar) TO(short) TO(ushort) TO(int) TO(uint) TO(long) TO(ulong)

#define FROM(type)                                                                   \
    __kernel void from_##type(__global const type *in, __global half *out) {         \
        size_t i = get_global_id(0);                                                 \
        type a = in[i];                                                              \
        out[6 * i] = convert_half(a);                                                \
        out[6 * i + 1] = convert_half_rte(a);                                        \
        out[6 * i + 2] = convert_half_rtz(a);                                        \
        out[6 * i + 3] = convert_half_rtp(a);                                        \
        out[6 * i + 4] = convert_half_rtn(a);                                        \
        out[6 * i + 5] = (half)a;                                                    \
    }
FROM(char) FROM(uchar) FROM(short) FROM(ushort) FROM(int) FROM(uint) FROM(long) FROM(ulong) FROM(float) FROM(double)

__kernel void to_numbers(__global const half *in, __global float *floats, __global double *doubles) {
    size_t i = get_global_id(0);
    half a = in[i];
    floats[i] = (i & 1) != 0 ? (float)a : convert_float_rtz(a);
    doubles[i] = (i & 1) != 0 ? (double)a : convert_double_rtp(a);
}

// Vectors of every length against single numbers. 64 halfs an item.
__kernel void vectors(__global const half *in, __global half *out, __local half *shared) {
    size_t i = get_global_id(0), l = get_local_id(0);
    half16 a = vload16(i, in), b = a.s123456789ABCDEF0;
    half8 c = a.lo * b.lo - (half8)0.5h;
    half own[4];
    vstore16(select(a + b, fma(a, b, a), a < b), 4 * i, out);
    vstore8(c, 8 * i + 2, out);
    vstore8(convert_half8_rtz(convert_float8(a.hi) * 3.0f), l, shared);
    vstore4(fmin(fmax(a.lo.hi, b.lo.hi), 2.0h), 0, own);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore8(vload8(l, shared), 8 * i + 3, out);
    vstore4(vload4(0, own), 16 * i + 8, out);
    vstore3(shuffle(a.lo, (ushort4)(7, 0, 3, 5)).xyz, 0, out + 64 * i + 36);
    out[64 * i + 39] = shuffle2(a.s01, b.s01, (ushort2)(3, 0)).x;
    vstore2(clamp(a.s01, -1.0h, 1.0h), 32 * i + 20, out);
    vstore2(convert_half2(isless(a.s01, b.s01)), 32 * i + 21, out);
    vstore4(convert_half4(isnormal(a.lo.lo)), 16 * i + 11, out);
    out[64 * i + 48] = dot(a.s0123, b.s0123);
    out[64 * i + 49] = length(a.s012);
    out[64 * i + 50] = distance(a.s01, b.s01);
    vstore3(cross(a.s012, b.s012), 0, out + 64 * i + 51);
    vstore2(normalize(a.s01), 0, out + 64 * i + 54);
    out[64 * i + 56] = mix(a.s0, b.s0, 0.25h);
    out[64 * i + 57] = step(a.s0, b.s0);
    out[64 * i + 58] = smoothstep(0.0h, 2.0h, a.s0);
    out[64 * i + 59] = sign(a.s0);
    out[64 * i + 60] = degrees(a.s0);
    out[64 * i + 61] = radians(a.s0);
    out[64 * i + 62] = max(a.s0, b.s0);
    out[64 * i + 63] = min(a.s01, 1.0h).y;
}

// A group of 64 copies its 64 halfs by way of local memory, the second half of them in the order opposite to theirs.
__kernel void copies(__global const half *in, __global half *out, __local half *shared) {
    size_t first = 64 * get_group_id(0), l = get_local_id(0);
    prefetch(in + first, 64);
    event_t event = async_work_group_copy((__local half2 *)shared, (__global const half2 *)(in + first), 32, 0);
    wait_group_events(1, &event);
    half x = shared[l < 32 ? l : 95 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_strided_copy(out + first, shared, 32, 2, 0);
    event = async_work_group_strided_copy(out + first + 1, shared + 32, 32, 2, event);
    wait_group_events(1, &event);
}

struct mixed {
    char first;
    half second;
    float third;
    half2 fourth;
};
__constant half table[3] = {0.1h, -0x1p-24h, 65504.0h};
__constant struct mixed structures[2] = {{1, 0.25h, 0.5f, (half2)(2.0h, 3.0h)}, {2, -0.0h, 1.5f, (half2)(0x1p-20h, 7.0h)}};

// Constants, arguments by value, structures, local and private memory, what is handed to functions.
half __attribute__((noinline)) called(half x, half2 y, int n) {
    return n > 1 ? x * y.x : x + y.y;
}
__kernel void places(half by, struct mixed given, half3 vector, __global half *out, __local half *shared) {
    size_t i = get_global_id(0), l = get_local_id(0);
    half own[4] = {by, by * 2.0h, by * 3.0h, by * 4.0h};
    shared[l] = own[l & 3] + table[l % 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * i] = shared[l ^ 1];
    out[4 * i + 1] = called(structures[l & 1].second, structures[l & 1].fourth, (int)l);
    out[4 * i + 2] = called(given.second * (half)given.third, given.fourth, (int)l + given.first);
    out[4 * i + 3] = vector.z + vector.x * 2.0h;
    if (i == 3) printf("%f %v2hf %g %v4he\n", by, (half2)(by, -1.0h), table[1], (half4)(1.0h, 2.0h, 3.0h, table[2]));
}
