// Kernels of build/sm-bench: how many instructions a cycle the multiprocessors come to.

// c = a * b, n by n, n a multiple of TILE; a work-group makes a tile of TILE by TILE, from tiles of a and b in local
// memory.
__kernel void matrix_product(__global const float *a, __global const float *b, __global float *c, uint n) {
    __local float left[TILE][TILE], right[TILE][TILE];
    const uint x = (uint)get_local_id(0), y = (uint)get_local_id(1);
    const uint column = (uint)get_global_id(0), row = (uint)get_global_id(1);
    float sum = 0.0f;
    for (uint tile = 0; tile < n; tile += TILE) {
        left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

// The sum of each group's share of n values: each work-item adds up its own, then the group as a tree.
__kernel void reduction(__global const uint *in, __global uint *out, uint n) {
    __local uint part[256];
    const uint i = (uint)get_local_id(0), size = (uint)get_global_size(0);
    uint sum = 0;
    for (uint k = (uint)get_global_id(0); k < n; k += size) sum += in[k];
    part[i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = (uint)get_local_size(0) / 2; step > 0; step /= 2) {
        if (i < step) part[i] += part[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) out[get_group_id(0)] = part[0];
}

// Five points of a grid of width by height; the border is left as it is.
__kernel void stencil(__global const uint *in, __global uint *out, uint width, uint height) {
    const uint x = (uint)get_global_id(0), y = (uint)get_global_id(1), at = y * width + x;
    uint value = in[at];
    if (x > 0 && y > 0 && x + 1 < width && y + 1 < height)
        value = (4u * value + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]) >> 3;
    out[at] = value;
}
