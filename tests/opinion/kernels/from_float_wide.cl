#pragma OPENCL FP_CONTRACT OFF
__kernel void from_float_wide(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]);
    if (isnan(a)) a = 0.5f;
    long s = convert_long_sat(a);
    ulong u = convert_ulong_sat_rtp(a);
    to[0] = (uint)s;
    to[1] = (uint)(s >> 32);
    to[2] = (uint)u;
    to[3] = (uint)(u >> 32);
}
