// Vectors of every length against the same done element by element. Each work-item writes pairs: the vector's element, the single one.
#define PAIR(a, b)  \
    to[at++] = (a); \
    to[at++] = (b);

#define BEGIN                                          \
    uint item = get_global_id(0);                      \
    if (item >= n) return;                             \
    __global const uint *from = in + (item * 3u & 127u); \
    __global uint *to = out + 64 * item;               \
    uint at = 0;

__kernel void vector_arithmetic(__global const uint *in, __global uint *out, uint n) {
    BEGIN
    uint4 a = vload4(0, from), b = vload4(0, from + 4);
    uint4 sum = a + b * 3u, lower = min(a, b), turned = rotate(a, b & 31u), apart = abs_diff(a, b);
    for (uint k = 0; k < 4; k++) {
        uint x = from[k], y = from[4 + k];
        PAIR(k == 0 ? sum.x : k == 1 ? sum.y : k == 2 ? sum.z : sum.w, x + y * 3u)
        PAIR(k == 0 ? lower.x : k == 1 ? lower.y : k == 2 ? lower.z : lower.w, min(x, y))
        PAIR(k == 0 ? turned.x : k == 1 ? turned.y : k == 2 ? turned.z : turned.w, rotate(x, y & 31u))
        PAIR(k == 0 ? apart.x : k == 1 ? apart.y : k == 2 ? apart.z : apart.w, abs_diff(x, y))
    }
    short8 s = as_short8(a);
    uchar16 c = as_uchar16(b);
    PAIR((uint)s.s3, (uint)(short)(from[1] >> 16))
    PAIR(c.s6, from[5] >> 16 & 255u)
    short8 t = add_sat(s, as_short8(b));
    PAIR((uint)t.s2, (uint)add_sat((short)from[1], (short)from[5]))
    uint3 three = vload3(1, from);
    PAIR(three.x ^ three.y ^ three.z, from[3] ^ from[4] ^ from[5])
    PAIR(as_uint(as_uchar4(a.x).wzyx), (from[0] & 255u) << 24 | (from[0] >> 8 & 255u) << 16 | (from[0] >> 16 & 255u) << 8 | from[0] >> 24)
    int4 less = a < b;
    PAIR((uint)(any(less) != 0), from[0] < from[4] || from[1] < from[5] || from[2] < from[6] || from[3] < from[7])
    PAIR((uint)(all(less) != 0), from[0] < from[4] && from[1] < from[5] && from[2] < from[6] && from[3] < from[7])
}

__kernel void vector_moves(__global const uint *in, __global uint *out, uint n) {
    BEGIN
    uint4 a = vload4(0, from), b = vload4(0, from + 4);
    uint which = from[9] & 3u, other = from[10] & 7u;
    uint4 mixed = (uint4)(a.zw, b.xy), order = (uint4)(which, other, 3u - which, 2u);
    PAIR(mixed.x, from[2])
    PAIR(mixed.w, from[5])
    uint4 picked = shuffle(a, order), picked2 = shuffle2(a, b, order);
    PAIR(picked.x, from[which])
    PAIR(picked.y, from[other & 3u])
    PAIR(picked2.y, from[other])
    uint4 changed = a;
    ((uint *)&changed)[0] = 7u;
    changed.y = which;
    PAIR(changed.x + changed.y, 7u + which)
    uint4 chosen = select(a, b, a < b);
    PAIR(chosen.z, from[2] < from[6] ? from[6] : from[2])
    uint8 eight = (uint8)(a, b);
    PAIR(eight.even.z + eight.odd.w + eight.hi.x, from[4] + from[7] + from[4])
    uint16 many = (uint16)(eight, eight.s76543210);
    PAIR(many.sf ^ many.s8, from[0] ^ from[7])
    ulong2 wide = (ulong2)((ulong)a.x << 32 | a.y, (ulong)b.x << 32 | b.y);
    wide = wide * 3ul + wide.yx;
    ulong x = ((ulong)from[0] << 32 | from[1]) * 3ul + ((ulong)from[4] << 32 | from[5]);
    PAIR((uint)wide.x, (uint)x)
    PAIR((uint)(wide.x >> 32), (uint)(x >> 32))
    uint4 held = a;
    for (uint k = 0; k < which; k++)
        held = held.yzwx + b;
    uint4 step = a;
    if (which > 0) step = (uint4)(a.y + b.x, a.z + b.y, a.w + b.z, a.x + b.w);
    if (which > 1) step = (uint4)(step.y + b.x, step.z + b.y, step.w + b.z, step.x + b.w);
    if (which > 2) step = (uint4)(step.y + b.x, step.z + b.y, step.w + b.z, step.x + b.w);
    PAIR(held.x, step.x)
    PAIR(held.w, step.w)
    vstore3(a.xyz, 16, to);
    PAIR(to[48], from[0])
    PAIR(to[50], from[2])
    to[48] = to[49] = to[50] = 0;
}

// dot() may be contracted or not (of numbers of one sign, or the sum may lose any number of bits), sin() has its own error.
// limit of vector_floats: 4 ulp
__kernel void vector_floats(__global const uint *in, __global uint *out, uint n) {
    BEGIN
    float4 a = convert_float4(as_int4(vload4(0, from))) * 0x1p-20f, b = convert_float4(vload4(0, from + 4)) * 0x1p-24f + 0.5f;
    float4 r = a / b, q = sqrt(b), f = fma(a, b, a), s = sin(a);
    for (uint k = 0; k < 2; k++) {
        float x = (float)(int)from[k] * 0x1p-20f, y = (float)from[4 + k] * 0x1p-24f + 0.5f;
        PAIR(as_uint(k == 0 ? r.x : r.y), as_uint(x / y))
        PAIR(as_uint(k == 0 ? q.x : q.y), as_uint(sqrt(y)))
        PAIR(as_uint(k == 0 ? f.x : f.y), as_uint(fma(x, y, x)))
        PAIR(as_uint(k == 0 ? s.x : s.y), as_uint(sin(x)))
    }
    PAIR(as_uint(clamp(a, -1.0f, 1.0f).z), as_uint(clamp((float)(int)from[2] * 0x1p-20f, -1.0f, 1.0f)))
    PAIR((uint)convert_int4_sat_rte(a).w, (uint)convert_int_sat_rte((float)(int)from[3] * 0x1p-20f))
    PAIR((uint)convert_uchar4_sat(a).w, (uint)convert_uchar_sat((float)(int)from[3] * 0x1p-20f))
    PAIR(as_uint(dot(fabs(a), b)), as_uint(dot(fabs(a.xyzw), b)))
    // Half precision there and back: what has become a number of 16 bits stays the same.
    vstore_half(a.x, 0, (__global half *)(to + 40));
    vstore_half(vload_half(0, (__global half *)(to + 40)), 1, (__global half *)(to + 40));
    PAIR(to[40] & 0xFFFFu, to[40] >> 16)
    to[40] = 0;
    ushort pattern = (ushort)from[0];
    *(__global ushort *)(to + 42) = (pattern & 0x7C00u) == 0x7C00u ? 0x3C00u : pattern;
    vstore_half(vload_half(0, (__global half *)(to + 42)), 1, (__global half *)(to + 42));
    PAIR(to[42] & 0xFFFFu, to[42] >> 16)
    to[42] = 0;
}
