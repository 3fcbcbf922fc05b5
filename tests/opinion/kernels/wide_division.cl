__kernel void wide_division(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    ulong a = ((ulong)in[i] << 32) | in[i + 1], b = ((ulong)in[i + 2] << (in[i + 3] & 31u)) | 1u;
    long s = (long)a, t = (long)(b & 0x7fffffffffffUL);
    vstore2(as_uint2(a / b), 0, to);
    vstore2(as_uint2(a % b), 1, to);
    vstore2(as_uint2(s / t), 2, to);
    vstore2(as_uint2(s % t), 3, to);
    vstore2(as_uint2(a * b), 4, to);
    vstore2(as_uint2(s >> (in[i + 3] & 63u)), 5, to);
    vstore2(as_uint2(rotate(a, b)), 6, to);
}
