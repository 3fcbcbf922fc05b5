// Minima of values that may be infinite or no number, beside products and fused additions of them: what LLVM 19 made of
// the minima gave a number where there is none.
#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
float chain(float a, float b) {
    a = 3.4e38f * b * (b + b) * (fmin(b, b * 0.0f) + 0.0f);
    a = (convert_int_sat(b) >= convert_int_sat(a) ? 1e20f - 1.0f : fmin(a, a) + 0.0f) - fma(fma(a, 3.4e38f, b), 3.4e38f, a);
    b = fmax(0.0f, round(1e20f) + b) + 0.0f;
    return fma(b + (b == a ? -7.25e5f : 0.1f), 3.4e38f * (convert_short_sat(a) != convert_short_sat(b) ? b : a), -(a + a));
}
__kernel void float_minimum_kept(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = (float)((int)in[i] * 0.37f), b = as_float(in[i + 1]);
    if (isnan(b)) b = 1e-39f;
    to[0] = bits(chain(a, 3.4e38f));
    to[1] = bits(a - (chain(a, 3.4e38f) - 1e-40f));
    to[2] = bits(chain(a, b));
    to[3] = bits(chain(b, a));
}
