// A minimum or maximum of two values beside another operation on the same two: LLVM 19 takes the other one for a
// minimum too when it simplifies, and dies of it.
#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f + 0.0f); }
__kernel void float_minimum_fused(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]), c = as_float(in[i + 2]);
    if (isnan(a)) a = 1.25f;
    if (isnan(b)) b = -3.5f;
    if (isnan(c)) c = 1e-39f;
    to[0] = bits(fmax(fmax(a, b), fma(a, b, c)));
    to[1] = bits(fmax(fma(b, a, c), fmax(a, b)));
    to[2] = bits(fmin(fmin(a, b), fma(b, a, c)));
    to[3] = bits(fmin(copysign(a, b), fmin(b, a)));
    to[4] = bits(fmax(fmax(a, 0.1f), fma(0.1f, a, b)));
    float4 v = (float4)(a, b, c, a), w = (float4)(b, c, a, c);
    float4 x = fmax(fmax(v, w), fma(v, w, 0.25f)), y = fmin(fmin(v, w), copysign(w, v));
    to[5] = bits(x.x), to[6] = bits(x.y), to[7] = bits(x.z), to[8] = bits(x.w);
    to[9] = bits(y.x), to[10] = bits(y.y), to[11] = bits(y.z), to[12] = bits(y.w);
}
