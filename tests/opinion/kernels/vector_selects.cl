__kernel void vector_selects(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint8 v = vload8(0, in + i);
    uint4 w = vload4(0, in + 2 * i);
    int4 m = as_int4(w) < as_int4(v.lo);
    vstore4(select(w, v.hi, m), 0, to);
    vstore4(m ? w : v.lo, 1, to);
    vstore4(as_uint4(w == v.lo), 2, to);
    to[12] = any(m);
    to[13] = all(m);
    vstore4(as_uint4(!m), 4, to);
    vstore4(as_uint4(m && (as_int4(w) > 0)), 5, to);
    vstore4(bitselect(w, v.lo, v.hi), 6, to);
}
// What a cast between vectors makes of a constant that stands where control flow meets.
__kernel void vector_select_counts(__global const uint *in, __global uint *out, uint n) {
    uint k = (uint)get_global_id(0);
    long a = (long)((long)in[(k * 2u + 37u) % n]);
    ulong2 v = (ulong2)((ulong)in[(k + 14u) % n], (ulong)in[(k + 112u) % n]);
    float f = convert_float((int)in[(k * 3u + 138u) % n]) * 0.37f;
    v.s1 = convert_ulong(a) ^ convert_ulong(a);
    if (rint(f * f) >= round(fmin(f, f) + 0.0f)) {
        f = ((f - f) + (f > f ? f : 1e20f)) +
            (popcount(convert_ushort(a)) <= (ushort)(convert_ushort_sat(f) & (ushort)0x8000u) ? fabs(f) : rint(f));
        v = bitselect(clz(v & (ulong2)0xfful), as_ulong2(v >= v) >> (~(ulong2)0x30f3681b80000000ul & (ulong2)63),
                      as_ulong2(v != v) * as_ulong2(rotate(v, v)));
    }
    out[3 * k] = (uint)v.s0 + (uint)(v.s0 >> 32) * 7u + ((uint)v.s1 + (uint)(v.s1 >> 32) * 7u) * 31u;
    out[3 * k + 1] = isnan(f) ? 0x7fc00000u : as_uint(f);
}
