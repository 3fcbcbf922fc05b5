// For the order by miss rate: loops that the level 1 cache serves well, badly, and badly in one order only.

// All work-items read the same few words: hits in both orders.
__kernel void hot(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), sum = item;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[(k & 7) + pitch];
    out[item] = sum;
}

// Each work-item walks along a row of its own: a line serves it eight times, if the cache still holds it.
__kernel void rows(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), sum = item;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[item * pitch + k];
    out[item] = sum;
}

// What rows() does, each warp some turns later than the one before it.
__kernel void apart(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), sum = item;
    for (uint k = 0; k < get_group_id(0) * 5; k++)
        sum = sum * 3 + (sum >> 7);
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[item * pitch + k];
    out[item] = sum;
}

// Side by side along one row, a line once: misses in both orders.
__kernel void stream(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), items = get_global_size(0), sum = item + pitch;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[k * items + item];
    out[item] = sum;
}

// First hits alone, then what rows() does: two loops, two regions.
__kernel void late(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), sum = item;
    for (uint k = 0; k < n / 2; k++)
        sum = sum * 3 + in[(k & 7) + pitch];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[item * pitch + k];
    out[item] = sum;
}

// One loop that hits, then walks along rows, then hits again: the order must change inside the region.
__kernel void changes(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), sum = item;
    for (uint k = 0; k < n + n / 2; k++) {
        uint walks = k >= n / 4 && k < n + n / 4;
        sum = sum * 3 + in[walks ? item * pitch + (k - n / 4) : k & 7];
    }
    out[item] = sum;
}

// Hardly any loads, much arithmetic: a window takes long.
__kernel void busy(__global const uint *in, __global uint *out, uint n, uint pitch) {
    uint item = get_global_id(0), sum = item;
    for (uint k = 0; k < n / 4; k++) {
        uint word = in[item * pitch + k];
        for (uint j = 0; j < 6; j++)
            sum = sum * 5 + (word ^ sum >> 3);
    }
    out[item] = sum;
}
