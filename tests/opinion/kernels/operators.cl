// Operators of every integer type: on single numbers (with C's promotions) and on vectors. Signed sums and products go
// through the unsigned type, which has no overflow.
#define OPERATORS(T, U, N)                                                                                     \
    __kernel void operators_##T##N(__global const T##N *in, __global T##N *out, uint n) {                      \
        uint i = (uint)get_global_id(0), most = 4096u / sizeof(T##N);                                          \
        __global T##N *to = out + 16 * i;                                                                      \
        T##N a = in[i % most], b = in[(i + 7) % most], c = in[(3 * i + 1) % most];                             \
        T##N by = (b & (T##N)(T)0x3f) | (T##N)(T)1, bits = b & (T##N)(T)(sizeof(T) * 8 - 1);                   \
        to[0] = as_##T##N((U##N)(as_##U##N(a) + as_##U##N(b)));                                                \
        to[1] = as_##T##N((U##N)(as_##U##N(a) - as_##U##N(b)));                                                \
        to[2] = as_##T##N((U##N)(as_##U##N(a) * (as_##U##N(b) & (U##N)(U)0x7fff)));                            \
        to[3] = (T##N)(a / by);                                                                                \
        to[4] = (T##N)(a % by);                                                                                \
        to[5] = (T##N)(a & b);                                                                                 \
        to[6] = (T##N)(a | c);                                                                                 \
        to[7] = (T##N)(a ^ ~b);                                                                                \
        to[8] = as_##T##N((U##N)(as_##U##N(a) << as_##U##N(bits)));                                            \
        to[9] = (T##N)(a >> bits);                                                                             \
        to[10] = (T##N)(b / (T##N)(T)7);                                                                       \
        to[11] = (T##N)(c % (T##N)(T)10);                                                                      \
        T##N d = a & (T##N)(T)0x3f;                                                                            \
        d++;                                                                                                   \
        ++d;                                                                                                   \
        d--;                                                                                                   \
        d += (T##N)(T)3;                                                                                       \
        d -= (T##N)(T)1;                                                                                       \
        d ^= b;                                                                                                \
        d |= c & (T##N)(T)5;                                                                                   \
        d >>= (T##N)(T)1;                                                                                      \
        to[12] = d;                                                                                            \
        to[13] = (T##N)((a < b) + (a == b) + (a >= c) + (b != c));                                             \
        to[14] = (T##N)((a && b) | (!c));                                                                      \
        to[15] = (T##N)(a > b ? a : c);                                                                        \
    }
#define EVERY(N)               \
    OPERATORS(uchar, uchar, N)   \
    OPERATORS(ushort, ushort, N) \
    OPERATORS(uint, uint, N)     \
    OPERATORS(ulong, ulong, N)   \
    OPERATORS(char, uchar, N)    \
    OPERATORS(short, ushort, N)  \
    OPERATORS(int, uint, N)      \
    OPERATORS(long, ulong, N)
EVERY()
// The comparison of vectors has elements of the signed type.
#undef OPERATORS
#define OPERATORS(T, S, N)                                                                           \
    __kernel void operators_##T##N(__global const T##N *in, __global T##N *out, uint n) {            \
        uint i = (uint)get_global_id(0), most = 4096u / sizeof(T##N);                                \
        __global T##N *to = out + 16 * i;                                                            \
        T##N a = in[i % most], b = in[(i + 7) % most], c = in[(3 * i + 1) % most];                   \
        T##N by = (b & (T)0x3f) | (T)1, bits = b & (T)(sizeof(T) * 8 - 1);                           \
        to[0] = a + b;                                                                               \
        to[1] = a - b;                                                                               \
        to[2] = a * b;                                                                               \
        to[3] = a / by;                                                                              \
        to[4] = a % by;                                                                              \
        to[5] = (a & b) + (T)1;                                                                      \
        to[6] = a | c;                                                                               \
        to[7] = a ^ ~b;                                                                              \
        to[8] = a << bits;                                                                           \
        to[9] = a >> bits;                                                                           \
        to[10] = b / (T)7;                                                                           \
        to[11] = c % (T)10;                                                                          \
        a++;                                                                                         \
        b--;                                                                                         \
        a += b;                                                                                      \
        a *= (T)3;                                                                                   \
        a <<= (T)1;                                                                                  \
        to[12] = -a;                                                                                 \
        to[13] = as_##T##N((a < b) + (a == b) + (a >= c) + (b != c));                                \
        to[14] = as_##T##N((a && b) | !c);                                                           \
        to[15] = a > b ? a : c;                                                                      \
    }
OPERATORS(uchar, char, 16)
OPERATORS(ushort, short, 8)
OPERATORS(uint, int, 4)
OPERATORS(uint, int, 8)
OPERATORS(ulong, long, 2)
OPERATORS(uchar, char, 4)
