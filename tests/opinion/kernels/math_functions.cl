// Functions of the full profile, a kernel for each; the limit is that of OpenCL for both sides together.
#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) {
    return isnan(f) ? 0x7fc00000u : as_uint(f);
}
// Arguments: a any float of middle size, u positive, s from -1 to 1; each also as two of four elements.
#define FUNCTION(name, value)                                                              \
    __kernel void math_##name(__global const uint *in, __global uint *out, uint n) {       \
        uint i = (uint)get_global_id(0);                                                   \
        float a = (float)(int)(in[i] << 12) * (20.0f / 2147483648.0f);                     \
        float u = (float)(in[i + 1] & 0xffffu) * 0.0005f + 0.001f;                         \
        float s = (float)(int)(in[i + 2] << 9) * (1.0f / 2147483648.0f);                   \
        out[32 * i] = bits(value);                                                         \
    }
// limit of math_*: 8 ulp
// limit of math_*pi: 10 ulp
// limit of math_a*: 10 ulp
// limit of math_atan2*: 12 ulp
// limit of math_p*: 32 ulp
// limit of math_rootn: 32 ulp
// limit of math_?gamma: 40 ulp
// limit of math_erf*: 32 ulp
// limit of math_?inh: 10 ulp
// limit of math_tan*: 12 ulp
// limit of math_half_*: 16384 ulp
FUNCTION(sin, sin(a))
FUNCTION(cos, cos(a))
FUNCTION(tan, tan(a))
FUNCTION(sinpi, sinpi(a))
FUNCTION(cospi, cospi(a))
FUNCTION(tanpi, tanpi(s * 0.49f))
FUNCTION(asin, asin(s))
FUNCTION(acos, acos(s))
FUNCTION(atan, atan(a))
FUNCTION(asinpi, asinpi(s))
FUNCTION(acospi, acospi(s))
FUNCTION(atanpi, atanpi(a))
FUNCTION(atan2, atan2(a, u))
FUNCTION(atan2pi, atan2pi(s, a))
FUNCTION(sinh, sinh(a))
FUNCTION(cosh, cosh(a))
FUNCTION(tanh, tanh(a))
FUNCTION(asinh, asinh(a))
FUNCTION(acosh, acosh(u + 1.0f))
FUNCTION(atanh, atanh(s))
FUNCTION(exp, exp(a))
FUNCTION(exp2, exp2(a))
FUNCTION(exp10, exp10(a))
FUNCTION(expm1, expm1(a))
FUNCTION(log, log(u))
FUNCTION(log2, log2(u))
FUNCTION(log10, log10(u))
FUNCTION(log1p, log1p(u))
FUNCTION(pow, pow(u, a))
FUNCTION(pown, pown(a, (int)(in[i] & 7u) - 3))
FUNCTION(powr, powr(u, a))
FUNCTION(rootn, rootn(u, (int)(in[i] & 7u) + 1))
FUNCTION(rsqrt, rsqrt(u))
FUNCTION(cbrt, cbrt(a))
FUNCTION(hypot, hypot(a, u))
FUNCTION(tgamma, tgamma(u * 0.8f + 0.1f))
FUNCTION(erf, erf(s * 2.0f))
FUNCTION(erfc, erfc(s))
FUNCTION(half_divide, half_divide(a, u))
FUNCTION(half_recip, half_recip(u))
FUNCTION(half_sqrt, half_sqrt(u))
FUNCTION(half_exp, half_exp(s))
FUNCTION(half_powr, half_powr(u, s))
FUNCTION(half_rsqrt, half_rsqrt(u))

// Vectors: as many functions in one as there are words.
#define VECTOR(N)                                                                                        \
    __kernel void math_vectors_##N(__global const uint *in, __global uint *out, uint n) {                \
        uint i = (uint)get_global_id(0);                                                                 \
        __global uint *to = out + 64 * i;                                                                \
        float##N a = convert_float##N(vload##N(i % 32u, in) & 0xffffu) * 0.0003f + 0.01f, c;             \
        vstore##N(as_uint##N(sin(a)), 0, to);                                                            \
        vstore##N(as_uint##N(exp(a)), 1, to);                                                            \
        vstore##N(as_uint##N(log(a)), 2, to);                                                            \
        vstore##N(as_uint##N(sincos(a, &c)), 3, to);                                                     \
    }
VECTOR(2)
VECTOR(3)
VECTOR(4)
VECTOR(8)
VECTOR(16)
// limit of geometric_*: 20 ulp
#define GEOMETRIC(N, last)                                                                               \
    __kernel void geometric_##N(__global const uint *in, __global uint *out, uint n) {                   \
        uint i = (uint)get_global_id(0);                                                                 \
        __global uint *to = out + 32 * i;                                                                \
        float##N a = convert_float##N(vload##N(i, in) & 0xffffu) * 0.003f + 0.5f;                        \
        float##N b = convert_float##N(vload##N(i + 1, in) & 0xffffu) * 0.007f + 1000.0f;                 \
        to[0] = bits(dot(a, b));                                                                         \
        to[1] = bits(length(a));                                                                         \
        to[2] = bits(distance(a, b));                                                                    \
        vstore##N(as_uint##N(normalize(b)), 1, to);                                                      \
        to[20] = bits(fast_length(b) * 0.0f);                                                            \
    }
GEOMETRIC(2, )
GEOMETRIC(3, )
GEOMETRIC(4, )
// limit of common_*: 8 ulp
#define COMMON(N)                                                                                        \
    __kernel void common_##N(__global const uint *in, __global uint *out, uint n) {                      \
        uint i = (uint)get_global_id(0);                                                                 \
        __global uint *to = out + 64 * i;                                                                \
        float##N a = convert_float##N(vload##N(i % 120u, in) & 0xffffu) * 0.003f + 0.5f;                 \
        float##N s = convert_float##N(vload##N(i % 120u + 1u, in) & 0xffffu) / 65536.0f;                         \
        vstore##N(as_uint##N(degrees(a)), 0, to);                                                        \
        vstore##N(as_uint##N(radians(a)), 1, to);                                                        \
        vstore##N(as_uint##N(mix(a, a + 1.0f, s)), 2, to);                                               \
        vstore##N(as_uint##N(mix(a, a * 2.0f, 0.25f)), 3, to);                                           \
        vstore##N(as_uint##N(smoothstep(0.0f, 200.0f, a)), 4, to);                                       \
        vstore##N(as_uint##N(smoothstep(a - 0.5f, a + 1.0f, a)), 5, to);                                 \
        vstore##N(as_uint##N(step(a, s * 100.0f)), 6, to);                                               \
        vstore##N(as_uint##N(sign(a - 50.0f)), 7, to);                                                   \
    }
COMMON(2)
COMMON(3)
COMMON(4)
COMMON(8)
