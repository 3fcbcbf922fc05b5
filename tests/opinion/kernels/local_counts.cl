__kernel void local_counts(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    __local uint bins[16];
    uint l = (uint)get_local_id(0);
    if (l < 16u) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[in[i] & 15u], in[i + 1] & 255u);
    atomic_inc(&bins[in[i] >> 28]);
    barrier(CLK_LOCAL_MEM_FENCE);
    to[0] = bins[l & 15u];
}
