// as_TYPE between all types of one size.
__kernel void as_4_bytes(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint a = in[i];
    to[0] = as_uint(as_float(a & 0xff7fffffu));
    to[1] = (uint)as_int(a);
    to[2] = as_uint(as_uchar4(a).wzyx);
    to[3] = as_uint(as_char4(a) + (char4)(1, 2, 3, 4));
    to[4] = as_uint(as_short2(a).yx);
    to[5] = as_uint(as_ushort2(a) * (ushort2)(3, 5));
    to[6] = as_uint(as_char4(as_ushort2(a)).zwxy);
    to[7] = as_uint((char)as_uchar((uchar)a) < 0 ? as_short2(a) : as_short2(~a));
}
__kernel void as_8_bytes(__global const uint2 *in, __global ulong *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global ulong *to = out + 16 * i;
    uint2 a = in[i];
    to[0] = as_ulong(a);
    to[1] = (ulong)as_long(a) >> 3;
    to[2] = as_ulong(as_float2(a & 0xff7fffffu).yx);
    to[3] = as_ulong(as_uchar8(a).s75310246);
    to[4] = as_ulong(as_short4(a).wzyx);
    to[5] = as_ulong(as_int2(as_long(a) + 1));
    to[6] = as_ulong(as_char8(as_ushort4(as_ulong(a) * 3ul)));
}
__kernel void as_16_bytes(__global const uint4 *in, __global uint4 *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint4 *to = out + 8 * i;
    uint4 a = in[i];
    to[0] = as_uint4(as_ulong2(a).yx);
    to[1] = as_uint4(as_uchar16(a).sfedcba9876543210);
    to[2] = as_uint4(as_short8(a).s13570246);
    to[3] = as_uint4(as_float4(a & 0xff7fffffu).zwxy);
    to[4] = as_uint4(as_long2(a) >> 7);
    to[5] = as_uint4(as_int4(as_ushort8(a) + (ushort8)9));
    // Three elements have the room of four.
    to[6].xyz = as_uint3(as_int3(a.yzw));
}
__kernel void as_64_bytes(__global const uint16 *in, __global uint16 *out, uint n) {
    uint i = (uint)get_global_id(0);
    uint16 a = in[i % 64u];
    out[2 * i] = as_uint16(as_ulong8(a).s76543210);
    out[2 * i + 1] = as_uint16(as_float16(as_long8(as_int16(a & 0xff7fffffu)))).s02468ace13579bdf;
}
