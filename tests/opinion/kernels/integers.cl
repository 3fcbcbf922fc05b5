// Integer builtins of every type, for single numbers and for vectors. S, U: the type and its unsigned one, without the
// number of elements N.
#define INTEGERS(S, U, N)                                                                                              \
    __kernel void integers_##S##N(__global const S##N *in, __global S##N *out, uint n) {                              \
        uint i = (uint)get_global_id(0), most = 4096u / sizeof(S##N);                                                  \
        __global S##N *to = out + 16 * i;                                                                              \
        S##N a = in[3 * i % most], b = in[(3 * i + 1) % most], c = in[(5 * i + 2) % most];                             \
        to[0] = add_sat(a, b);                                                                                         \
        to[1] = sub_sat(a, b);                                                                                         \
        to[2] = hadd(a, b);                                                                                            \
        to[3] = rhadd(a, b);                                                                                           \
        to[4] = mul_hi(a, b);                                                                                          \
        to[5] = rotate(a, b);                                                                                          \
        to[6] = min(a, b);                                                                                             \
        to[7] = max(a, b);                                                                                             \
        to[8] = clz(a);                                                                                                \
        to[9] = popcount(a);                                                                                           \
        to[10] = bitselect(a, b, c);                                                                                   \
        to[11] = clamp(a, min(b, c), max(b, c));                                                                       \
        to[12] = mad_sat(a, b, c);                                                                                     \
        to[13] = as_##S##N(abs_diff(a, b));                                                                            \
        to[14] = as_##S##N(abs(a));                                                                                    \
        to[15] = mad_hi(a, b, c);                                                                                      \
    }
#define BOTH(N)             \
    INTEGERS(char, uchar, N)   \
    INTEGERS(uchar, uchar, N)  \
    INTEGERS(short, ushort, N) \
    INTEGERS(ushort, ushort, N) \
    INTEGERS(int, uint, N)     \
    INTEGERS(uint, uint, N)    \
    INTEGERS(long, ulong, N)   \
    INTEGERS(ulong, ulong, N)
BOTH()
BOTH(4)
INTEGERS(char, uchar, 16)
INTEGERS(uchar, uchar, 8)
INTEGERS(short, ushort, 8)
INTEGERS(int, uint, 2)

// The forms that take a number beside a vector, products of 24 bits, and halves put together.
#define MIXED(S, U, WIDE, UWIDE)                                                                                       \
    __kernel void integers_mixed_##S(__global const S *in, __global S *out, uint n) {                                 \
        uint i = (uint)get_global_id(0);                                                                               \
        __global S *to = out + 32 * i;                                                                                 \
        S##4 a = vload4(i, in);                                                                                        \
        S b = in[4 * i + 1], c = in[i];                                                                                \
        vstore4(min(a, b), 0, to);                                                                                     \
        vstore4(max(a, b), 1, to);                                                                                     \
        vstore4(clamp(a, min(b, c), max(b, c)), 2, to);                                                                \
        WIDE w = upsample(b, as_##U(c));                                                                               \
        to[12] = (S)(w >> 5);                                                                                          \
        WIDE##4 v = upsample(a, as_##U##4(a.wzyx));                                                                    \
        vstore4(convert_##S##4(v >> (WIDE)3), 4, to);                                                                  \
    }
MIXED(char, uchar, short, ushort)
MIXED(uchar, uchar, ushort, ushort)
MIXED(short, ushort, int, uint)
MIXED(ushort, ushort, uint, uint)
MIXED(int, uint, long, ulong)
MIXED(uint, uint, ulong, ulong)

__kernel void integers_24_bits(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint4 a = vload4(i, in) & 0xffffffu, b = vload4(i + 1, in) & 0xffffffu, c = vload4(i + 2, in);
    int4 s = as_int4(a << 8) >> 8, t = as_int4(b << 8) >> 8;
    // Beyond 32 bits the product's low part counts.
    vstore4(mul24(a & 0xfffu, b), 0, to);
    vstore4(mad24(a & 0xfffu, b, c), 1, to);
    vstore4(as_uint4(mul24(s, t >> 12)), 2, to);
    vstore4(as_uint4(mad24(s, t >> 12, as_int4(c))), 3, to);
    to[16] = mul24(a.x, b.x & 0xffu);
    to[17] = (uint)mad24(s.x, t.x >> 16, (int)c.x);
}
