// Work-groups that share local memory: variables of the kernel and areas that the caller gives sizes for.

struct pair {
    uchar key;
    ushort weights[3];
    int sum;
};

// Each group turned round, through a variable and through an argument.
__kernel void reversed(__global const uint *in, __global uint *out, __local uint *scratch, __local uchar *bytes) {
    __local uint own[64];
    uint i = (uint)get_local_id(0), n = (uint)get_local_size(0), g = (uint)get_global_id(0);
    own[i] = in[g];
    scratch[n - 1 - i] = in[g] * 3;
    bytes[i] = (uchar)in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = own[n - 1 - i] + scratch[i] + bytes[(i + 1) % n];
}

// The sum of each group, as a tree.
__kernel void sums(__global const uint *in, __global uint *out) {
    __local uint part[64];
    uint i = (uint)get_local_id(0);
    part[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = (uint)get_local_size(0) / 2; step > 0; step /= 2) {
        if (i < step) part[i] += part[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) out[get_group_id(0)] = part[0];
}

// Every atomic operation on local words; out: 16 words for each group.
__kernel void local_atomics(__global const uint *in, __global uint *out) {
    __local uint words[16];
    __local int least;
    uint i = (uint)get_local_id(0), a = in[get_global_id(0)];
    if (i < 16) words[i] = i == 4 ? 0xFFFFFFFFu : i == 8 ? 0xFFFFFFFFu : 0;
    if (i == 16) least = 0x7FFFFFFF;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&words[0], a);
    atomic_sub(&words[1], a);
    atomic_inc(&words[2]);
    atomic_dec(&words[3]);
    atomic_min(&words[4], a);
    atomic_max(&words[5], a);
    atomic_min(&least, (int)a);
    atomic_max((__local int *)&words[7], (int)a);
    atomic_and(&words[8], a | 0xFFFFu);
    atomic_or(&words[9], a & 0xFF00FFu);
    atomic_xor(&words[10], a);
    uint old = atomic_xchg(&words[11], a | 1u);
    if (old == 0) atomic_inc(&words[12]);
    for (uint seen = words[13];;) {  // compare and exchange until it holds
        uint now = atomic_cmpxchg(&words[13], seen, seen + a);
        if (now == seen) break;
        seen = now;
    }
    atomic_add(&words[14 + (a & 1u)], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16) out[16 * get_group_id(0) + i] = i == 6 ? (uint)least : i == 11 ? words[i] & 1u : words[i];
}

// Structures, bytes and halves in local memory, two dimensions.
__kernel void transposed(__global const uint *in, __global uint *out) {
    __local struct pair tile[8][9];
    uint x = (uint)get_local_id(0), y = (uint)get_local_id(1), g = (uint)get_group_id(0);
    uint a = in[g * 64 + y * 8 + x];
    tile[y][x].key = (uchar)a;
    for (uint k = 0; k < 3; k++) tile[y][x].weights[k] = (ushort)(a >> 4 * k);
    tile[y][x].sum = (int)a;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const struct pair *from = &tile[x][y];
    out[g * 64 + y * 8 + x] = from->key + from->weights[a % 3u] * 5u + (uint)(from->sum >> 3);
}

// Two places chosen by data; a null pointer that stays one.
__kernel void chosen(__global const uint *in, __global uint *out, __local uint *a) {
    __local uint b[32];
    uint i = (uint)get_local_id(0), x = in[get_global_id(0)];
    a[i] = x;
    b[i] = ~x;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local uint *p = (x & 1u) ? a : (x & 2u) ? b : 0;
    out[get_global_id(0)] = p ? p[(i + x) % 32u] : 77u;
}
