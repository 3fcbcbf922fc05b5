// vloadN and vstoreN of every type and length, from and to every memory.
#define LOADS(T)                                                                             \
    __kernel void loads_##T(__global const T *in, __global T *out, uint n, __local T *l) {   \
        uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);                          \
        __global T *to = out + 64 * i;                                                       \
        T p[8];                                                                              \
        vstore2(vload2(i, in), 0, to);                                                       \
        vstore3(vload3(i, in), 1, to);                                                       \
        vstore4(vload4(i % 120u, in + 1), 2, to);                                                   \
        vstore8(vload8(i % 32u, in), 2, to);                                                 \
        vstore16(vload16(i % 30u, in + 3), 2, to);                                           \
        vstore4(vload4(i % 16u, in), k, l);                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        vstore3(vload3(31u - k, l), 16, to);                                                 \
        vstore2(vload2(k, l + 1), 26, to);                                                   \
        vstore4(vload4(i % 16u, in), 0, p);                                                  \
        vstore2(vload2(1, p), 2, p);                                                         \
        vstore2(vload2(1, p + 1), 3, p);                                                     \
        vstore8(vload8(0, p), 7, to);                                                        \
    }
LOADS(char)
LOADS(uchar)
LOADS(short)
LOADS(ushort)
LOADS(int)
LOADS(uint)
LOADS(long)
LOADS(ulong)
LOADS(float)

// From a constant argument, and from a table of the program.
__constant short table[32] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 15, -16,
                              17, -18, 19, -20, 21, -22, 23, -24, 25, -26, 27, -28, 29, -30, 31, -32};
#define CONSTANTS(T)                                                                    \
    __kernel void constant_loads_##T(__constant T *in, __global T *out, uint n) {       \
        uint i = (uint)get_global_id(0);                                                \
        __global T *to = out + 64 * i;                                                  \
        vstore2(vload2(i, in), 0, to);                                                  \
        vstore3(vload3(i, in), 1, to);                                                  \
        vstore4(vload4(i % 120u, in + 1), 2, to);                                              \
        vstore8(vload8(i % 32u, in), 2, to);                                            \
        vstore16(vload16(i % 30u, in + 3), 2, to);                                      \
        vstore4(convert_##T##4(vload4(i & 7u, table)), 12, to);                         \
    }
CONSTANTS(uchar)
CONSTANTS(short)
CONSTANTS(uint)
CONSTANTS(long)
CONSTANTS(float)
