// 64-bit integers.
#ifdef __OPENCL_VERSION__
#define rotate_l(a, b) rotate(a, b)
#define popcount_l(a) popcount(a)
#define clz_l(a) clz(a)
#define min_ul(a, b) min(a, b)
#define max_l(a, b) max(a, b)
#define add_sat_ul(a, b) add_sat(a, b)
#define sub_sat_ul(a, b) sub_sat(a, b)
#define add_sat_l(a, b) add_sat(a, b)
#define sub_sat_l(a, b) sub_sat(a, b)
#define mul_hi_ul(a, b) mul_hi(a, b)
#define mul_hi_l(a, b) mul_hi(a, b)
#endif

void put_wide(__global uint *to, uint at, ulong x) {
    to[2 * at] = (uint)x;
    to[2 * at + 1] = (uint)(x >> 32);
}

#define WIDE_OPERANDS                                                                            \
    uint item = get_global_id(0);                                                                \
    if (item >= n) return;                                                                       \
    uint first = in[2 * item], second = in[2 * item + 1];                                        \
    ulong a = (ulong)first << 32 | second * 2654435761u, b = (ulong)second << (item % 33u) | first; \
    long sa = (long)a, sb = (long)b;                                                             \
    if (item % 5u == 0) b = (ulong)second, sa = (int)first;                                      \
    if (item % 7u == 0) b = a + 1, sb = sa - 1;                                                  \
    __global uint *to = out + 32 * item;

__kernel void wide_arithmetic(__global const uint *in, __global uint *out, uint n) {
    WIDE_OPERANDS
    put_wide(to, 0, a + b);
    put_wide(to, 1, a - b);
    put_wide(to, 2, a * b);
    put_wide(to, 3, (ulong)first * second);
    put_wide(to, 4, (ulong)((long)(int)first * (int)second));
    put_wide(to, 5, a + 1);
    put_wide(to, 6, b - 0x100000000ul);
    put_wide(to, 7, a * 10ul);
    put_wide(to, 8, (a & b) ^ (a | 0xFFFF0000FFFFul));
    put_wide(to, 9, ~a);
    put_wide(to, 10, 0ul - b);
    put_wide(to, 11, (a + second) * 3ul - first);
    put_wide(to, 12, (ulong)sa * (ulong)sb + a);
    put_wide(to, 13, (ulong)(short)first);
    put_wide(to, 14, (ulong)(uchar)second + (a > b));
    to[30] = (uint)(a * b >> 32);
    to[31] = (uint)(((ulong)first * second) >> 40);
}

__kernel void wide_shifts(__global const uint *in, __global uint *out, uint n) {
    WIDE_OPERANDS
    uint by = second & 63u;
    put_wide(to, 0, a << by);
    put_wide(to, 1, a >> by);
    put_wide(to, 2, (ulong)(sa >> by));
    put_wide(to, 3, a << 7);
    put_wide(to, 4, a >> 33);
    put_wide(to, 5, (ulong)(sa >> 40));
    put_wide(to, 6, a << 32);
    put_wide(to, 7, a >> 32);
    put_wide(to, 8, (ulong)(sa >> 63));
    put_wide(to, 9, a << 13 | a >> 51);
    put_wide(to, 10, rotate_l(a, (ulong)by));
    put_wide(to, 11, (a >> 5) + (b << 40));
    put_wide(to, 12, 1ul << by);
    put_wide(to, 13, (ulong)first << by);
    put_wide(to, 14, a << 31 >> 31);
    to[30] = (uint)(a >> by);
    to[31] = (uint)(sa >> 31);
}

__kernel void wide_comparisons(__global const uint *in, __global uint *out, uint n) {
    WIDE_OPERANDS
    if ((first & 3u) == 0) b = a, sb = sa;
    to[0] = a < b;
    to[1] = a <= b;
    to[2] = a > b;
    to[3] = a >= b;
    to[4] = a == b;
    to[5] = a != b;
    to[6] = sa < sb;
    to[7] = sa <= sb;
    to[8] = sa > sb;
    to[9] = sa >= sb;
    to[10] = sa < 0;
    to[11] = sa >= 0;
    to[12] = a > 0x7FFFFFFFFul;
    to[13] = sa < -5000000000l;
    to[14] = a == 0;
    to[15] = (a >> 32) == (b >> 32);
    put_wide(to, 8, a < b ? a : b);
    put_wide(to, 9, sa < sb ? (ulong)sb : 12345678901ul);
    put_wide(to, 10, (ulong)(sa < 0 ? -sa : sa));
    ulong held = a, count = 0;
    for (uint k = 0; k < (first & 15u); k++) {
        held = held > b ? held - (b >> 1) : held * 3ul + 1ul;
        count += held & 0x1FFFFFFFFul;
    }
    put_wide(to, 11, held);
    put_wide(to, 12, count);
}

__kernel void wide_division(__global const uint *in, __global uint *out, uint n) {
    WIDE_OPERANDS
    if (b == 0) b = 7;
    if (sb == 0 || sb == -1) sb = -3;
    put_wide(to, 0, a / b);
    put_wide(to, 1, a % b);
    put_wide(to, 2, (ulong)(sa / sb));
    put_wide(to, 3, (ulong)(sa % sb));
    put_wide(to, 4, a / (first | 1u));
    put_wide(to, 5, a % (second | 1u));
    put_wide(to, 6, a / 10ul);
    put_wide(to, 7, (ulong)(sa / -1000000007l));
    put_wide(to, 8, b / (a >> 31 | 1ul));
    put_wide(to, 9, ~0ul / b);
    put_wide(to, 10, ~0ul % (b >> 20 | 1ul));
    put_wide(to, 11, a / 4294967296ul);
    put_wide(to, 12, (ulong)(sa / 16l));
}

__kernel void wide_conversions(__global const uint *in, __global uint *out, uint n) {
    WIDE_OPERANDS
    float x = as_float((first & 0x83FFFFFFu) | (0x3C000000u + (second & 0x10000000u)));
    to[0] = as_uint((float)a);
    to[1] = as_uint((float)sa);
    to[2] = as_uint((float)(a >> (second & 63u)));
    to[3] = as_uint((float)(a | 1ul));
    to[4] = as_uint((float)(long)(a >> 20));
    if (x != x || x < -1.0f || x > 1.8e19f) x = 1.5e10f;
    put_wide(to, 3, x > -1.0f ? (ulong)x : 0ul);
    put_wide(to, 4, (ulong)(long)(x < 9.0e18f ? -x : x * 0.25f));
    put_wide(to, 5, popcount_l(a));
    put_wide(to, 6, clz_l(a));
    put_wide(to, 7, clz_l(b >> 32));
    put_wide(to, 8, min_ul(a, b));
    put_wide(to, 9, (ulong)max_l(sa, sb));
    put_wide(to, 10, add_sat_ul(a, b));
    put_wide(to, 11, sub_sat_ul(a, b));
    put_wide(to, 12, (ulong)add_sat_l(sa, sb));
    put_wide(to, 13, (ulong)sub_sat_l(sa, sb));
    put_wide(to, 14, mul_hi_ul(a, b));
    put_wide(to, 15, (ulong)mul_hi_l(sa, sb));
}
