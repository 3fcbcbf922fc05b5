// Halfs in private, local, global and constant memory, aligned and not, of every length, stored with every rounding.
#pragma OPENCL FP_CONTRACT OFF
float16 numbers(__global const uint *in, uint i) {
    uint16 bits = vload16(i % 60u, in);
    bits = (i & 1u) != 0 ? (bits & 0x83ffffffu) + 0x36000000u : bits;
    float16 f = as_float16(bits);
    return select(f, (float16)(1.5f), isnan(f));
}
#define STORES(mode)                                                                                      \
    __kernel void half_spaces##mode(__global const uint *in, __global uint *out, uint n, __local half *l) { \
        uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);                                       \
        float16 a = numbers(in, i);                                                                       \
        __global half *to = (__global half *)(out + 128 * i);                                             \
        uint room[40] __attribute__((aligned(64)));\
        half *p = (half *)room;                                                                           \
        for (uint m = 0; m < 40u; m++)                                                                    \
            room[m] = 0;                                                                                  \
        vstorea_half16##mode(a, 0, to);                                                                   \
        vstorea_half8##mode(a.hi * 3.0f, 2, to);                                                          \
        vstorea_half4##mode(a.odd.lo * 5.0f, 6, to);                                                      \
        vstorea_half3##mode(a.s369 * 7.0f, 7, to);                                                        \
        vstorea_half2##mode(a.sab * 11.0f, 16, to);                                                       \
        vstore_half16##mode(a * 1.0001f, 2, to + 5);                                                      \
        vstore_half3##mode(a.scde, 18, to + 1);                                                           \
        vstore_half##mode(a.s1, 1, p);                                                                    \
        vstore_half2##mode(a.s23, 1, p + 1);                                                              \
        vstore_half4##mode(a.s5678, 1, p + 1);                                                            \
        vstore_half8##mode(a.lo, 2, p);                                                                   \
        vstorea_half16##mode(a * 0.5f, 2, p);                                                             \
        vstorea_half3##mode(a.s678, 14, p);                                                               \
        vstore_half##mode(a.s9, k * 4, l);                                                                \
        vstore_half3##mode(a.sabc, k, l + 128 + k);                                                       \
        vstorea_half4##mode(a.sdef0, k + 64, l);                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
        __global float *floats = (__global float *)(out + 128 * i + 64);                                  \
        vstore16(vload_half16(0, p), 0, floats);                                                          \
        vstore16(vloada_half16(2, p), 1, floats);                                                         \
        vstore3(vloada_half3(14, p), 12, floats);                                                         \
        vstore4(vload_half4(3, p + 1), 10, floats);                                                       \
        floats[44] = vload_half((k ^ 5u) * 4u, l);                                                        \
        vstore3(vload_half3(k ^ 9u, l + 128 + (k ^ 9u)), 15, floats);                                     \
        vstore4(vloada_half4(64u + (k ^ 3u), l), 12, floats);                                             \
        vstore8(vload_half8(1, p + 3), 7, floats);                                                        \
    }
STORES()
STORES(_rte)
STORES(_rtz)
STORES(_rtp)
STORES(_rtn)
__kernel void half_constants(__constant half *in, __global float *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global float *to = out + 64 * i;
    float16 a = vload_half16(i, in), b = vloada_half16(i, in);
    float8 c = vload_half8(2 * i, in + 3), d = vloada_half8(i, in);
    float3 e = vload_half3(5 * i, in), f = vloada_half3(4 * i + 1, in);
    float g = vload_half(7 * i, in);
    vstore16(select(a, (float16)(0.0f), isnan(a)), 0, to);
    vstore16(select(b, (float16)(0.0f), isnan(b)), 1, to);
    vstore8(select(c, (float8)(0.0f), isnan(c)), 4, to);
    vstore8(select(d, (float8)(0.0f), isnan(d)), 5, to);
    vstore3(select(e, (float3)(0.0f), isnan(e)), 16, to);
    vstore3(select(f, (float3)(0.0f), isnan(f)), 17, to);
    to[60] = isnan(g) ? 0.0f : g;
}
