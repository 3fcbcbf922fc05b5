#pragma OPENCL FP_CONTRACT OFF
__kernel void from_float(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]);
    if (isnan(a)) a = 0.5f;
    uint k = 0;
    to[k++] = (uint)convert_char_sat(a);
    to[k++] = (uint)convert_char_sat_rte(a);
    to[k++] = (uint)convert_char_sat_rtz(a);
    to[k++] = (uint)convert_char_sat_rtp(a);
    to[k++] = (uint)convert_char_sat_rtn(a);
    to[k++] = (uint)convert_uchar_sat(a);
    to[k++] = (uint)convert_short_sat(a);
    to[k++] = (uint)convert_ushort_sat(a);
    to[k++] = (uint)convert_int_sat(a);
    to[k++] = (uint)convert_int_sat_rte(a);
    to[k++] = (uint)convert_int_sat_rtz(a);
    to[k++] = (uint)convert_int_sat_rtp(a);
    to[k++] = (uint)convert_int_sat_rtn(a);
    to[k++] = (uint)convert_uint_sat(a);
    to[k++] = (uint)convert_uint_sat_rte(a);
    to[k++] = (uint)convert_uint_sat_rtz(a);
    to[k++] = (uint)convert_uint_sat_rtp(a);
    to[k++] = (uint)convert_uint_sat_rtn(a);
}
