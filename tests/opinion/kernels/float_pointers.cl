// Exact functions with a second result, through pointers to private, local and global memory; neighbours of floats;
// remainders and the low bits of their quotients.
#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) {
    return isnan(f) ? 0x7fc00000u : as_uint(f);
}
float finite(uint x) {
    float f = as_float(x);
    return isnan(f) || isinf(f) || f == 0.0f ? 0.75f : f;
}
#define ANY(x, N) select(x, (float##N)(0.75f), isnan(x) || isinf(x) || x == 0.0f)
#define POINTERS(N)                                                                                              \
    __kernel void exact_pointers_##N(__global const uint *in, __global uint *out, uint n, __local float##N *l) { \
        uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);                                              \
        __global uint *to = out + 128 * i;                                                                       \
        __global float##N *there = (__global float##N *)to;                                                      \
        __global int##N *exponents = (__global int##N *)to;                                                      \
        __local int##N *e = (__local int##N *)l;                                                                 \
        float##N a = ANY(as_float##N(vload##N(i % 60u, in)), N), b = ANY(as_float##N(vload##N(i % 53u + 1u, in)), N), p; \
        int##N q;                                                                                                \
        there[0] = modf(a, there + 1) + 0.0f;                                                                    \
        there[2] = fract(b, there + 3) + 0.0f;                                                                   \
        there[4] = frexp(a, exponents + 5);                                                                      \
        there[6] = modf(b, l + k);                                                                               \
        there[6] += l[k] * 0.5f;                                                                                 \
        there[6] += fract(a, l + k) + l[k];                                                                      \
        there[7] = frexp(b, e + k);                                                                              \
        there[7] = ldexp(there[7], e[k] & 31);                                                                   \
        there[7] += frexp(b * 0.5f, &q) + convert_float##N(q);                                                   \
    }
POINTERS(2)
POINTERS(4)
POINTERS(8)
POINTERS(16)
__kernel void exact_pointers(__global const uint *in, __global uint *out, uint n, __local float *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    __global uint *to = out + 128 * i;
    __global float *there = (__global float *)to;
    __local int *e = (__local int *)l;
    float a = finite(in[i]), b = finite(in[i + 3]);
    there[0] = modf(a, there + 1) + 0.0f;
    there[2] = fract(b, there + 3) + 0.0f;
    there[4] = frexp(a, (__global int *)to + 5);
    there[6] = modf(b, l + k);
    there[7] = l[k];
    there[8] = frexp(b, e + k);
    to[9] = (uint)e[k];
    there[10] = fract(a, l + k) + l[k];
}
// The quotient's sign and at least seven bits count; beyond them the language leaves it open. Magnitudes are kept apart
// by less than 2^40, and once by any.
__kernel void exact_remquo(__global const uint *in, __global uint *out, uint n, __local int *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    __global uint *to = out + 64 * i;
    float a = finite(in[i]), b = finite(in[i + 1]);
    int q;
    to[0] = bits(remquo(a, b, &q));
    to[1] = (uint)(q < 0 ? -(-q & 127) : q & 127);
    float c = as_float((in[i] & 0x807fffffu) | 0x43000000u), d = as_float((in[i + 2] & 0x83ffffffu) | 0x3c000000u);
    to[2] = bits(remquo(c, d, l + k));
    to[3] = (uint)(l[k] < 0 ? -(-l[k] & 127) : l[k] & 127);
    to[4] = bits(remquo(d, c, (__global int *)to + 5));
    to[5] = (uint)((int)to[5] < 0 ? -(int)(-to[5] & 127u) : (int)(to[5] & 127u));
    int4 qs;
    float4 v = remquo((float4)(a, c, d, b), (float4)(c, a, b, 3.0f), &qs);
    vstore4(as_uint4(v), 2, to);
    qs = select(qs & 127, -(-qs & 127), qs < 0);
    vstore4(as_uint4(qs), 3, to);
    // Halfway between two quotients the even one counts.
    to[16] = bits(remquo((float)(2u * (in[i] & 63u) + 1u) * d, 2.0f * d, &q));
    to[17] = (uint)(q & 127);
    to[18] = bits(remquo(a, INFINITY, &q)), to[19] = (uint)q & 127u;
    to[20] = bits(remquo(0.0f, b, &q)), to[21] = (uint)q & 127u;
    to[22] = bits(remquo(INFINITY, b, &q)), to[23] = bits(remquo(a, 0.0f, &q));
}
__kernel void exact_neighbours(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]);
    if (isnan(a)) a = 1.0f;
    if (isnan(b)) b = 2.0f;
    to[0] = bits(nextafter(a, b)), to[1] = bits(nextafter(b, a)), to[2] = bits(nextafter(a, a));
    to[3] = bits(nextafter(0.0f, a)), to[4] = bits(nextafter(-0.0f, a)), to[5] = bits(nextafter(a, INFINITY));
    to[6] = bits(nextafter(a, -INFINITY)), to[7] = bits(nextafter(FLT_MAX, a)), to[8] = bits(nextafter(-FLT_MIN, a));
    to[9] = bits(nextafter(as_float(1u), a)), to[10] = bits(nextafter(as_float(0x80000001u), a));
    to[11] = bits(nextafter(INFINITY, b)), to[12] = bits(nextafter(-INFINITY, b)), to[13] = bits(nextafter(NAN, a));
    to[14] = bits(nextafter(1.0f, b)), to[15] = bits(nextafter(-1.0f, b));
    float8 v = nextafter((float8)(a, b, a, b, 0.0f, 1.0f, a, -0.0f), (float8)(b, a, 0.0f, -1.0f, a, b, 3.0f, b));
    vstore8(as_uint8(v), 2, to);
}
