// Asynchronous copies: numbers of elements below and above the group's and odd ones, none at all, strides known and
// not, chained events, the remaining types.
#define COPIES(T)                                                                                              \
    __kernel void copies_##T(__global const T *in, __global T *out, uint n, __local T *l) {                    \
        uint k = (uint)get_local_id(0), g = (uint)get_group_id(0), size = (uint)sizeof(T);                     \
        uint room = 2048u / size / 4u;                                                                         \
        event_t e[3];                                                                                          \
        e[0] = async_work_group_copy(l, in + g, room - 1u, 0);                                                 \
        e[0] = async_work_group_copy(l + room, in + 3 * g, 1, e[0]);                                           \
        e[1] = async_work_group_strided_copy(l + 2 * room, in + g, room - 3u, g + 1u, 0);                      \
        e[2] = async_work_group_strided_copy(l + 3 * room, in, 7, 0x10 / size + 1u, e[1]);                     \
        e[2] = async_work_group_copy(l + 3 * room + 7, in + 7, room < 17u ? 0u : 9u, e[2]);                    \
        wait_group_events(3, e);                                                                               \
        __global T *to = out + 4096u / size * g;                                                               \
        if (k < 7u && size == sizeof(l[0])) to[4 * room + k] = l[3 * room + 6u - k];                           \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                                         \
        e[0] = async_work_group_copy(to, l, room - 1u, 0);                                                     \
        e[1] = async_work_group_copy(to + room, l + room, 1, e[0]);                                            \
        e[1] = async_work_group_strided_copy(to + room + 1, l + 2 * room, (room - 3u) / (g + 1u), g + 1u, e[1]); \
        e[2] = async_work_group_strided_copy(to + 5 * room, l + 3 * room, 7, 3, 0);                            \
        wait_group_events(1, e);                                                                               \
        wait_group_events(2, e + 1);                                                                           \
    }
COPIES(uchar)
COPIES(short)
COPIES(char2)
COPIES(ushort4)
COPIES(long)
COPIES(int4)
COPIES(float8)
COPIES(long2)
COPIES(uint16)
COPIES(char16)
