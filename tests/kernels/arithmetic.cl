// Integer arithmetic in all the sizes the compiler takes. Every kernel here: in has 2 * n words, out 32 * n; work-item i < n reads
// in[2 i], in[2 i + 1] and writes out[32 i ..]. Also read as C, by as_c.h.

__kernel void arithmetic(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    __global uint *to = out + 32 * i;
    to[0] = a + b;
    to[1] = a - b;
    to[2] = a * b;
    to[3] = a & b;
    to[4] = a | b;
    to[5] = a ^ b;
    to[6] = ~a;
    to[7] = 0u - a;
    to[8] = a << (b & 31);
    to[9] = a >> (b & 31);
    to[10] = (uint)((int)a >> (b & 31));
    to[11] = 100u - a;
    to[12] = a * 7u + b * 8u;
    to[13] = a << 5 | a >> 27;
}

__kernel void divide(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1] | 1u;
    int sa = (int)a, sb = (int)b;
    __global uint *to = out + 32 * i;
    if (sb == -1) sb = 3;
    to[0] = a / b;
    to[1] = a % b;
    to[2] = (uint)(sa / sb);
    to[3] = (uint)(sa % sb);
    to[4] = a / 7u;
    to[5] = a % 1000u;
    to[6] = (uint)(sa / 10);
    to[7] = (uint)(sa % -13);
    to[8] = (a >> 20) / ((b >> 25) + 1u);
    to[9] = a / (b >> 31 | 1u);
    to[10] = a / 0x80000001u;
    to[11] = (uint)(sa / 16);
    to[12] = (uint)(sa % 16);
    to[13] = 1000000u / ((b & 1023u) + 1u);
    to[14] = (uint)((char)a / (char)((b & 63) | 1));
    to[15] = (uint)((short)a % (short)((b & 1023) | 1));
    to[16] = (uint)((uchar)a / (uchar)(b | 1));
    to[17] = (uint)((ushort)a % (ushort)(b | 1));
    to[18] = (uint)((char)a / 3);
}

__kernel void narrow(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    char c = (char)a, d = (char)b;
    uchar e = (uchar)a, f = (uchar)b;
    short g = (short)a, h = (short)(b >> 7);
    ushort k = (ushort)a, l = (ushort)(b >> 3);
    __global uint *to = out + 32 * i;
    to[0] = (uint)(char)(c + d);
    to[1] = (uint)(uchar)(e - f);
    to[2] = (uint)(short)(g * h);
    to[3] = (uint)(ushort)(k * 31 + l);
    to[4] = c < d ? 1u : 2u;
    to[5] = e < f ? 1u : 2u;
    to[6] = g <= h ? 1u : 2u;
    to[7] = k > l ? 1u : 2u;
    to[8] = (uint)(c >> 3);
    to[9] = (uint)(e >> 3);
    to[10] = (uint)(short)(g * 32);
    to[11] = (uint)(uchar)~e;
    to[12] = (uint)(c == d) + 2u * (uint)(e != f) + 4u * (uint)(g >= h);
    to[13] = (uint)(char)(e + f) ^ (uint)(ushort)(c - d);
    to[14] = (uint)(char)-c;
    to[15] = (uint)(ushort)(l >> (e & 7));
}

__kernel void comparisons(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    int sa = (int)a, sb = (int)b;
    uint bits = 0;
    bits |= a == b ? 1u : 0u;
    bits |= a != b ? 2u : 0u;
    bits |= a < b ? 4u : 0u;
    bits |= a <= b ? 8u : 0u;
    bits |= a > b ? 16u : 0u;
    bits |= a >= b ? 32u : 0u;
    bits |= sa < sb ? 64u : 0u;
    bits |= sa <= sb ? 128u : 0u;
    bits |= sa > sb ? 256u : 0u;
    bits |= sa >= sb ? 512u : 0u;
    bits |= sa < -5 ? 1024u : 0u;
    bits |= 77u > b ? 2048u : 0u;
    out[32 * i] = bits;
    bool p = sa < sb, q = (a & 3u) == 1u, r = b > 1000u;
    out[32 * i + 1] = (uint)((p && q) || (!r && p) || (q != r));
    out[32 * i + 2] = p ? (q ? a : b) : (r ? a + b : a - b);
    out[32 * i + 3] = (uint)(p ^ q) + (uint)(p == r) * 2u + (uint)(p < q) * 4u;
}

// Ten conditions alive at once, and used in another block than the one that made them.
__kernel void many_conditions(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    bool c0 = (a & 1u) != 0, c1 = (a & 2u) != 0, c2 = a > b, c3 = (b & 4u) != 0, c4 = a + b < a;
    bool c5 = (a ^ b) > 500u, c6 = (int)a < 0, c7 = (int)b < (int)a, c8 = (a & 0x70u) == 0x30u, c9 = (b & 3u) == 2u;
    uint x = 0;
    if (c0 != c9) {
        x = (c1 ? 1u : 0u) + (c2 ? 2u : 0u) + (c3 ? 4u : 0u);
        if (c4 || c5) x += 1000u;
    } else {
        x = (c6 ? 8u : 0u) + (c7 ? 16u : 0u) + (c8 ? 32u : 0u);
        if (c4 && !c5) x += 2000u;
    }
    out[32 * i] = x;
    out[32 * i + 1] = (c0 ? a : b) + (c1 ? a : 1u) + (c2 ? 3u : b) + (c3 ? a * b : a) + (c4 ? 5u : 6u) + (c5 ? b : 9u) +
                      (c6 ? 1u : a) + (c7 ? b : 2u) + (c8 ? 4u : a) + (c9 ? 7u : 8u);
}

__kernel void builtins(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    int sa = (int)a, sb = (int)b;
    __global uint *to = out + 32 * i;
    to[0] = min(a, b);
    to[1] = max(a, b);
    to[2] = (uint)min(sa, sb);
    to[3] = (uint)max(sa, sb);
    to[4] = abs(sa);
    to[5] = (uint)clamp(sa, -1000, 1000);
    to[6] = clamp(a, 10u, 0x80000000u);
    to[7] = mul_hi(a, b);
    to[8] = (uint)mul_hi(sa, sb);
    to[9] = (uint)mul24((int)(a & 0xFFFu), (int)(b & 0xFFFu));
    to[10] = (uint)mad24((int)(a & 0xFFFu), (int)(b & 0xFFFu), sa);
    to[11] = clz(a);
    to[12] = clz(a & 0xFFu);
    to[13] = popcount(a);
    to[14] = rotate(a, b & 31u);
    to[15] = rotate(a, 7u);
    to[16] = hadd(a, b);
    to[17] = (uint)hadd(sa, sb);
    to[18] = add_sat(a, b);
    to[19] = sub_sat(a, b);
    to[20] = (uint)add_sat(sa, sb);
    to[21] = (uint)sub_sat(sa, sb);
    to[22] = abs_diff(sa, sb);
    to[23] = clz(0u & a);
}

// Every value is alive over the loop: many registers, still fewer than a thread has.
__kernel void many_values(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    uint v0 = a, v1 = b, v2 = a + b, v3 = a - b, v4 = a * b, v5 = a ^ b, v6 = a & b, v7 = a | b, v8 = a << 1, v9 = b << 2;
    uint w0 = a * 3u, w1 = b * 5u, w2 = a * 7u, w3 = b * 9u, w4 = a * 11u, w5 = b * 13u, w6 = a * 15u, w7 = b * 17u;
    for (uint k = 0; k < (a & 15u); k++) {
        uint carried = v0;
        v0 = v1 + w7;
        v1 = v2 ^ w6;
        v2 = v3 + w5;
        v3 = v4 ^ w4;
        v4 = v5 + w3;
        v5 = v6 ^ w2;
        v6 = v7 + w1;
        v7 = v8 ^ w0;
        v8 = v9 + k;
        v9 = carried;
        w0 += v1;
        w1 ^= v2;
        w2 += v3;
        w3 ^= v4;
        w4 += v5;
        w5 ^= v6;
        w6 += v7;
        w7 ^= v8;
    }
    __global uint *to = out + 32 * i;
    to[0] = v0, to[1] = v1, to[2] = v2, to[3] = v3, to[4] = v4, to[5] = v5, to[6] = v6, to[7] = v7, to[8] = v8, to[9] = v9;
    to[10] = w0, to[11] = w1, to[12] = w2, to[13] = w3, to[14] = w4, to[15] = w5, to[16] = w6, to[17] = w7;
}
