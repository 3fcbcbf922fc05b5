// Histogram equalization of 8-bit pixels, second half: every pixel through a table made from the cumulative distribution.
//
//   in          n pixels
//   global_cdf  256 sums: number of pixels of the whole picture whose value is at most v (cumulate in histogram.cl)
//   out         n pixels; may be the same buffer as in
//   local_cdf   scratch, 256 bytes for each work-group: the work-group's own table. Work-group g makes and uses
//               local_cdf[256 * g .. 256 * g + 255], so no work-group waits for another
//   n           number of pixels, 0 to 16777216 (255 * n must fit in 32 bits); need not be a multiple of anything
//
// One dimension, any number of work-groups of any size. Table: the smallest value that occurs becomes 0, the largest 255,
// the rest in proportion, rounded to nearest:
//   local_cdf[v] = (255 * (global_cdf[v] - lowest) + (n - lowest) / 2) / (n - lowest),   lowest = first global_cdf[v] that is not 0
// (values below the smallest one become 0; a picture of one value keeps it).
// A work-group owns a span of pixels that begins at a multiple of 32 (a memory line); its work-items walk the span side by
// side, so neighbours read neighbouring bytes.
__kernel void compute_output(__global const uchar *in, __global const uint *global_cdf, __global uchar *out,
                             __global uchar *local_cdf, uint n) {
    const uint item = (uint)get_local_id(0);
    const uint items = (uint)get_local_size(0);
    const uint group = (uint)get_group_id(0);
    const uint groups = (uint)get_num_groups(0);

    local_cdf += 256u * group;
    uint lowest = 0;
    for (uint v = 0; v < 256u; v++) {
        lowest = global_cdf[v];
        if (lowest != 0) break;
    }
    const uint range = n - lowest;
    for (uint v = item; v < 256u; v += items) {
        const uint sum = global_cdf[v];
        uint value = v;
        if (range != 0) value = sum < lowest ? 0u : (255u * (sum - lowest) + range / 2u) / range;
        local_cdf[v] = (uchar)value;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    const uint lines = (n + 31u) / 32u;
    const uint span = (lines + groups - 1u) / groups * 32u;
    const uint begin = min(group * span, n);
    const uint start = begin + item;
    const uint final = min(begin + span, n);
    for (uint i = start; i < final; i += items) out[i] = local_cdf[in[i]];
}
