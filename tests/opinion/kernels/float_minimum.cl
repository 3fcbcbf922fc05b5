#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
__kernel void float_minimum(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]), c = as_float(in[i + 2]);
    if (isnan(a)) a = 1.25f;
    if (isnan(b)) b = -3.5f;
    if (isnan(c)) c = 1e-39f;
    to[0] = bits(fmin(a, b) + 0.0f);
    to[1] = bits(fmax(a, b) + 0.0f);
    to[2] = bits(min(a, 7.0f) + 0.0f);
    to[3] = bits(max(a, -7.0f) + 0.0f);
    to[4] = bits(clamp(a, -2.0f, 9.0f) + 0.0f);
    to[5] = bits(step(a, b));
    to[6] = bits(sign(a));
    to[7] = bits(maxmag(a, b) + 0.0f);
    to[8] = bits(minmag(a, b) + 0.0f);
}
