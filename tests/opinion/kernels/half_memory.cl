#pragma OPENCL FP_CONTRACT OFF
__kernel void half_memory(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    vstore_half(as_float(in[i] & 0x7f7fffffu), 0, (__global half *)to);
    vstore_half_rtz(as_float(in[i + 1] & 0xff7fffffu), 1, (__global half *)to);
    to[1] = as_uint(vload_half(2 * i, (__global const half *)in)) & 0x7f800000u;
}
