// Work-item functions in one, two and three dimensions, with barriers between.
// range of work_items_1: 128 in groups of 16
// range of work_items_2*: 16 x 8 in groups of 8 x 4
// range of work_items_3*: 8 x 4 x 4 in groups of 4 x 2 x 2
#define FUNCTIONS(D)                                                                                   \
    __kernel void work_items_##D(__global const uint *in, __global uint *out, uint n) {                \
        uint i = (uint)(get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2))); \
        __global uint *to = out + 64 * i;                                                              \
        to[0] = get_work_dim();                                                                        \
        for (uint d = 0; d < 3u; d++) {                                                                \
            to[8 * d + 1] = (uint)get_global_id(d);                                                    \
            to[8 * d + 2] = (uint)get_local_id(d);                                                     \
            to[8 * d + 3] = (uint)get_group_id(d);                                                     \
            to[8 * d + 4] = (uint)get_global_size(d);                                                  \
            to[8 * d + 5] = (uint)get_local_size(d);                                                   \
            to[8 * d + 6] = (uint)get_num_groups(d);                                                   \
            to[8 * d + 7] = (uint)get_global_offset(d);                                                \
        }                                                                                              \
        to[32] = (uint)(get_global_id(3) + 2 * get_local_id(4) + 4 * get_group_id(3) + 8 * get_global_offset(7)); \
        to[33] = (uint)get_group_id(in[i] % 3u);                                                       \
    }
FUNCTIONS(1)
FUNCTIONS(2)
FUNCTIONS(3)
// Transposed within the group.
__kernel void work_items_2_transposed(__global const uint *in, __global uint *out, uint n, __local uint *l) {
    uint x = (uint)get_local_id(0), y = (uint)get_local_id(1);
    uint i = (uint)(get_global_id(1) * get_global_size(0) + get_global_id(0));
    l[y * 8 + x] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[32 * i] = l[x * 4 % 32u + y];
}
__kernel void work_items_3_sums(__global const uint *in, __global uint *out, uint n) {
    __local uint t[16];
    uint k = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
    uint i = (uint)((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0));
    t[k] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 8; d > 0; d /= 2) {
        if (k < d) t[k] += t[k + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[32 * i] = t[0];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void work_items_required(__global const uint *in,
                                                                                 __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    out[32 * i] = in[i] + (uint)get_local_size(0);
}
__kernel __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(32, 1, 1))) void work_items_hinted(
    __global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    out[32 * i] = in[i] * 3u;
}
