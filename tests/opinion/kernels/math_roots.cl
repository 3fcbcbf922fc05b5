#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
// limit: 8 ulp
__kernel void math_roots(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = (float)(in[i] & 0xffffu) * 0.001f - 30.0f, b = (float)(in[i + 1] & 0xffffu) * 0.0005f + 0.001f, c = (float)(in[i + 2] & 0xffffu) / 65536.0f;
    to[0] = bits(rsqrt(b));
    to[1] = bits(cbrt(a));
    to[2] = bits(hypot(a, b));
    to[3] = bits(sqrt(b));
}
