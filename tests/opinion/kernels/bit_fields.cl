__kernel void bit_fields(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint a = in[i], r = 0;
    for (uint k = 0; k < 32u; k += 5u) r = (r << 3) ^ (a >> k & 31u);
    to[0] = r;
    to[1] = mul24((int)(a << 8) >> 8, (int)(r << 8) >> 8);
    to[2] = mad24(a & 0xffffu, r & 0xffu, a);
    to[3] = (uint)upsample((short)a, (ushort)r);
    to[4] = abs((int)a);
    to[5] = (uint)(upsample(a, r) >> 9);
}
