__kernel void vector_operators(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint8 v = vload8(0, in + i);
    uint4 w = vload4(0, in + 2 * i);
    uint4 a = v.lo;
    vstore4(a + w * 3u, 0, to);
    vstore4(a / (w | 1u), 1, to);
    vstore4(a % (w | 1u), 2, to);
    vstore4(a << (w & 31u), 3, to);
    vstore4(as_uint4(as_int4(a) >> as_int4(w & 31u)), 4, to);
    a += 1u;
    a++;
    a ^= w;
    vstore4(~a, 5, to);
    to[24] = as_uint(as_uchar4(a.x).wzyx);
    to[25] = as_uint(as_short2(a.y).yx);
}
