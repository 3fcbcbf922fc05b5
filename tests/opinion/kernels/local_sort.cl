__kernel void local_sort(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    __local uint t[32];
    uint l = (uint)get_local_id(0);
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = 2; size <= 32u; size *= 2u) {
        for (uint step = size / 2u; step > 0u; step /= 2u) {
            uint other = l ^ step, a = t[l], b = t[other];
            bool up = (l & size) == 0u, low = l < other;
            barrier(CLK_LOCAL_MEM_FENCE);
            t[l] = up == low ? min(a, b) : max(a, b);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    to[0] = t[l];
}
