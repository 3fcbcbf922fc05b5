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
