// Kernels of build/kernel-bench, written as users write them; throughput.cl, progress.cl and the demo's have the others.

// c = a * b, n by n, a sum for each work-item, without tiles.
__kernel void sgemm_naive(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                          uint n) {
    const uint column = (uint)get_global_id(0), row = (uint)get_global_id(1);
    float sum = 0.0f;
    for (uint k = 0; k < n; k++) sum = fma(a[row * n + k], b[k * n + column], sum);
    c[row * n + column] = sum;
}

#ifndef ROWS
#define ROWS 8
#endif
// The same, 4 by 4 sums for each of 8 by ROWS work-items, from tiles of 8 columns and 8 rows in local memory.
__kernel void sgemm_blocks(__global const float *restrict a, __global const float *restrict b,
                           __global float *restrict c, uint n) {
    __local float4 left[8][ROWS], right[8][8];  // left: the tile's columns one after the other
    const uint x = (uint)get_local_id(0), y = (uint)get_local_id(1), item = y * 8 + x;
    const uint row = (uint)get_group_id(1) * 4 * ROWS, column = (uint)get_group_id(0) * 32;
    __local float *const left_word = (__local float *)left;
    float4 sum[4] = {0, 0, 0, 0};
    for (uint tile = 0; tile < n; tile += 8) {
        const float4 part = *(__global const float4 *)(a + (row + item / 2) * n + tile + item % 2 * 4);
        const uint at = item % 2 * 16 * ROWS + item / 2;
        left_word[at] = part.x;
        left_word[at + 4 * ROWS] = part.y;
        left_word[at + 8 * ROWS] = part.z;
        left_word[at + 12 * ROWS] = part.w;
        for (uint q = 0; q < 8; q += ROWS)
            right[y + q][x] = *(__global const float4 *)(b + (tile + y + q) * n + column + x * 4);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 8; k++) {
            const float4 l = left[k][y], r = right[k][x];
            sum[0] = fma((float4)l.x, r, sum[0]);
            sum[1] = fma((float4)l.y, r, sum[1]);
            sum[2] = fma((float4)l.z, r, sum[2]);
            sum[3] = fma((float4)l.w, r, sum[3]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 0; k < 4; k++) *(__global float4 *)(c + (row + y * 4 + k) * n + column + x * 4) = sum[k];
}

// Running sums of each group's `span` values, from left to right; the group takes as many at a time as it has items.
__kernel void scan(__global const uint *restrict in, __global uint *restrict out, uint span) {
    __local uint sums[2][64];
    const uint i = (uint)get_local_id(0), size = (uint)get_local_size(0), start = (uint)get_group_id(0) * span;
    uint carry = 0;
    for (uint at = start; at < start + span; at += size) {
        uint from = 0;
        sums[0][i] = in[at + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint step = 1; step < size; step *= 2) {
            uint sum = sums[from][i];
            if (i >= step) sum += sums[from][i - step];
            from ^= 1;
            sums[from][i] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[at + i] = carry + sums[from][i];
        carry += sums[from][size - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void saxpy(__global const float *restrict x, __global float *restrict y, float a, uint n) {
    const uint step = (uint)get_global_size(0);
    for (uint i = (uint)get_global_id(0); i < n; i += step) y[i] = fma(a, x[i], y[i]);
}

__kernel void copy(__global const uint *restrict in, __global uint *restrict out, uint n) {
    const uint step = (uint)get_global_size(0);
    for (uint i = (uint)get_global_id(0); i < n; i += step) out[i] = in[i];
}

#ifndef TILE
#define TILE 8
#endif
// n by n words, n a multiple of TILE; a group of TILE by TILE.
__kernel void transpose(__global const uint *restrict in, __global uint *restrict out, uint n) {
    __local uint tile[TILE][TILE + 1];
    const uint x = (uint)get_local_id(0), y = (uint)get_local_id(1);
    const uint column = (uint)get_group_id(0) * TILE, row = (uint)get_group_id(1) * TILE;
    tile[y][x] = in[(row + y) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(column + y) * n + row + x] = tile[x][y];
}

// Counts in local memory first.
__kernel void histogram_local(__global const uchar *restrict in, uint n, __global uint *bins) {
    __local uint mine[256];
    const uint i = (uint)get_local_id(0), size = (uint)get_local_size(0), step = (uint)get_global_size(0);
    for (uint v = i; v < 256; v += size) mine[v] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = (uint)get_global_id(0); k < n; k += step) atomic_inc(&mine[in[k]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint v = i; v < 256; v += size)
        if (mine[v] != 0) atomic_add(&bins[v], mine[v]);
}

// Accelerations of n bodies (x, y, z, mass) on each other.
__kernel void n_body(__global const float4 *restrict bodies, __global float4 *restrict out, uint n) {
    const uint i = (uint)get_global_id(0);
    const float4 own = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (uint k = 0; k < n; k++) {
        const float4 other = bodies[k];
        const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        const float r = native_rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, 0.01f))));
        const float pull = other.w * r * r * r;
        ax = fma(dx, pull, ax);
        ay = fma(dy, pull, ay);
        az = fma(dz, pull, az);
    }
    out[i] = (float4)(ax, ay, az, 0.0f);
}

// Of 512 complex numbers for each group of 64; roots[k] = exp(-2 pi i k / 512), k below 256.
__kernel void fft_512(__global const float2 *restrict in, __global float2 *restrict out,
                      __global const float2 *restrict roots) {
    __local float2 data[512];
    const uint i = (uint)get_local_id(0), start = (uint)get_group_id(0) * 512;
    for (uint k = i; k < 512; k += 64) {
        uint place = 0;
        for (uint b = 0; b < 9; b++) place |= (k >> b & 1) << (8 - b);
        data[place] = in[start + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 1, log = 0; half_size < 512; half_size *= 2, log++) {
        for (uint k = i; k < 256; k += 64) {
            const uint low = k & (half_size - 1), at = (k - low) * 2 + low;
            const float2 w = roots[low << (8 - log)], a = data[at], b = data[at + half_size];
            const float2 t = (float2)(fma(b.x, w.x, -(b.y * w.y)), fma(b.x, w.y, b.y * w.x));
            data[at] = a + t;
            data[at + half_size] = a - t;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = i; k < 512; k += 64) out[start + k] = data[k];
}

// 256 keys of 16 bits by 64 work-items, two bits at a time; equal digits keep their order.
__kernel void radix_sort(__global const uint *restrict in, __global uint *restrict out) {
    __local uint keys[2][256], counts[256];
    const uint i = (uint)get_local_id(0), start = (uint)get_group_id(0) * 256;
    uint from = 0;
    for (uint k = 0; k < 4; k++) keys[0][i * 4 + k] = in[start + i * 4 + k];
    for (uint shift = 0; shift < 16; shift += 2, from ^= 1) {
        for (uint d = 0; d < 4; d++) counts[d * 64 + i] = 0;
        for (uint k = 0; k < 4; k++) counts[(keys[from][i * 4 + k] >> shift & 3) * 64 + i]++;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint own[4] = {counts[i * 4], counts[i * 4 + 1], counts[i * 4 + 2], counts[i * 4 + 3]};
        uint all = own[0] + own[1] + own[2] + own[3], before = all;
        for (uint step = 1; step < 64; step *= 2) {
            keys[from ^ 1][i] = before;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i >= step) before += keys[from ^ 1][i - step];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        before -= all;
        for (uint k = 0; k < 4; k++) {
            counts[i * 4 + k] = before;
            before += own[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 4; k++) {
            const uint key = keys[from][i * 4 + k];
            keys[from ^ 1][counts[(key >> shift & 3) * 64 + i]++] = key;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 0; k < 4; k++) out[start + i * 4 + k] = keys[from][i * 4 + k];
}

// Rounds until |z| > 2, at most `most`, for a picture `width` wide of -2.25 to 0.75 and -1.5 to 1.5.
__kernel void mandelbrot(__global uint *out, uint width, uint most) {
    const uint px = (uint)get_global_id(0), py = (uint)get_global_id(1);
    const float cell = 3.0f / (float)width, x0 = fma((float)px, cell, -2.25f), y0 = fma((float)py, cell, -1.5f);
    float x = 0.0f, y = 0.0f;
    uint rounds = 0;
    while (rounds < most) {
        const float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        y = fma(x + x, y, y0);
        x = (xx - yy) + x0;
        rounds++;
    }
    out[py * width + px] = rounds;
}
