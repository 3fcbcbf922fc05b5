// Kernels of three pointers that may overlap, for the second compile with many work-items. Each work-item has a row of
// `pitch` elements behind each pointer and uses the first `turns` of it, and EXTRA more; when the pointers lie less than
// the rest of a row apart, no work-item reaches what is another's, so every result is defined.
#define EXTRA 4u
#define ROWS() \
    a += get_global_id(0) * pitch, b += get_global_id(0) * pitch, c += get_global_id(0) * pitch

__kernel void map(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) b[i] = a[i] * 3u + c[0];
}

__kernel void scan(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    uint sum = c[0];
    for (uint i = 0; i < turns; i++) {
        sum += a[i + EXTRA];
        b[i] = sum;
    }
    c[1] = sum;
}

__kernel void stencil(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 1; i + 1 < turns; i++) b[i] = a[i - 1] + 2u * a[i] + a[i + 1] + c[i];
}

__kernel void bytes(__global const uchar *a, __global uchar *b, __global uchar *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) b[i] = (uchar)((a[i] ^ 0x5A) + c[i]);
}

__kernel void shorts(__global const ushort *a, __global ushort *b, __global ushort *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) b[i] = (ushort)(a[i] * 3 + c[i]);
}

// What one turn writes, the same and the next ones read.
__kernel void chain(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) {
        b[i] = a[i] + c[i];
        c[i] = b[i] * 3u;
    }
}

__kernel void gather(__global const uint *a, __global uint *b, __global const uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) b[i] = a[c[i] & 7u];
}

// A table of bytes, as in compute_output.
__kernel void look_up(__global const uchar *a, __global uchar *b, __global const uchar *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) b[i] = c[a[i] & 15u];
}

__kernel void downwards(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = turns; i > 0; i--) b[i - 1] = a[i - 1] + c[i];
}

__kernel void leaves(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) {
        if ((a[i] & 31u) == 7u) break;
        b[i] = a[i] + c[i];
    }
}

__kernel void branches(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) {
        if ((a[i] & 1u) != 0u) b[i] = c[i];
        else c[i] = a[i] + b[i];
    }
}

__kernel void vectors(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns / 4u; i++) vstore4(vload4(i, a) * 2u + vload4(i, c).wzyx, i, b);
}

__kernel void nested(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    for (uint i = 0; i < turns; i++) {
        uint sum = 0;
        for (uint k = 0; k < EXTRA; k++) sum += a[i + k] * c[k];
        b[i] = sum;
    }
}

// No loop: each load could wait for the store before it.
__kernel void straight(__global const uint *a, __global uint *b, __global uint *c, uint turns, uint pitch) {
    ROWS();
    b[0] = a[0] + c[3];
    b[1] = a[1] + turns;
    b[2] = a[2] + c[1];
    b[3] = a[3] + c[0];
}
