// Integer builtins of the vector lengths that integers.cl leaves out: the same functions, three elements of every type
// and sixteen of some; products of 24 bits and halves put together in every length.
#define LENGTHS(S, N)                                                                                         \
    __kernel void lengths_##S##N(__global const S *in, __global S *out, uint n) {                             \
        uint i = (uint)get_global_id(0);                                                                      \
        __global S *to = out + 512u / sizeof(S) * i;                                                          \
        S##N a = vload##N(i % 31u, in), b = vload##N(i % 29u, in + 1), c = vload##N(i % 23u, in + 2);         \
        vstore##N(mad_sat(a, b, c), 0, to);                                                                   \
        vstore##N(mad_hi(a, b, c), 1, to);                                                                    \
        vstore##N(rotate(a, b), 2, to);                                                                       \
        vstore##N(mul_hi(a, b), 3, to);                                                                       \
        vstore##N(add_sat(a, b), 4, to);                                                                      \
        vstore##N(sub_sat(a, b), 5, to);                                                                      \
        vstore##N(hadd(a, b), 6, to);                                                                         \
        vstore##N(rhadd(b, c), 7, to);                                                                        \
        vstore##N(clz(a), 8, to);                                                                             \
        vstore##N(popcount(b), 9, to);                                                                        \
        vstore##N(as_##S##N(abs(a)), 10, to);                                                                 \
        vstore##N(as_##S##N(abs_diff(a, c)), 11, to);                                                         \
        vstore##N(clamp(a, min(b, c), max(b, c)), 12, to);                                                    \
        vstore##N(rotate(a, (S##N)(5)), 13, to);                                                              \
        vstore##N(bitselect(a, b, c), 14, to);                                                                \
    }
LENGTHS(char, 3)
LENGTHS(uchar, 3)
LENGTHS(short, 3)
LENGTHS(ushort, 3)
LENGTHS(int, 3)
LENGTHS(uint, 3)
LENGTHS(ulong, 3)
LENGTHS(uchar, 16)
LENGTHS(ushort, 16)
LENGTHS(uint, 8)
LENGTHS(long, 2)

#define PRODUCTS(N)                                                                                           \
    __kernel void lengths_24_bits_##N(__global const uint *in, __global uint *out, uint n) {                  \
        uint i = (uint)get_global_id(0);                                                                      \
        __global uint *to = out + 128 * i;                                                                    \
        uint##N a = vload##N(i % 60u, in) & 0xffffffu, b = vload##N(i % 59u, in + 1) & 0xffu, c = vload##N(i % 58u, in + 2); \
        int##N s = as_int##N(a << 8) >> 8, t = as_int##N(b << 24) >> 24;                                      \
        vstore##N(mul24(a, b), 0, to);                                                                        \
        vstore##N(mad24(a, b, c), 1, to);                                                                     \
        vstore##N(as_uint##N(mul24(s, t)), 2, to);                                                            \
        vstore##N(as_uint##N(mad24(s, t, as_int##N(c))), 3, to);                                              \
        vstore##N(convert_uint##N(upsample(a, c) >> (ulong##N)(13)), 4, to);                                  \
        vstore##N(as_uint##N(upsample(convert_short##N(s), convert_ushort##N(c))), 5, to);                    \
        vstore##N(convert_uint##N(upsample(convert_uchar##N(c), convert_uchar##N(b))), 6, to);                \
    }
PRODUCTS(2)
PRODUCTS(3)
PRODUCTS(8)
PRODUCTS(16)

// How many elements a type is taken for: three are four.
__kernel void lengths_steps(__global const uint *in, __global uint *out, uint n) {
    __global uint *to = out + 32 * get_global_id(0);
    __local int l;
    short3 a = (short3)(1);
    to[0] = (uint)(vec_step(char) + 10 * vec_step(short2) + 100 * vec_step(int3));
    to[1] = (uint)(vec_step(ulong4) + 10 * vec_step(float8) + 100 * vec_step(uchar16));
    to[2] = (uint)(vec_step(a) + 10 * vec_step(a.lo) + 100 * vec_step(a.x) + 1000 * vec_step(in[0]));
    to[3] = (uint)(vec_step(a + a) + 10 * vec_step(convert_float3(a)) + 100 * vec_step(l));
}
