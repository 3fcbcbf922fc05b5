// shuffle, shuffle2, and elements by name.
#define SHUFFLES(T, U)                                                                              \
    __kernel void shuffles_##T(__global const T *in, __global T *out, uint n) {                     \
        uint i = (uint)get_global_id(0), most = 4096u / sizeof(T) / 16u;                            \
        __global T *to = out + 64 * i;                                                              \
        __global const U *by = (__global const U *)in;                                              \
        T##2 a = vload2(i, in);                                                                     \
        T##4 b = vload4(i % most, in);                                                              \
        T##8 c = vload8((i + 3) % most, in);                                                        \
        T##16 d = vload16((i + 5) % most, in);                                                      \
        vstore2(shuffle(c, vload2(i, by)), 0, to);                                                  \
        vstore4(shuffle(a, vload4(i % most, by)), 1, to);                                           \
        vstore8(shuffle(b, vload8(i % most, by)), 1, to);                                           \
        vstore16(shuffle2(c, c.s76543210, vload16(i % most, by)), 1, to);                           \
        vstore8(shuffle2(d, d.hi.s0123456701234567, vload8(i % most, by)), 4, to);                  \
        vstore4(shuffle2(b, c.odd, vload4(i % most, by)), 10, to);                                  \
        b.xw = a;                                                                                   \
        c.lo = b.zyxw;                                                                              \
        d.even = c;                                                                                 \
        d.s0f = a.yx;                                                                               \
        vstore16(d, 3, to);                                                                         \
    }
SHUFFLES(char, uchar)
SHUFFLES(uchar, uchar)
SHUFFLES(short, ushort)
SHUFFLES(ushort, ushort)
SHUFFLES(int, uint)
SHUFFLES(uint, uint)
SHUFFLES(long, ulong)
SHUFFLES(ulong, ulong)
SHUFFLES(float, uint)
