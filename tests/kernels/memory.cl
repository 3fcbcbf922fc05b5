// Memory accesses of every size, structures, constant tables, arguments of every kind. Also read as C, by as_c.h; the first kernels
// have the arguments of arithmetic.cl.

struct pixel {
    uchar red, green;
    short depth;
    int weight;
    ushort parts[4];
};

__constant uint primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
__constant uchar nibble_bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
__constant short grid[3][5] = {{1, -2, 3, -4, 5}, {-60, 70, -80, 90, -100}, {1100, -1200, 1300, -1400, 1500}};
__constant struct pixel palette[3] = {
    {1, 2, -3, 4, {5, 6, 7, 8}}, {200, 100, 300, -70000, {9, 10, 11, 12}}, {255, 0, -32768, 1 << 30, {65535, 1, 2, 3}}};

__kernel void widths(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    __global const uchar *bytes = (__global const uchar *)(in + 2 * i);
    __global const char *chars = (__global const char *)(in + 2 * i);
    __global const ushort *halves = (__global const ushort *)(in + 2 * i);
    __global const short *shorts = (__global const short *)(in + 2 * i);
    __global uint *to = out + 32 * i;
    to[0] = bytes[0] + bytes[5] * 2u;
    to[1] = (uint)(chars[1] - chars[6]);
    to[2] = halves[0] * 3u + halves[3];
    to[3] = (uint)(shorts[1] * shorts[2]);
    ((__global uchar *)(to + 4))[0] = bytes[7];
    ((__global uchar *)(to + 4))[1] = (uchar)(bytes[6] + 1);
    ((__global char *)(to + 4))[2] = (char)-chars[2];
    ((__global short *)(to + 5))[0] = (short)(shorts[0] ^ 0x55);
    ((__global ushort *)(to + 5))[1] = (ushort)(halves[1] + halves[2]);
    to[6] = bytes[in[2 * i] & 7u];
    to[7] = (uint)shorts[in[2 * i + 1] & 3u];
}

__kernel void structures(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    __global struct pixel *pixels = (__global struct pixel *)(out + 32 * i);
    uint a = in[2 * i], b = in[2 * i + 1];
    for (uint k = 0; k < 8u; k++) {
        pixels[k].red = (uchar)(a >> k);
        pixels[k].green = (uchar)b;
        pixels[k].depth = (short)(a - b * k);
        pixels[k].weight = (int)(a ^ b);
        pixels[k].parts[k & 3u] = (ushort)(a + k);
    }
    __global struct pixel *last = pixels + (a & 7u);
    last->parts[1] = (ushort)(last->parts[1] + (ushort)last->depth);
    last->weight -= last->red;
}

__kernel void tables(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], bits = 0;
    for (uint k = 0; k < 32u; k += 4) bits += nibble_bits[a >> k & 15u];
    __global uint *to = out + 32 * i;
    to[0] = bits;
    to[1] = primes[b & 15u] * primes[3];
    to[2] = (uint)grid[a % 3u][b % 5u];
    to[3] = (uint)(palette[a % 3u].depth + palette[b % 3u].weight);
    to[4] = palette[b % 3u].parts[a & 3u] + palette[1].red;
}

// Through pointers that walk, one of two areas chosen by the data.
__kernel void pointers(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    __global const uint *from = in + 2 * i, *end = in + 2 * n;
    __global uint *to = out + 32 * i + 31, *start = out + 32 * i;
    uint a = *from;
    if (a & 1u) to = start + (a >> 4 & 15u);
    while (from < end && to >= start) {
        *to-- = *from++ ^ a;
        if (*start == 0x1234u) break;
    }
    start[0] += (uint)(end - from);
    start[1] += (uint)(to - start + 1);
}

struct settings {
    uchar shift;
    ushort mask;
    int bias;
    uint factors[3];
};

// Arguments of every size, a structure among them.
__kernel void arguments(__global uint *out, uchar a, short b, ushort c, char d, uint e, struct settings settings, int f) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 16 * i;
    to[0] = a;
    to[1] = (uint)b;
    to[2] = c;
    to[3] = (uint)d;
    to[4] = e;
    to[5] = (uint)f;
    to[6] = settings.shift;
    to[7] = settings.mask;
    to[8] = (uint)settings.bias;
    to[9] = settings.factors[0] + settings.factors[2];
    to[10] = settings.factors[i % 3u];
    to[11] = (i << settings.shift & settings.mask) + (uint)f;
}

// Every work-item function: 32 words for each work-item of up to three dimensions.
__kernel void work_items(__global uint *out) {
    uint flat = 0, size = 1;
    for (uint d = 0; d < 3u; d++) {
        flat += ((uint)get_global_id(d) - (uint)get_global_offset(d)) * size;
        size *= (uint)get_global_size(d);
    }
    __global uint *to = out + 32 * flat;
    for (uint d = 0; d < 4u; d++) {
        to[d] = (uint)get_global_id(d);
        to[4 + d] = (uint)get_local_id(d);
        to[8 + d] = (uint)get_group_id(d);
        to[12 + d] = (uint)get_global_size(d);
        to[16 + d] = (uint)get_local_size(d);
        to[20 + d] = (uint)get_num_groups(d);
        to[24 + d] = (uint)get_global_offset(d);
    }
    to[28] = get_work_dim();
}
