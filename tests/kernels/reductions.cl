// Sixteen terms of 64 bits that LLVM makes a vector of, and reduces. Every kernel here: in has 2 * n words, out 32 * n; work-item i < n writes
// out[32 i] and out[32 i + 1]. Also read as C, by as_c.h.
#ifdef __OPENCL_VERSION__
#define min_ul(a, b) min(a, b)
#define max_ul(a, b) max(a, b)
#define min_l(a, b) min(a, b)
#define max_l(a, b) max(a, b)
#define store_term(to, x) (*(__global ulong *)(to) = (x))
#else
#define store_term(to, x) ((to)[0] = (uint)(x), (to)[1] = (uint)((x) >> 32))
#endif

#define TERMS(f) f(1ul) f(2ul) f(3ul) f(4ul) f(5ul) f(6ul) f(7ul) f(8ul) f(9ul) f(10ul) f(11ul) f(12ul) f(13ul) f(14ul) f(15ul) f(16ul)
#define REDUCED(name, first, join)                                            \
    __kernel void name(__global const uint *in, __global uint *out, uint n) { \
        uint i = (uint)get_global_id(0);                                      \
        if (i >= n) return;                                                   \
        ulong a = (ulong)in[2 * i] << 32 | in[2 * i + 1] * 2654435761u;       \
        ulong b = (ulong)in[2 * i + 1] << (i % 33u) | in[2 * i], x = first;   \
        TERMS(join)                                                           \
        store_term(out + 32 * i, x);                                          \
    }
#define ADD(k) x += (a + k) * (b | k) ^ (b * k);
#define XOR(k) x ^= (a + k) * (b | k) + (b * k);
#define OR(k) x |= (a + k) * (b | k) & (b * k);
#define AND(k) x &= (a + k) * (b | k) | (b * k);
#define LEAST(k) x = min_ul(x, (a + k) * (b | k) ^ (b * k));
#define MOST(k) x = max_ul(x, (a + k) * (b | k) ^ (b * k));
#define LOWEST(k) x = (ulong)min_l((long)x, (long)((a + k) * (b | k) ^ (b * k)));
#define HIGHEST(k) x = (ulong)max_l((long)x, (long)((a + k) * (b | k) ^ (b * k)));
REDUCED(wide_sums, 0, ADD)
REDUCED(wide_differences, 0, XOR)
REDUCED(wide_unions, 0, OR)
REDUCED(wide_intersections, ~0ul, AND)
REDUCED(wide_least, ~0ul, LEAST)
REDUCED(wide_most, 0, MOST)
REDUCED(wide_lowest, b, LOWEST)
REDUCED(wide_highest, b, HIGHEST)

// Loops that only load, whose step each work-item has of its own: near 0, near the ends of the numbers, over the top.
__kernel void strides(__global const uint *in, __global uint *out, uint n) {
    const uint i = (uint)get_global_id(0);
    if (i >= n) return;
    const uint a = in[2 * i], b = in[2 * i + 1], step = (a & 31u) + 1u, start = b & 63u, end = b >> 8 & 255u, top = 0xFFFFFF00u;
    const int first = -(int)start, last = (int)end - 100;
    __global uint *to = out + 32 * i;
    uint sum = 0, turns = 0;
    for (uint k = start; k < end; k += step) sum += in[k & 127u];
    to[0] = sum;
    for (uint k = top + start; k < top + end - (end > 200u ? 55u : 0u); k += step) sum = sum * 3u + in[k & 127u];
    to[1] = sum;
    for (int k = first; k < last; k += (int)step) sum = sum * 5u + in[k & 127];
    to[2] = sum;
    for (int k = (int)(0x7FFFFF00u + start); k < (int)(0x7FFFFFC0u + (a >> 5 & 31u)); k += (int)step) sum ^= in[k & 127] + (uint)k;
    to[3] = sum;
    for (uint k = (a & 0x3FFFFFFFu) | 0x80000000u; k < 0xC0000000u; k += 0x60000000u + end) {
        sum += in[k & 127u];
        turns++;
    }
    to[4] = sum;
    to[5] = turns;
}
