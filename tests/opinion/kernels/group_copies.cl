// What a work-group copies together.
#define COPIES(T)                                                                                         \
    __kernel void group_copies_##T(__global const T *in, __global T *out, uint n, __local T *l) {         \
        uint k = (uint)get_local_id(0), g = (uint)get_group_id(0);                                        \
        event_t e = async_work_group_copy(l, in + 16 * g, 48, 0);                                         \
        e = async_work_group_strided_copy(l + 48, in + g, 16, 3, e);                                      \
        prefetch(in, 16);                                                                                 \
        wait_group_events(1, &e);                                                                         \
        T a = l[63u - k], b = l[k];                                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
        l[k] = a;                                                                                         \
        l[k + 32u] = b;                                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
        event_t f[2];                                                                                     \
        f[0] = async_work_group_copy(out + 256 * g, l, 40, 0);                                            \
        f[1] = async_work_group_strided_copy(out + 256 * g + 64, l + 8, 24, 5, 0);                        \
        wait_group_events(2, f);                                                                          \
    }
COPIES(char)
COPIES(ushort)
COPIES(int)
COPIES(uint)
COPIES(ulong)
COPIES(float)
COPIES(uchar4)
COPIES(int2)
COPIES(float2)
COPIES(uint4)
// Three elements have the room of four; what the fourth holds is open.
__kernel void group_copies_3(__global const uint3 *in, __global uint *out, uint n, __local uint3 *l) {
    uint k = (uint)get_local_id(0), i = (uint)get_global_id(0);
    event_t e = async_work_group_copy(l, in + 16 * get_group_id(0), 32, 0);
    prefetch(in + i, 2);
    wait_group_events(1, &e);
    vstore3(l[31u - k].zxy, i, out);
}
