#pragma OPENCL FP_CONTRACT OFF
__kernel void from_uchar(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uchar a = (uchar)in[i];
    uint k = 0;
    to[k++] = (uint)convert_char(a);
    to[k++] = (uint)convert_char_sat(a);
    to[k++] = (uint)convert_short(a);
    to[k++] = (uint)convert_short_sat(a);
    to[k++] = (uint)convert_ushort(a);
    to[k++] = (uint)convert_ushort_sat(a);
    to[k++] = (uint)convert_int(a);
    to[k++] = (uint)convert_int_sat(a);
    to[k++] = (uint)convert_uint(a);
    to[k++] = (uint)convert_uint_sat(a);
    to[k++] = (uint)convert_long(a);
    to[k++] = (uint)convert_long_sat(a);
    to[k++] = (uint)convert_ulong(a);
    to[k++] = (uint)convert_ulong_sat(a);
    to[k++] = as_uint(convert_float(a));
    to[k++] = as_uint(convert_float_rtz(a));
    to[k++] = as_uint(convert_float_rtp(a));
    to[k++] = as_uint(convert_float_rtn(a));
}
