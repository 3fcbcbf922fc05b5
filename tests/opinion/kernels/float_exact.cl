#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
__kernel void float_exact(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]), c = as_float(in[i + 2]);
    if (isnan(a)) a = 1.25f;
    if (isnan(b)) b = -3.5f;
    if (isnan(c)) c = 1e-39f;
    to[0] = bits(a + b);
    to[1] = bits(a - b);
    to[2] = bits(a * b);
    to[3] = bits(fma(a, b, c));
    to[4] = bits(floor(a));
    to[5] = bits(ceil(a));
    to[6] = bits(trunc(a));
    to[7] = bits(rint(a));
    to[8] = bits(round(a));
    to[9] = bits(fabs(a));
    to[10] = bits(copysign(a, b));
    to[11] = bits(-a);
    to[12] = bits(nextafter(a, b));
    to[13] = bits(fmod(a, b));
    to[14] = bits(remainder(a, b));
    to[15] = bits(ldexp(a, (int)(in[i + 3] & 63u) - 32));
    to[16] = bits(fdim(a, b));
    to[17] = bits(logb(a));
    to[18] = bits(a * 0.37f + 1.5f);
}
