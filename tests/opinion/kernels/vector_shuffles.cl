__kernel void vector_shuffles(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint8 v = vload8(0, in + i);
    uint4 w = vload4(0, in + 2 * i);
    vstore4(shuffle(w, (uint4)(in[i], in[i + 1], in[i + 2], in[i + 3])), 0, to);
    vstore8(shuffle2(w, v.lo, v), 1, to);
    vstore4(shuffle(v, w), 4, to);
}
