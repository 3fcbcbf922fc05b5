// Histogram equalization of 8-bit pixels, first half: count, then sum up.
// A launch of histogram, then one of cumulate, then compute_output (compute_output.cl).

// Counts how often each pixel value occurs.
//   in    n pixels
//   n     number of pixels, any value
//   bins  256 counters; the caller sets them to 0 first
// Any number of work-items in one dimension does: each takes every global-size-th pixel, so that neighbours read
// neighbouring bytes.
__kernel void histogram(__global const uchar *in, uint n, __global uint *bins) {
    const uint step = (uint)get_global_size(0);
    for (uint i = (uint)get_global_id(0); i < n; i += step) atomic_inc(&bins[in[i]]);
}

// The cumulative distribution: global_cdf[v] = number of pixels whose value is at most v.
//   bins        256 counters of histogram
//   global_cdf  256 sums
// Any number of work-items in one dimension does; 256 is the natural one.
__kernel void cumulate(__global const uint *bins, __global uint *global_cdf) {
    const uint step = (uint)get_global_size(0);
    for (uint v = (uint)get_global_id(0); v < 256u; v += step) {
        uint sum = 0;
        for (uint k = 0; k <= v; k++) sum += bins[k];
        global_cdf[v] = sum;
    }
}
