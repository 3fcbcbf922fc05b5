// Kernels whose arguments may overlap, for the second compile (driver/recompile.h). Each work-item owns turns item, item
// + items, ..; with one work-item every result is defined for any overlap.

// The same index on both sides.
__kernel void saxpy(__global const uint *x, __global uint *y, uint a, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = a * x[i] + y[i];
}

// One work-item after the other has a piece of its own, of `turns` elements.
__kernel void pieces(__global const uint *in, __global uint *out, uint turns) {
    in += get_global_id(0) * turns;
    out += get_global_id(0) * turns;
    for (uint i = 0; i < turns; i++) out[i] = in[i] * 3u + 1u;
}

__kernel void bytes(__global const uchar *in, __global uchar *out, uint turns) {
    for (uint i = 0; i < turns; i++) out[i] = (uchar)(in[i] ^ 0x5A);
}

// Indexes that do not go up together.
__kernel void strided(__global const uint *in, __global uint *out, uint stride, uint turns) {
    for (uint i = 0; i < turns; i++) out[i] = in[i * stride];
}

__kernel void downwards(__global const uint *in, __global uint *out, int turns) {
    for (int i = turns - 1; i >= 0; i--) out[i] = in[i] + 7u;
}

// Counts down past every second element.
__kernel void downwards_by(__global const uchar *in, __global uchar *out, int turns) {
    for (int i = turns - 1; i >= 0; i -= 2) out[i] = (uchar)(in[i] - in[0]);
}

// Several blocks, of which a turn passes some.
__kernel void branches(__global const uint *in, __global uint *out, uint turns) {
    for (uint i = 0; i < turns; i++) {
        if ((in[i] & 1u) != 0u) {
            out[i] = in[i] + 3u;
        } else if ((in[i] & 6u) == 2u) {
            out[i] ^= in[i];
        }
    }
}

// Left early, by what was read or by what was counted.
__kernel void until(__global const uchar *in, __global uchar *out, uint turns) {
    for (uint i = 0; i < turns; i++) {
        const uchar value = in[i];
        if (value < 8u) break;
        out[i] = (uchar)(value + 1u);
    }
}

// Pointers that walk.
__kernel void walk(__global const uint *in, __global uint *out, uint turns) {
    __global const uint *end = in + turns;
    while (in < end) *out++ = *in++ * 5u;
}

// Nothing to gain.
__kernel void once(__global const uint *in, __global uint *out, uint turns) {
    if (turns > 0u) out[0] = in[0] + turns;
}

// A signed counter with a step of more than one.
__kernel void every_third(__global const int *in, __global int *out, int from, int to) {
    for (int i = from; i < to; i += 3) out[i] = in[i] - i;
}

// What one turn writes, a later one reads through the other pointer when they overlap.
__kernel void scan(__global const uint *in, __global uint *out, uint offset, uint turns) {
    uint sum = 0;
    for (uint i = 0; i < turns; i++) {
        sum += in[i + offset];
        out[i] = sum;
    }
}

// In and out may be the same buffer: then it uses what it has just written.
__kernel void stencil(__global const uint *in, __global uint *out, uint turns) {
    for (uint i = 1; i + 1 < turns; i++) out[i] = in[i - 1] + 2u * in[i] + in[i + 1];
}

__kernel void gather(__global const uint *in, __global const uint *index, __global uint *out, uint turns, uint mask) {
    for (uint i = 0; i < turns; i++) out[i] = in[index[i] & mask];
}

// Sums of overlapping windows; two loops, and accesses outside of loops.
__kernel void windows(__global const uint *in, __global uint *out, __global uint *total, uint turns) {
    uint all = total[0];
    for (uint i = 0; i < turns; i++) {
        uint window = 0;
        for (uint k = 0; k < 5; k++) window += in[i + k];
        out[i] = window;
        all ^= window;
    }
    total[0] = all;
    total[1] = out[0] + in[0];
}

// No loop: each load could wait for the store before it.
__kernel void straight(__global const uint *in, __global uint *out) {
    const uint i = get_global_id(0) * 4u;
    out[i] = in[i] + 1u;
    out[i + 1] = in[i + 1] + 2u;
    out[i + 2] = in[i + 2] + 3u;
    out[i + 3] = in[i + 3] + 4u;
}
