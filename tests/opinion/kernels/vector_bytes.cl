__kernel void vector_bytes(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uchar16 a = vload16(0, (__global const uchar *)(in + 4 * i));
    uchar16 b = a.s02468ace13579bdf + (uchar16)7;
    uchar16 c = abs_diff(a, b);
    vstore16(mul_hi(a, b), 0, (__global uchar *)to);
    vstore16(c, 1, (__global uchar *)to);
    vstore16(add_sat(as_char16(a), as_char16(b)), 2, (__global char *)to);
    vstore16(rotate(a, c), 3, (__global uchar *)to);
}
