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
