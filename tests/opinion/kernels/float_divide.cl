#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
__kernel void float_divide(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]), c = as_float(in[i + 2]);
    if (isnan(a)) a = 1.25f;
    if (isnan(b)) b = -3.5f;
    if (isnan(c)) c = 1e-39f;
    to[0] = bits(a / b);
    to[1] = bits(1.0f / a);
    to[2] = bits(sqrt(fabs(a)));
    to[3] = bits(a / 3.0f);
    to[4] = bits(a / 1024.0f);
    to[5] = bits(b / (a * 0.5f));
}
