#pragma OPENCL FP_CONTRACT OFF
__kernel void from_vectors(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint4 a = (uint4)(in[i], in[2 * i], in[3 * i], in[i + 5]);
    char4 c = convert_char4_sat(as_int4(a));
    ushort4 s = convert_ushort4(a);
    float4 f = convert_float4(a);
    long4 l = convert_long4(as_int4(a));
    int4 r = convert_int4_sat_rte(f * 0.3f);
    to[0] = as_uint(c);
    to[1] = s.x + ((uint)s.w << 16);
    to[2] = as_uint(f.y);
    to[3] = as_uint(f.z);
    to[4] = (uint)(l.x >> 3);
    to[5] = (uint)(l.w >> 30);
    vstore4(as_uint4(r), 2, to);
}
