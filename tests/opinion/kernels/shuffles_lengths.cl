// shuffle and shuffle2 from every length to every length; masks whose high bits do not count.
#define FROM(T, U, N, M)                                                                   \
    vstore##M(shuffle(a##N, m##M), 0, to), to += M;                                        \
    vstore##M(shuffle2(a##N, b##N, m##M), 0, to), to += M;
#define EACH(T, U, M)                                                                      \
    {                                                                                      \
        U##M m##M = vload##M(i % 16u, by);                                                 \
        FROM(T, U, 2, M) FROM(T, U, 4, M) FROM(T, U, 8, M) FROM(T, U, 16, M)               \
    }
#define SHUFFLES(T, U)                                                                     \
    __kernel void lengths_##T(__global const T *in, __global T *out, uint n) {             \
        uint i = (uint)get_global_id(0);                                                   \
        __global const U *by = (__global const U *)in + 256;                               \
        __global T *to = out + 64 * i;                                                     \
        T##2 a2 = vload2(i % 31u, in), b2 = vload2(i % 29u, in + 1);                       \
        T##4 a4 = vload4(i % 31u, in), b4 = vload4(i % 29u, in + 1);                       \
        T##8 a8 = vload8(i % 31u, in), b8 = vload8(i % 29u, in + 1);                       \
        T##16 a16 = vload16(i % 31u, in), b16 = vload16(i % 29u, in + 1);                  \
        if ((i & 1u) != 0) {                                                               \
            EACH(T, U, 2) EACH(T, U, 4)                                                    \
        } else {                                                                           \
            EACH(T, U, 8)                                                                  \
        }                                                                                  \
    }                                                                                      \
    __kernel void lengths_16_##T(__global const T *in, __global T *out, uint n) {          \
        uint i = (uint)get_global_id(0);                                                   \
        __global const U *by = (__global const U *)in + 256;                               \
        __global T *to = out + 64 * i;                                                     \
        T##4 a4 = vload4(i % 31u, in), b4 = vload4(i % 29u, in + 1);                       \
        T##16 a16 = vload16(i % 31u, in), b16 = vload16(i % 29u, in + 1);                  \
        U##16 m16 = vload16(i % 16u, by);                                                  \
        FROM(T, U, 4, 16) FROM(T, U, 16, 16)                                               \
    }
SHUFFLES(uchar, uchar)
SHUFFLES(short, ushort)
SHUFFLES(float, uint)
