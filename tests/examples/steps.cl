// How many steps each number takes to come to 1. The threads of a warp leave the loop one after the other.
__kernel void steps(__global const uint *in, __global uint *out) {
    size_t i = get_global_id(0);
    uint n = in[i], count = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    out[i] = count;
}
