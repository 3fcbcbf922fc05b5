// Private arrays and structures that stay in memory: indexed by data, their addresses taken, copied as a whole. Also read as C.

struct record {
    uint numbers[6];
    uchar name[10];
    short signed_part;
};

static uint sum_of(const uint *from, uint n) {
    uint sum = 0;
    for (uint k = 0; k < n; k++) sum += from[k];
    return sum;
}

static void put(uint *at, uint value) {
    *at = value;
}

// An array written and read at places that the data decides.
__kernel void scattered(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], t[24];
    for (uint k = 0; k < 24u; k++) t[k] = a + k * b;
    for (uint k = 0; k < 16u; k++) t[(a >> k) % 24u] ^= t[(b >> k) % 24u] + k;
    for (uint k = 0; k < 24u; k++) out[32 * i + k] = t[k];
    out[32 * i + 24] = sum_of(t + a % 12u, b % 12u);
}

// Bytes, halves and words in the same arrays.
__kernel void narrow_arrays(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    uchar bytes[13];
    short halves[7];
    char signs[5];
    for (uint k = 0; k < 13u; k++) bytes[k] = (uchar)(a >> k);
    for (uint k = 0; k < 7u; k++) halves[k] = (short)(b >> k);
    for (uint k = 0; k < 5u; k++) signs[k] = (char)(a * (k + 1u));
    bytes[a % 13u] += 3;
    halves[b % 7u] = (short)-halves[a % 7u];
    signs[a % 5u] = (char)(signs[b % 5u] - 1);
    __global uint *to = out + 32 * i;
    for (uint k = 0; k < 13u; k++) to[k] = bytes[(k + b) % 13u];
    for (uint k = 0; k < 7u; k++) to[13 + k] = (uint)(int)halves[(k + a) % 7u];
    for (uint k = 0; k < 5u; k++) to[20 + k] = (uint)(int)signs[(k + b) % 5u];
}

// Structures by value, by address, in an array, and copied as a whole.
__kernel void records(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    struct record all[3], held;
    for (uint r = 0; r < 3u; r++) {
        for (uint k = 0; k < 6u; k++) all[r].numbers[k] = a * (r + 1u) + k;
        for (uint k = 0; k < 10u; k++) all[r].name[k] = (uchar)(b + k * r);
        all[r].signed_part = (short)(a >> r);
    }
    held = all[a % 3u];
    put(&held.numbers[b % 6u], b);
    all[b % 3u] = held;
    held.signed_part = (short)(held.signed_part * 3);
    __global uint *to = out + 32 * i;
    for (uint r = 0; r < 3u; r++) {
        to[4 * r] = sum_of(all[r].numbers, 6u);
        to[4 * r + 1] = all[r].name[a % 10u];
        to[4 * r + 2] = (uint)(int)all[r].signed_part;
    }
    to[12] = (uint)(int)held.signed_part + held.name[3];
}

// A stack of its own for each work-item, with loops that threads leave at different times.
__kernel void stacks(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint stack[40], depth = 0, x = in[2 * i], sum = 0, steps = 0;
    stack[depth++] = in[2 * i + 1];
    while (depth > 0 && steps < 60u) {
        uint top = stack[--depth];
        sum = sum * 31u + top;
        steps++;
        if (top > 2u && depth < 38u) {
            stack[depth++] = top / 3u;
            if ((x >> (steps & 31u)) & 1u) stack[depth++] = top / 5u;
        }
    }
    out[32 * i] = sum;
    out[32 * i + 1] = steps;
    out[32 * i + 2] = stack[steps % 8u < depth ? steps % 8u : 0u];
}

// Sorting in private memory.
__kernel void private_sort(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint t[20];
    for (uint k = 0; k < 20u; k++) t[k] = in[2 * i] * (k * k + 7u) ^ in[2 * i + 1];
    for (uint k = 1; k < 20u; k++) {
        uint value = t[k], to = k;
        while (to > 0 && t[to - 1] > value) {
            t[to] = t[to - 1];
            to--;
        }
        t[to] = value;
    }
    for (uint k = 0; k < 20u; k++) out[32 * i + k] = t[k];
}

struct big {
    uint words[60];
    uchar tail[7];
};

// Structures of more bytes than are copied at once.
__kernel void big_copies(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    struct big x, y;
    for (uint k = 0; k < 60u; k++) x.words[k] = in[2 * i] + k;
    for (uint k = 0; k < 7u; k++) x.tail[k] = (uchar)(in[2 * i + 1] >> k);
    y = x;
    y.words[in[2 * i] % 60u] = 1;
    y.tail[in[2 * i + 1] % 7u] = 9;
    if (in[2 * i + 1] & 1u) x = y;
    out[32 * i] = sum_of(x.words, 60u);
    out[32 * i + 1] = sum_of(y.words, 60u);
    for (uint k = 0; k < 7u; k++) out[32 * i + 2 + k] = x.tail[k] + 256u * y.tail[k];
}
