#pragma OPENCL FP_CONTRACT OFF
__kernel void float_parts(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]), c = as_float(in[i + 2]);
    if (isnan(a)) a = 1.25f;
    if (isnan(b)) b = -3.5f;
    if (isnan(c)) c = 1e-39f;
    int e;
    float m = frexp(a, &e);
    to[0] = as_uint(m);
    to[1] = isinf(a) || a == 0.0f ? 0u : (uint)e;
    float w;
    float f = modf(a, &w);
    to[2] = as_uint(f);
    to[3] = as_uint(w);
    float g = fract(a, &w);
    to[4] = as_uint(w);
    to[5] = isinf(a) ? 0u : as_uint(g + 0.0f);
}
