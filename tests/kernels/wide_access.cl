// Accesses of 64 and 128 bits against words. Each work-item has 16 words of `in` and 64 of `out`: it makes the first 32
// with vectors, 64-bit integers and structures, then the other 32, which must be the same, word by word (volatile:
// never merged). Both buffers are aligned to 16 bytes.

#define READ const uint g = get_global_id(0); \
    if (g >= n) return; \
    __global const volatile uint *w = in + 16u * g; \
    __global const uint4 *quads = (__global const uint4 *)(in + 16u * g); \
    __global uint *to = out + 64u * g; \
    __global volatile uint *words = out + 64u * g + 32u

__kernel void wide_copies(__global const uint *in, __global uint *out, uint n) {
    READ;
    __global uint4 *v = (__global uint4 *)to;
    uint4 a = quads[0], b = quads[1];
    v[0] = a;
    v[1] = b.wzyx;
    ((__global uint2 *)to)[4] = a.zw;
    ((__global uint2 *)to)[5] = (uint2)(a.y, b.x);
    ((__global ulong *)to)[6] = ((__global const ulong *)quads)[4] * 0x300000007ul + g;
    ((__global long *)to)[7] = -((__global const long *)quads)[5];
    v[4] = (uint4)(0);
    v[5] = (uint4)(7, 0, g, 0);
    v[6] = quads[3] + b;
    v[7] = a;  // again, and still alive

    for (uint k = 0; k < 4; k++) {
        words[k] = w[k];
        words[4 + k] = w[7 - k];
        words[16 + k] = 0;
        words[24 + k] = w[12 + k] + w[4 + k];
        words[28 + k] = w[k];
    }
    words[8] = w[2], words[9] = w[3], words[10] = w[1], words[11] = w[4];
    ulong x = (w[8] | (ulong)w[9] << 32) * 0x300000007ul + g, y = -(w[10] | (ulong)w[11] << 32);
    words[12] = (uint)x, words[13] = (uint)(x >> 32), words[14] = (uint)y, words[15] = (uint)(y >> 32);
    words[20] = 7, words[21] = 0, words[22] = g, words[23] = 0;
}

// Parts of two vectors in one, while both are still needed.
__kernel void wide_blends(__global const uint *in, __global uint *out, uint n) {
    READ;
    __global uint4 *v = (__global uint4 *)to;
    uint4 a = quads[0], b = quads[1];
    ulong2 c = ((__global const ulong2 *)quads)[2];
    v[0] = (uint4)(a.xy, b.zw);
    v[1] = (uint4)(b.x, a.y, b.z, a.w);
    v[2] = (uint4)(a.zw, a.xy);
    ((__global ulong *)to)[6] = c.y;
    ((__global ulong *)to)[7] = c.x;
    ((__global uint2 *)to)[8] = (uint2)(a.x, b.y);
    ((__global uint2 *)to)[9] = b.yz;
    v[5] = (uint4)(as_uint2(c.x), a.zw);
    v[6] = a;
    v[7] = b;

    for (uint k = 0; k < 4; k++) {
        words[k] = w[k < 2 ? k : 4 + k];
        words[4 + k] = w[(k & 1) != 0 ? k : 4 + k];
        words[8 + k] = w[(k + 2) & 3];
        words[12 + k] = w[8 + ((k + 2) & 3)];
        words[20 + k] = w[k < 2 ? 8 + k : k];
        words[24 + k] = w[k];
        words[28 + k] = w[4 + k];
    }
    words[16] = w[0], words[17] = w[5], words[18] = w[5], words[19] = w[6];
}

__kernel void wide_narrow(__global const uint *in, __global uint *out, uint n) {
    READ;
    uchar16 a = ((__global const uchar16 *)quads)[0];
    ((__global uchar16 *)to)[0] = a;
    ((__global uchar16 *)to)[1] = a.sfedcba9876543210;
    ((__global ushort8 *)to)[2] = ((__global const ushort8 *)quads)[1] + (ushort8)(1, 2, 3, 4, 5, 6, 7, 8);
    ((__global int4 *)to)[3] = convert_int4(((__global const char4 *)quads)[9]);
    ((__global int4 *)to)[4] = convert_int4(((__global const short4 *)quads)[5]);
    ((__global uchar4 *)to)[20] = ((__global const uchar4 *)quads)[12] * (uchar4)(3);
    ((__global uchar2 *)to)[42] = ((__global const uchar2 *)quads)[26].yx;
    ((__global ushort2 *)to)[22] = (ushort2)(5, (ushort)g);
    ((__global uchar8 *)to)[12] = (uchar8)(1, 2, 3, 4, 5, 6, 7, 8);
    ((__global char3 *)to)[26] = ((__global const char3 *)quads)[14];

    __global const volatile uchar *bytes = (__global const volatile uchar *)w;
    __global const volatile ushort *halves = (__global const volatile ushort *)w;
    __global volatile uchar *to_bytes = (__global volatile uchar *)words;
    __global volatile ushort *to_halves = (__global volatile ushort *)words;
    for (uint k = 0; k < 16; k++) to_bytes[k] = bytes[k], to_bytes[16 + k] = bytes[15 - k];
    for (uint k = 0; k < 8; k++) to_halves[16 + k] = (ushort)(halves[8 + k] + k + 1), to_bytes[96 + k] = (uchar)(k + 1);
    for (uint k = 0; k < 4; k++) {
        words[12 + k] = (uint)(int)(char)bytes[36 + k];
        words[16 + k] = (uint)(int)(short)halves[20 + k];
        to_bytes[80 + k] = (uchar)(bytes[48 + k] * 3);
        if (k < 3) to_bytes[104 + k] = bytes[56 + k];
    }
    to_bytes[84] = bytes[53], to_bytes[85] = bytes[52];
    to_halves[44] = 5, to_halves[45] = (ushort)g;
}

struct record {
    uint first;
    uchar flags[4];
    ulong big;
    float x, y, z;
    ushort s, t;
};

// Structures of 32 bytes, aligned to 8; and to 16 by a member.
struct aligned_record {
    uint4 vector;
    uint a, b, c;
    ushort s, t;
};

__kernel void wide_structures(__global const uint *in, __global uint *out, uint n) {
    READ;
    __global const struct record *r = (__global const struct record *)quads;
    __global struct record *t = (__global struct record *)to;
    t[0] = r[0];
    struct record changed = r[1];
    changed.big += 1;
    changed.flags[2] = (uchar)g;
    t[1] = changed;
    __global const struct aligned_record *q = (__global const struct aligned_record *)quads;
    __global struct aligned_record *u = (__global struct aligned_record *)(to + 16);
    u[0] = q[1];
    u[1].vector = q[0].vector.yxwz;
    u[1].a = q[0].a, u[1].b = q[0].b, u[1].c = q[0].c + 1, u[1].s = q[0].t, u[1].t = q[0].s;

    for (uint k = 0; k < 8; k++) {
        words[k] = w[k];
        words[8 + k] = w[8 + k];
        words[16 + k] = w[8 + k];
    }
    ulong big = (w[10] | (ulong)w[11] << 32) + 1;
    words[9] = (w[9] & 0xFF00FFFFu) | (g & 255u) << 16;
    words[10] = (uint)big, words[11] = (uint)(big >> 32);
    words[24] = w[1], words[25] = w[0], words[26] = w[3], words[27] = w[2];
    words[28] = w[4], words[29] = w[5], words[30] = w[6] + 1, words[31] = w[7] << 16 | w[7] >> 16;
}

// Vectors over loops and branches on which threads part.
__kernel void wide_flow(__global const uint *in, __global uint *out, uint n) {
    READ;
    __global uint4 *v = (__global uint4 *)to;
    uint4 sum = 0, last = quads[3];
    for (uint k = 0; k < (g & 7u); k++) {
        uint4 x = quads[k & 3u];
        sum += x;
        if ((x.x & 1u) != 0) last = x;
    }
    v[0] = sum;
    v[1] = last;
    if ((g & 1u) != 0) {
        v[2] = quads[0];
    } else {
        v[2] = quads[1] ^ sum;
    }
    uint4 a = quads[0], b = quads[1];
    for (uint k = 0; k < 3; k++) {
        v[3 + k] = a;
        uint4 held = a;
        a = b;
        b = held + k;
    }
    v[6] = (g & 2u) != 0 ? a : b;
    v[7] = g % 3u == 0 ? (uint4)(1, 2, 3, 4) : sum;

    uint s[4], l[4], x[4], y[4];
    for (uint c = 0; c < 4; c++) s[c] = 0, l[c] = w[12 + c], x[c] = w[c], y[c] = w[4 + c];
    for (uint k = 0; k < (g & 7u); k++) {
        const bool odd = (w[4 * (k & 3u)] & 1u) != 0;
        for (uint c = 0; c < 4; c++) {
            s[c] += w[4 * (k & 3u) + c];
            if (odd) l[c] = w[4 * (k & 3u) + c];
        }
    }
    for (uint k = 0; k < 3; k++) {
        for (uint c = 0; c < 4; c++) {
            words[12 + 4 * k + c] = x[c];
            uint held = x[c];
            x[c] = y[c];
            y[c] = held + k;
        }
    }
    for (uint c = 0; c < 4; c++) {
        words[c] = s[c];
        words[4 + c] = l[c];
        words[8 + c] = (g & 1u) != 0 ? w[c] : w[4 + c] ^ s[c];
        words[24 + c] = (g & 2u) != 0 ? x[c] : y[c];
        words[28 + c] = g % 3u == 0 ? c + 1 : s[c];
    }
}

__constant float4 weights[4] = {(float4)(1, 2, 3, 4), (float4)(0.5f, 0.25f, 0, -1), (float4)(8), (float4)(-3, 1, -4, 1)};

// The work-group's memory, tables, private arrays of vectors: 64 and 128 bits where they exist.
__kernel void wide_spaces(__global const uint *in, __global uint *out, uint n) {
    __local uint4 tile[64];
    __local ulong longs[64];
    const uint l = get_local_id(0), other = l ^ 1u;
    if (get_global_id(0) < n) {
        tile[l] = ((__global const uint4 *)in)[4 * get_global_id(0)];
        longs[l] = ((__global const ulong *)in)[8 * get_global_id(0) + 3];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    READ;
    __global const volatile uint *theirs = in + 16u * (g ^ 1u);
    __global uint4 *v = (__global uint4 *)to;
    v[0] = tile[other];
    ((__global ulong *)to)[2] = longs[other];
    ((__global ulong *)to)[3] = longs[l] + longs[other];
    v[2] = as_uint4(weights[w[0] & 3u]);
    uint4 mine[4];
    for (uint k = 0; k < 4; k++) mine[(k + w[1]) & 3u] = quads[k];
    for (uint k = 0; k < 4; k++) v[3 + k] = mine[k];
    v[7] = as_uint4(convert_float4(quads[2] & 0xFFFFu) * weights[1]);

    for (uint c = 0; c < 4; c++) {
        words[c] = theirs[c];
        words[8 + c] = as_uint(((__constant volatile float *)weights)[4 * (w[0] & 3u) + c]);
        for (uint k = 0; k < 4; k++) words[12 + 4 * ((k + w[1]) & 3u) + c] = w[4 * k + c];
        words[28 + c] = as_uint((float)(w[8 + c] & 0xFFFFu) * (c == 0 ? 0.5f : c == 1 ? 0.25f : c == 2 ? 0.0f : -1.0f));
    }
    ulong sum = (w[6] | (ulong)w[7] << 32) + (theirs[6] | (ulong)theirs[7] << 32);
    words[4] = theirs[6], words[5] = theirs[7], words[6] = (uint)sum, words[7] = (uint)(sum >> 32);
}

// Many vectors at once: more registers than a small limit allows.
__kernel void wide_pressure(__global const uint *in, __global uint *out, uint n) {
    READ;
    __global uint4 *v = (__global uint4 *)to;
    uint4 a = quads[0], b = quads[1], c = quads[2], d = quads[3];
    uint4 e = a * b, f = b * c, h = c * d, i = d * a;
    for (uint k = 0; k < (g & 3u); k++) {
        e += h.wxyz;
        i ^= f.yzwx;
        f -= e;
        h += i * a;
    }
    v[0] = e, v[1] = f, v[2] = h, v[3] = i;
    v[4] = a + e, v[5] = b + f, v[6] = c + h, v[7] = d + i;

    uint x[4][4];
    for (uint r = 0; r < 4; r++)
        for (uint k = 0; k < 4; k++) x[r][k] = w[4 * r + k] * w[4 * ((r + 1) & 3u) + k];
    for (uint turn = 0; turn < (g & 3u); turn++) {
        for (uint k = 0; k < 4; k++) x[0][k] += x[2][(k + 3) & 3u];
        for (uint k = 0; k < 4; k++) x[3][k] ^= x[1][(k + 1) & 3u];
        for (uint k = 0; k < 4; k++) x[1][k] -= x[0][k];
        for (uint k = 0; k < 4; k++) x[2][k] += x[3][k] * w[k];
    }
    for (uint r = 0; r < 4; r++) {
        for (uint k = 0; k < 4; k++) {
            words[4 * r + k] = x[r][k];
            words[16 + 4 * r + k] = x[r][k] + w[4 * r + k];
        }
    }
}

// Nothing is known of the pointers but that they hold words: words it must be, at any place.
__kernel void unaligned(__global const uint *in, __global uint *out, uint n) {
    const uint g = get_global_id(0);
    if (g >= n) return;
    vstore4(vload4(g, in) + 1u, g, out);
    vstore2(vload2(g, in + 4 * n) + 2u, g, out + 4 * n);
}

struct __attribute__((packed)) packed_record {
    uchar tag;
    uint4 vector;
    ulong big;
};

__kernel void packed(__global const struct packed_record *in, __global struct packed_record *out, uint n) {
    const uint g = get_global_id(0);
    if (g < n) out[g] = in[g];
}

__kernel void copy_quads(__global const float4 *in, __global float4 *out) {
    const uint g = get_global_id(0);
    out[g] = in[g];
}
