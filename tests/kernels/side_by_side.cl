// Loops in which work-items walk side by side, for the second compile: `neighbours` and what must not become such.
// Every kernel: in, out, table (256 elements, of whatever type), n elements. Defined for any number of work-items.

// ---- what may be dealt out anew ----

__kernel void bytes_of_group(__global const uchar *in, __global uchar *out, __global const uchar *table, uint n) {
    const uint span = n / (uint)get_num_groups(0) / 32u * 32u, begin = span * (uint)get_group_id(0);
    const uint end = get_group_id(0) + 1 == get_num_groups(0) ? n : begin + span;
    for (uint i = begin + (uint)get_local_id(0); i < end; i += (uint)get_local_size(0)) out[i] = table[in[i]];
}

__kernel void words_of_launch(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] * 3u + out[i] + table[i & 255u];
}

__kernel void halves_signed(__global const short *in, __global short *out, __global const short *table, uint n) {
    for (int i = (int)get_global_id(0); i < (int)n; i += (int)get_global_size(0))
        out[i] = (short)(in[i] - table[in[i] & 255]);
}

__kernel void widens(__global const uchar *in, __global uint *out, __global const uint *table, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] ^ table[in[i]];
}

__kernel void pairs(__global const uint2 *in, __global uint2 *out, __global const uint *table, uint n) {
    for (uint i = get_global_id(0); i < n / 2u; i += get_global_size(0)) out[i] = in[i].yx + table[in[i].x & 255u];
}

__kernel void neighbours(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + in[i + 1u] + table[(i + 1u) & 255u];
}

// What is written before a barrier is read behind it, and the other way round.
__kernel void table_of_group(__global const uchar *in, __global uchar *out, __global uchar *table, uint n) {
    __local uchar own[256];
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    for (uint v = item; v < 256u; v += items) own[v] = (uchar)(table[v] + 1u);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_group_id(0) == 0)
        for (uint i = item; i < n; i += items) out[i] = own[in[i]];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_group_id(0) == 0 && item == 0u && n > 0u) out[0] = (uchar)(out[n - 1u] ^ out[n / 2u]);
}

__kernel void uniform_choice(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    if (n < 3u) return;
    if (n & 1u) {
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] - n;
    } else {
        for (uint i = get_global_id(0) + 2u; i < n; i += get_global_size(0)) out[i] = in[i - 2u];
    }
}

// ---- what must stay each work-item's own ----

__kernel void leaves_early(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    if (get_global_id(0) % 3u == 1u) return;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + table[i & 255u];
}

__kernel void reads_back(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + 1u;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = out[i] * in[i] + table[out[i] & 255u];
}

__kernel void wrong_barrier(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    const uint items = (uint)get_local_size(0);
    if (get_group_id(0) != 0) return;
    for (uint i = get_local_id(0); i < n; i += items) out[i] = in[i] ^ table[i & 255u];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < n; i += items) out[i] += 5u;
}

__kernel void own_number(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    const uint own = table[get_global_id(0) & 255u];
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + own;
}

__kernel void own_sum(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    uint sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i] * table[i & 255u], out[i] = sum;
}

__kernel void own_history(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    const uint items = (uint)get_global_size(0);
    for (uint i = get_global_id(0); i < n; i += items) out[i] = in[i] + (i >= items ? out[i - items] : table[0]);
}

__kernel void scattered(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    const uint items = (uint)get_global_size(0);
    for (uint i = get_global_id(0); i < n; i += items) out[i % items] = in[i] + table[i & 255u];
}

// Local memory of a group is not another group's.
__kernel void local_of_each(__global const uint *in, __global uint *out, __global const uint *table, uint n) {
    __local uint own[64];
    const uint item = (uint)get_local_id(0);
    if (item < 64u) own[item] = table[item] + (uint)get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + own[i % get_local_size(0) % 64u];
}
