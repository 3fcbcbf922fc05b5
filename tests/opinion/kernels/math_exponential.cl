#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
// limit: 32 ulp
__kernel void math_exponential(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = (float)(in[i] & 0xffffu) * 0.001f - 30.0f, b = (float)(in[i + 1] & 0xffffu) * 0.0005f + 0.001f, c = (float)(in[i + 2] & 0xffffu) / 65536.0f;
    to[0] = bits(exp(a));
    to[1] = bits(exp2(a));
    to[2] = bits(exp10(a * 0.5f));
    to[3] = bits(log(b));
    to[4] = bits(log2(b));
    to[5] = bits(log10(b));
    to[6] = bits(pow(b, a * 0.5f));
    to[7] = bits(powr(b, c));
    to[8] = bits(rootn(b, 3));
    to[9] = bits(pown(b, 7));
}
