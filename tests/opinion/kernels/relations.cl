// Relational builtins and select of every type.
#pragma OPENCL FP_CONTRACT OFF
#define RELATIONS(F, I, N)                                                              \
    __kernel void relations_##F(__global const uint *in, __global int *out, uint n) {   \
        uint i = (uint)get_global_id(0);                                                \
        __global int *to = out + 128 * i;                                               \
        F a, b;                                                                         \
        for (uint e = 0; e < N; e++) {                                                  \
            ((float *)&a)[e] = as_float(in[(N * i + e) % n]);                           \
            ((float *)&b)[e] = as_float(in[(N * i + e * 3u + 7u) % n]);                 \
        }                                                                               \
        I r[14] = {isequal(a, b),   isnotequal(a, b),    isgreater(a, b), isgreaterequal(a, b), isless(a, b), \
                   islessequal(a, b), islessgreater(a, b), isfinite(a),  isinf(a),       isnan(a),       \
                   isnormal(a),     isordered(a, b),     isunordered(a, b), signbit(a)};     \
        for (uint k = 0; k < 14u; k++) {                                                \
            for (uint e = 0; e < N; e++) to[(k * N + e) & 127u] ^= ((int *)&r[k])[e] + (int)k; \
        }                                                                               \
    }
RELATIONS(float2, int2, 2u)
RELATIONS(float3, int3, 3u)
RELATIONS(float4, int4, 4u)
RELATIONS(float8, int8, 8u)
RELATIONS(float16, int16, 16u)

#define SELECTS(T, S, U)                                                                  \
    __kernel void selects_##T(__global const T *in, __global T *out, uint n) {            \
        uint i = (uint)get_global_id(0), most = 4096u / sizeof(T) / 8u;                   \
        __global T *to = out + 64 * i;                                                    \
        T a = in[i], b = in[i + 3];                                                       \
        to[0] = select(a, b, as_##S(in[i + 5]));                                          \
        to[1] = select(a, b, as_##U(in[i + 9]));                                          \
        to[2] = bitselect(a, b, in[i + 1]);                                               \
        T##2 c = vload2(i, in), d = vload2(i + 1, in);                                    \
        vstore2(select(c, d, as_##S##2(vload2(i + 2, in))), 2, to);                       \
        vstore2(c < d ? c : d, 3, to);                                                    \
        T##4 e = vload4(i % most, in), f = vload4((i + 1) % most, in);                    \
        vstore4(select(e, f, as_##U##4(vload4((i + 2) % most, in))), 2, to);              \
        vstore4(e >= f ? e : f, 3, to);                                                   \
        vstore4(bitselect(e, f, e.wzyx), 4, to);                                          \
        T##8 g = vload8(i % most, in), h = vload8((i + 5) % most, in);                    \
        vstore8(select(g, h, as_##S##8(h)), 3, to);                                       \
        T##3 p = vload3(i, in), q = vload3(i + 1, in);                                    \
        vstore3(select(p, q, as_##S##3(p)), 11, to);                                      \
        vstore3(p == q ? p : q, 12, to);                                                  \
        to[40] = (T)any(as_##S##4(e));                                                    \
        to[41] = (T)all(as_##S##4(e | (e >> (T)1)));                                      \
        to[42] = (T)any(as_##S(a));                                                       \
        to[43] = (T)all(as_##S##3(p) < (S)0);                                                \
    }
SELECTS(char, char, uchar)
SELECTS(uchar, char, uchar)
SELECTS(short, short, ushort)
SELECTS(ushort, short, ushort)
SELECTS(int, int, uint)
SELECTS(uint, int, uint)
SELECTS(long, long, ulong)
SELECTS(ulong, long, ulong)

__kernel void selects_float(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float4 a = as_float4(vload4(i, in)), b = as_float4(vload4(i + 1, in));
    a = select(a, (float4)(2.0f), isnan(a)), b = select(b, (float4)(-3.0f), isnan(b));
    int4 m = as_int4(vload4(i + 2, in));
    vstore4(as_uint4(select(a, b, m)), 0, to);
    vstore4(as_uint4(select(a, b, as_uint4(m))), 1, to);
    vstore4(as_uint4(a < b ? a : b), 2, to);
    vstore4(as_uint4(m ? a : b), 3, to);
    to[16] = as_uint(select(a.x, b.x, m.x));
    to[17] = as_uint(m.y > 0 ? a.y : b.y);
    vstore4(as_uint4((a <= b) + (a != b) * 2), 5, to);
    vstore4(as_uint4(!a), 6, to);
}
