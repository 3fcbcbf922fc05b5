// What the language defines to the last bit for floats: on single numbers and on vectors.
#pragma OPENCL FP_CONTRACT OFF
#define FLOATS(F, I, N)                                                                          \
    __kernel void exact_##F(__global const uint *in, __global uint *out, uint n) {               \
        uint i = (uint)get_global_id(0), word = 0;                                               \
        __global uint *to = out + 128 * i;                                                       \
        F a, b, c, w;                                                                            \
        I e;                                                                                     \
        for (uint k = 0; k < N; k++) {                                                           \
            uint x = in[(N * i + k) % n], y = in[(N * i + 3u * k + 7u) % n], z = in[(i + 11u * k) % n]; \
            ((float *)&a)[k] = isnan(as_float(x)) ? 1.5f : as_float(x);                          \
            ((float *)&b)[k] = isnan(as_float(y)) ? -2.75f : as_float(y);                        \
            ((float *)&c)[k] = isnan(as_float(z)) ? 1e-40f : as_float(z);                        \
        }                                                                                        \
        F r[] = {a + b,  a - b, a * b,         a / b,        fma(a, b, c),    floor(a), ceil(b),  trunc(a), \
                 rint(b), round(a), fabs(a), copysign(a, b), fmin(a, b) + 0.0f, fmax(b, c) + 0.0f,       \
                 fdim(a, b), fmod(a, b), remainder(a, b), sqrt(fabs(a)), nextafter(a, b), logb(a), -a};      \
        for (uint m = 0; m < sizeof(r) / sizeof(r[0]); m++) {                                    \
            for (uint k = 0; k < N; k++, word++) {                                               \
                float f = ((float *)&r[m])[k];                                                   \
                to[word & 127u] = to[word & 127u] * 31u + (isnan(f) ? 0x7fc00000u : as_uint(f)); \
            }                                                                                    \
        }                                                                                        \
    }
FLOATS(float, int, 1u)
FLOATS(float2, int2, 2u)
FLOATS(float3, int3, 3u)
FLOATS(float4, int4, 4u)
FLOATS(float8, int8, 8u)

uint bits(float f) {
    return isnan(f) ? 0x7fc00000u : as_uint(f);
}
float number(uint x, float instead) {
    return isnan(as_float(x)) ? instead : as_float(x);
}
// Results below the normal range too.
__kernel void exact_scaled(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = number(in[i], 1.0f);
    int k = (int)(in[i + 1] % 400u) - 200;
    to[0] = bits(ldexp(a, k));
    to[1] = bits(ldexp(a, (int)in[i + 2]));
    to[2] = bits(ldexp(a, -(int)(as_uint(a) >> 23 & 255u) - (int)(in[i] & 31u)));
    float4 v = ldexp((float4)(a, 1.5f, a * 0.25f, 3.0e-38f), (int4)(k, -140, k / 2, -5));
    to[3] = bits(v.x), to[4] = bits(v.y), to[5] = bits(v.z), to[6] = bits(v.w);
    v = ldexp((float4)(a, -a, 1.0f, a), k);
    to[7] = bits(v.x), to[8] = bits(v.y), to[9] = bits(v.z);
    to[10] = (uint)ilogb(a == 0.0f || isinf(a) ? 5.0f : a);
    to[11] = bits(a * 0x1p-126f);
    to[12] = bits(a * 0x1p-60f * 0x1p-60f);
}
__kernel void exact_parts(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 64 * i;
    float4 a, w, f;
    int4 e;
    a = (float4)(number(in[i], 1.0f), number(in[i + 1], 2.0f), number(in[i + 2], 3.0f), number(in[i + 3], 4.0f));
    a = select(a, (float4)(0.3f), isinf(a) || a == 0.0f);
    f = frexp(a, &e);
    vstore4(as_uint4(f), 0, to), vstore4(as_uint4(e), 1, to);
    f = modf(a, &w);
    vstore4(as_uint4(f), 2, to), vstore4(as_uint4(w), 3, to);
    f = fract(a, &w);
    vstore4(as_uint4(f + 0.0f), 4, to), vstore4(as_uint4(w), 5, to);
    int q;
    float4 b = (float4)(number(in[i + 4], 1.0f), 3.0f, a.x, number(in[i + 5], 7.0f));
    float x = remquo(a.x, b.x == 0.0f ? 2.0f : b.x, &q);
    to[24] = bits(x), to[25] = (uint)q & 7u;
    vstore4(as_uint4(nan((uint4)(1, 2, 3, 4))) & 0x7f800000u, 7, to);
    vstore4(as_uint4(ilogb(a)), 8, to);
}
// Contraction is allowed, but both forms give the same for numbers this small.
__kernel void exact_small(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = (float)(in[i] & 0xfffu), b = (float)(in[i + 1] & 0xfffu), c = (float)(in[i + 2] & 0xfffu);
    to[0] = as_uint(mad(a, b, c));
    to[1] = as_uint(hypot(a * 3.0f, a * 4.0f));
    to[2] = as_uint(dot((float4)(a, b, c, 1.0f), (float4)(1.0f, 2.0f, 3.0f, 4.0f)));
    float4 d = cross((float4)(a, b, c, 0.0f), (float4)(b, c, a, 0.0f));
    vstore4(as_uint4(d + 0.0f), 1, to);
    vstore3(as_uint3(cross((float3)(a, 1.0f, c), (float3)(2.0f, b, 3.0f)) + 0.0f), 3, to);
    to[12] = as_uint(clamp(a, b, b + c)), to[13] = as_uint(max(a, b)), to[14] = as_uint(min(b, c));
    to[15] = as_uint(step(a, b)), to[16] = as_uint(sign(a - b));
    to[17] = as_uint(maxmag(a, -b) + 0.0f), to[18] = as_uint(minmag(-a, b) + 0.0f);
    float4 v = clamp((float4)(a, b, c, a), 10.0f, 1000.0f);
    vstore4(as_uint4(v), 5, to);
    vstore4(as_uint4(step(500.0f, v) + sign(v - 700.0f) + max(v, 3.0f) + min(v, 9.0f)), 6, to);
}
