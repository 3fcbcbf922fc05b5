__kernel void vector_swizzles(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint8 v = vload8(0, in + i);
    uint4 w = vload4(0, in + 2 * i);
    uint4 x = v.s7531;
    x.xz = w.yw;
    uint8 y = (uint8)(x.hi, w.odd, w.even, x.lo);
    v.hi = y.lo + w;
    vstore8(v, 0, to);
    vstore8(y, 1, to);
    vstore3(w.zyx, 6, to);
}
