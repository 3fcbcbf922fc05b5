// native_*: as inaccurate as each implementation likes. Here beside precise functions (the other one has no others);
// the limits are what the table units were measured to do on these ranges, rounded up.
#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) {
    return isnan(f) ? 0x7fc00000u : as_uint(f);
}
// Arguments: a any float of middle size, u positive, s from -1 to 1; once more as four elements.
#define FUNCTION(name, value, A)                                                           \
    __kernel void beside_native_##name(__global const uint *in, __global uint *out, uint n) {     \
        uint i = (uint)get_global_id(0);                                                   \
        float a = (float)(int)(in[i] << 12) * (20.0f / 2147483648.0f);                     \
        float u = (float)(in[i + 1] & 0xffffu) * 0.0005f + 0.001f;                         \
        float s = (float)(int)(in[i + 2] << 9) * (1.0f / 2147483648.0f);                   \
        out[32 * i] = bits(value);                                                         \
        float4 v = (float4)(A, A * 0.75f, A * 0.5f, A * 0.25f);                            \
        vstore4(as_uint4(VECTOR_##name), 1, out + 32 * i);                                 \
    }
#define VECTOR_sin native_sin(v)
#define VECTOR_cos native_cos(v)
#define VECTOR_tan native_tan(v)
#define VECTOR_exp native_exp(v)
#define VECTOR_exp2 native_exp2(v)
#define VECTOR_exp10 native_exp10(v)
#define VECTOR_sqrt native_sqrt(v)
#define VECTOR_rsqrt native_rsqrt(v)
#define VECTOR_recip native_recip(v)
#define VECTOR_divide native_divide((float4)(a, u, s, 1.0f), v)
#define VECTOR_powr native_powr(v, (float4)(s, 0.5f, -s, a * 0.1f))
FUNCTION(sin, native_sin(a), a)
FUNCTION(cos, native_cos(a), a)
FUNCTION(tan, native_tan(a), a)
FUNCTION(exp, native_exp(a), a)
FUNCTION(exp2, native_exp2(a), a)
FUNCTION(exp10, native_exp10(a), a)
FUNCTION(sqrt, native_sqrt(u), u)
FUNCTION(rsqrt, native_rsqrt(u), u)
FUNCTION(recip, native_recip(a == 0.0f ? 1.0f : a), u)
FUNCTION(divide, native_divide(a, u), u)
FUNCTION(powr, native_powr(u, s), u)

// A table of logarithms has an error that does not shrink with them near 1: so far from 1 in steps of the result, and
// everywhere in steps of the sum with 16, where a step is 2^-19.
#define LOGARITHM(name)                                                                     \
    __kernel void beside_native_##name(__global const uint *in, __global uint *out, uint n) {      \
        uint i = (uint)get_global_id(0);                                                    \
        float u = (float)(in[i + 1] & 0xffffu) * 0.0005f + 1.5f, d = 0.5f / u;              \
        float s = (float)(int)(in[i + 2] << 9) * (0.5f / 2147483648.0f) + 1.0f;             \
        out[32 * i] = bits(native_##name(u));                                               \
        out[32 * i + 1] = bits(native_##name(d));                                           \
        out[32 * i + 2] = bits(native_##name(s) + 16.0f);                                   \
        float4 v = (float4)(u, d, u + 2.0f, d * 0.01f);                                     \
        vstore4(as_uint4(native_##name(v)), 1, out + 32 * i);                               \
    }
LOGARITHM(log)
LOGARITHM(log2)
LOGARITHM(log10)

// What they do at the ends.
__kernel void beside_native_ends(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float zero = (float)(n - 1024u), one = zero + 1.0f, endless = 1.0f / zero;
    to[0] = bits(native_sqrt(zero));
    to[1] = bits(native_sqrt(endless));
    to[2] = bits(native_sqrt(-one));
    to[3] = bits(native_rsqrt(endless));
    to[4] = bits(native_rsqrt(zero));
    to[5] = bits(native_recip(zero));
    to[6] = bits(native_recip(endless));
    to[7] = bits(native_exp2(-endless));
    to[8] = bits(native_exp2(endless));
    to[9] = bits(native_exp(zero));
    to[10] = bits(native_exp2(one * 10.0f));
    to[11] = bits(native_log2(zero));
    to[12] = bits(native_log2(one * 1024.0f));
    to[13] = bits(native_log(endless));
    to[14] = bits(native_log(-one));
    to[15] = bits(native_recip(one * 8.0f));
    to[16] = bits(native_divide(one * 3.0f, one * 4.0f));
    to[17] = bits(native_cos(zero));
    to[18] = bits(native_sin(zero) + 0.0f);
}

// limit of beside_native_sin: 80 ulp
// limit of beside_native_cos: 80 ulp
// limit of beside_native_tan: 300 ulp
// limit of beside_native_exp*: 100 ulp
// limit of beside_native_exp10: 120 ulp
// limit of beside_native_sqrt: 80 ulp
// limit of beside_native_rsqrt: 120 ulp
// limit of beside_native_recip: 280 ulp
// limit of beside_native_divide: 280 ulp
// limit of beside_native_powr: 300 ulp
// limit of beside_native_log*: 140 ulp
