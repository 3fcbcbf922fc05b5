__kernel void local_scan(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    __local uint t[32];
    uint l = (uint)get_local_id(0);
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 32u; d *= 2u) {
        uint x = l >= d ? t[l - d] : 0u;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[0] = t[l];
    to[1] = t[31u - l];
    to[2] = (uint)get_group_id(0) * 100u + (uint)get_local_size(0) + (uint)get_num_groups(0);
}
