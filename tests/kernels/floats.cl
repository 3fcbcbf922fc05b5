// Single precision: what has one right answer, bit for bit.
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#endif

// Every NaN as the same one.
uint bits_of(float x) {
    return x != x ? 0x7FC00000u : as_uint(x);
}

// Two floats from two words, of a kind that changes with the work-item: any bits, near each other, near 1, subnormal,
// small whole numbers, one of them extreme.
float first_float(uint a, uint kind) {
    switch (kind) {
        case 0: return as_float(a * 2654435761u);
        case 1: return as_float((a * 2654435761u & 0x80FFFFFFu) | 0x3F000000u);
        case 2: return as_float(a * 2654435761u & 0x80FFFFFFu);
        case 3: return (float)(int)a;
        case 4: return as_float((a * 2654435761u & 0x807FFFFFu) | 0x7F000000u);
        default: return as_float(a);
    }
}

float second_float(uint a, uint b, uint kind) {
    switch (kind) {
        case 0: return as_float(b * 2246822519u);
        case 1: return as_float((b * 2246822519u & 0x80FFFFFFu) | 0x3F000000u);
        case 2: return as_float((b * 2246822519u & 0x83FFFFFFu) + 0x3F000000u * (b & 1u));
        case 3: return (float)(b & 1023u) * 0.5f;
        case 4: return as_float((b * 2246822519u & 0x80FFFFFFu) | 0x3F000000u * (b & 1u));
        default: return first_float(a, 0) + as_float(b & 0x3FFFFFFFu);
    }
}

#define OPERANDS(name)                                               \
    uint item = get_global_id(0);                                    \
    if (item >= n) return;                                           \
    uint first = in[2 * item], second = in[2 * item + 1];            \
    float x = first_float(first, item % 6u), y = second_float(first, second, item % 6u); \
    if (x != x) x = as_float(0x7FC00000u); /* the host tells signaling NaNs from quiet ones */ \
    if (y != y) y = as_float(0x7FC00000u);                           \
    __global uint *to = out + 32 * item;

__kernel void float_arithmetic(__global const uint *in, __global uint *out, uint n) {
    OPERANDS(0)
    to[0] = bits_of(x + y);
    to[1] = bits_of(x - y);
    to[2] = bits_of(x * y);
    to[3] = bits_of(x / y);
    to[4] = bits_of(y / x);
    to[5] = bits_of(1.0f / y);
    to[6] = bits_of(x / 3.0f);
    to[7] = bits_of(sqrt(x));
    to[8] = bits_of(sqrt(fabs(y)));
    to[9] = bits_of(fma(x, y, x));
    to[10] = bits_of(fma(x, -y, x * y));
    to[11] = bits_of(fmod(x, y));
    to[12] = bits_of(fmod(y, x));
    to[13] = bits_of(2.5f - x);
    to[14] = bits_of(y - 2.5f);
    to[15] = bits_of(-x);
    to[16] = bits_of(x * y + x);
    to[17] = bits_of((x + 1.0e-40f) * 0.5f);
    to[18] = bits_of(sqrt(x / y));
    to[19] = bits_of(x * -1.0f);
    to[20] = bits_of(x - x);
    to[21] = bits_of(0.0f - x);
}

__kernel void float_bits(__global const uint *in, __global uint *out, uint n) {
    OPERANDS(0)
    to[0] = bits_of(floor(x));
    to[1] = bits_of(ceil(x));
    to[2] = bits_of(trunc(y));
    to[3] = bits_of(rint(y));
    to[4] = bits_of(round(x));
    to[5] = bits_of(round(y));
    to[6] = bits_of(fabs(x));
    to[7] = bits_of(copysign(x, y));
    to[8] = bits_of(copysign(1.0f, x));
    to[9] = bits_of(x == y ? x : fmin(x, y));
    to[10] = bits_of(x == y ? x : fmax(x, y));
    to[11] = x == x && y == y ? bits_of(x == 4.0f ? x : fmin(x, 4.0f)) : 0;
    to[12] = as_uint(x) ^ as_uint(y);
    to[13] = (uint)(isnan(x) != 0) | (uint)(isinf(x) != 0) << 1 | (uint)(isfinite(y) != 0) << 2 |
             (uint)(isnormal(y) != 0) << 3 | (uint)(signbit(x) != 0) << 4;
    to[14] = (uint)(isnan(x) != 0 || isinf(x) != 0) | (uint)(isfinite(x) == 0) << 1;
    float held = x;
    for (uint k = 0; k < (second & 7u); k++)
        held = held < y ? held * 1.5f + 1.0f : held - y * 0.25f;
    to[15] = bits_of(held);
}

__kernel void float_comparisons(__global const uint *in, __global uint *out, uint n) {
    OPERANDS(0)
    if ((first & 3u) == 0) y = x;
    to[0] = x < y;
    to[1] = x <= y;
    to[2] = x > y;
    to[3] = x >= y;
    to[4] = x == y;
    to[5] = x != y;
    to[6] = !(x < y);
    to[7] = !(x <= y);
    to[8] = !(x > y);
    to[9] = !(x >= y);
    to[10] = x < 0.0f;
    to[11] = 1.0f <= y;
    to[12] = isless(x, y) != 0;
    to[13] = islessgreater(x, y) != 0;
    to[14] = isunordered(x, y) != 0;
    to[15] = x < y ? 1u : x > y ? 2u : x == y ? 3u : 4u;
    to[16] = (x < y) + (y < 2.0f) * 2 + (x == x && y > -1.0f) * 4;
    to[17] = bits_of(x < y ? x : 7.5f);
    if (x > y) {
        to[18] = bits_of(x - 1.0f);
    } else {
        to[18] = bits_of(y + 1.0f);
    }
}

float in_range(float x, float low, float high) {
    return x > low && x < high ? x : 1.75f;
}

__kernel void float_conversions(__global const uint *in, __global uint *out, uint n) {
    OPERANDS(0)
    to[0] = bits_of((float)(int)first);
    to[1] = bits_of((float)first);
    to[2] = bits_of((float)(short)first);
    to[3] = bits_of((float)(ushort)first);
    to[4] = bits_of((float)(char)first);
    to[5] = bits_of((float)(uchar)first);
    to[6] = bits_of((float)(first > second));
    to[7] = (uint)(int)in_range(x, -2147483648.0f, 2147483648.0f);
    to[8] = (uint)in_range(x, -1.0f, 4294967296.0f);
    to[9] = (uint)(int)(short)in_range(y, -32769.0f, 32768.0f);
    to[10] = (ushort)in_range(y, -1.0f, 65536.0f);
    to[11] = (uint)(int)(char)in_range(y, -129.0f, 128.0f);
    to[12] = (uchar)in_range(x, -1.0f, 256.0f);
    to[13] = (uint)convert_int_sat(x);
    to[14] = convert_uint_sat(x);
    to[15] = (uint)(int)convert_short_sat(y);
    to[16] = convert_uchar_sat(y);
    to[17] = (uint)convert_int_sat_rte(x);
    to[18] = (uint)convert_int_sat_rtp(y);
    to[19] = (uint)convert_int_sat_rtn(y);
    to[20] = convert_uint_sat_rte(y);
    to[21] = bits_of((x + 2.0f) * (float)(second & 15u));
    to[22] = (uint)(int)convert_char_sat_rte(x);
    to[23] = convert_ushort_sat_rtp(x);
}
