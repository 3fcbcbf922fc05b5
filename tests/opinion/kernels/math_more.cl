// The rest of half_*, the logarithm of the gamma function, powers and roots by integers, functions that give a second
// result through a pointer to any memory, lengths that are allowed to be inexact.
#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) {
    return isnan(f) ? 0x7fc00000u : as_uint(f);
}
#define ARGUMENTS                                                        \
    uint i = (uint)get_global_id(0);                                     \
    float a = (float)(int)(in[i] << 12) * (20.0f / 2147483648.0f);       \
    float u = (float)(in[i + 1] & 0xffffu) * 0.0005f + 0.001f;           \
    float s = (float)(int)(in[i + 2] << 9) * (1.0f / 2147483648.0f);
#define FUNCTION(name, value, vector)                                                      \
    __kernel void more_##name(__global const uint *in, __global uint *out, uint n) {       \
        ARGUMENTS                                                                          \
        float4 v = (float4)(u, u * 0.75f, u + 0.5f, u * 0.25f), w = (float4)(s, -s, s * 0.5f, 0.25f); \
        out[32 * i] = bits(value);                                                         \
        vstore4(as_uint4(vector), 1, out + 32 * i);                                        \
    }
FUNCTION(half_sin, half_sin(a), half_sin(w * 30.0f))
FUNCTION(half_cos, half_cos(a), half_cos(w * 30.0f))
FUNCTION(half_tan, half_tan(s), half_tan(w))
FUNCTION(half_exp2, half_exp2(a), half_exp2(v))
FUNCTION(half_exp10, half_exp10(a), half_exp10(v))
FUNCTION(half_log, half_log(u), half_log(v))
FUNCTION(half_log2, half_log2(u), half_log2(v))
FUNCTION(half_log10, half_log10(u), half_log10(v))
FUNCTION(half_divide, half_divide(u, a), half_divide(w, v))
FUNCTION(half_recip, half_recip(a), half_recip(v))
FUNCTION(half_rsqrt, half_rsqrt(u), half_rsqrt(v))
FUNCTION(half_sqrt, half_sqrt(u), half_sqrt(v))
FUNCTION(half_powr, half_powr(u, s), half_powr(v, w))

// Zeros at 1 and 2, where the relative error is open: so beyond 2.25, and below 0.9; at negative numbers away from the
// zeros that lie on both sides of each pole.
FUNCTION(lgamma, lgamma(u + 2.25f), lgamma(v + 2.25f))
FUNCTION(lgamma_small, lgamma(u * 0.025f + 1.0e-5f), lgamma(v * 0.025f + 1.0e-5f))
FUNCTION(lgamma_negative, lgamma(s * 0.2f - 0.5f), lgamma(w * 0.2f - 0.5f))
FUNCTION(tgamma, tgamma(s * 0.4f - 2.5f), tgamma(w * 0.3f - 0.5f))
FUNCTION(erf, erf(a * 0.2f), erf(w * 4.0f))
FUNCTION(erfc, erfc(s * 8.0f), erfc(w * 4.0f))
__kernel void more_lgamma_r(__global const uint *in, __global uint *out, uint n, __local int *l) {
    ARGUMENTS
    __global uint *to = out + 32 * i;
    uint k = (uint)get_local_id(0);
    int sign;
    int4 signs;
    // A sign that is wrong is far beyond the limit.
    uint below = in[i] & 3u;  // and not in -3 to -2, where zeros lie in the middle
    to[0] = bits(lgamma_r(s * 0.2f - 0.5f - (float)(below + (below >> 1)), &sign));
    to[1] = (uint)(sign + 2) << 20;
    float4 v = lgamma_r((float4)(u + 2.25f, -0.5f, -1.5f + 0.1f * s, -2.5f), &signs);
    vstore4(as_uint4(v), 1, to);
    vstore4(as_uint4(signs + 2) << 20, 2, to);
    to[12] = bits(lgamma_r(-3.5f - 0.05f * s, l + k));
    to[13] = (uint)(l[k] + 2) << 20;
    __global int *sign_out = (__global int *)to + 14;
    to[15] = bits(lgamma_r(-0.5f, sign_out));
    to[14] = (to[14] + 2u) << 20;
}

// Everything through pointers to private, local and global memory. Integers are so far apart that no limit covers them.
#define POINTERS(N)                                                                                           \
    __kernel void more_pointers_##N(__global const uint *in, __global uint *out, uint n, __local float##N *l) { \
        uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);                                           \
        __global uint *to = out + 128 * i;                                                                    \
        __global float##N *there = (__global float##N *)to;                                                   \
        float##N a = convert_float##N(as_int##N(vload##N(i % 60u, in)) >> 12) * (1.0f / 4096.0f), p;         \
        there[0] = sincos(a, &p);                                                                             \
        there[1] = p;                                                                                         \
        there[2] = sincos(a * 0.5f, l + k);                                                                   \
        there[3] = l[k];                                                                                      \
        there[4] = sincos(a * 0.25f, there + 5);                                                              \
    }
POINTERS(2)
POINTERS(4)
POINTERS(8)
POINTERS(16)
__kernel void more_pointers(__global const uint *in, __global uint *out, uint n, __local float *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    __global float *there = (__global float *)(out + 128 * i);
    float a = (float)((int)in[i] >> 12) * (1.0f / 4096.0f), p;
    there[0] = sincos(a, &p);
    there[1] = p;
    there[2] = sincos(a * 0.5f, l + k);
    there[3] = l[k];
    there[4] = sincos(a * 0.25f, there + 5);
}
FUNCTION(pown, pown(a, (int)(in[i] & 15u) - 8), pown(v, (int4)(3, -2, 0, (int)(in[i] & 7u))))
FUNCTION(rootn, rootn(a, (int)((in[i] & 3u) * 2u) - 3), rootn(v, (int4)(3, -2, 5, (int)(in[i] & 7u) + 1)))
FUNCTION(lengths, fast_length((float4)(a, u, s, 1.0f)) + fast_distance((float3)(a, u, s), (float3)(s, a, u)),
         (float4)(fast_length((float2)(a, u)), fast_distance((float2)(a, s), (float2)(u, u)), fast_length(a), fast_distance(a, -u)))
FUNCTION(normalize, fast_normalize((float2)(a, u)).x, fast_normalize((float4)(a, u, s, 1.0f)))
FUNCTION(normalize_3, fast_normalize(u), (float4)(fast_normalize((float3)(a, u, s)), normalize(u) + length(a) + distance(s, u)))

// limit of more_half_*: 8192 ulp
// limit of more_lgamma*: 32 ulp
// limit of more_tgamma: 16 ulp
// limit of more_erf*: 16 ulp
// limit of more_pointers*: 4 ulp
// limit of more_pown: 16 ulp
// limit of more_rootn: 16 ulp
// limit of more_lengths: 8192 ulp
// limit of more_normalize*: 8192 ulp
