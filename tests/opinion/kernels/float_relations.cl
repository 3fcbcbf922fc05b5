#pragma OPENCL FP_CONTRACT OFF
__kernel void float_relations(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = as_float(in[i]), b = as_float(in[i + 1]), c = as_float(in[i + 2]);
    if (isnan(b)) b = -3.5f;
    if (isnan(c)) c = 1e-39f;
    to[0] = a < b;
    to[1] = a <= b;
    to[2] = a == b;
    to[3] = a != b;
    to[4] = isnan(a);
    to[5] = isinf(a);
    to[6] = isfinite(a);
    to[7] = isnormal(a);
    to[8] = signbit(a) != 0;
    to[9] = isordered(a, b);
    to[10] = isunordered(a, b);
    to[11] = islessgreater(a, b);
    to[12] = isgreater(a, b);
    to[13] = isgreaterequal(a, b);
    to[14] = !(a < b);
    to[15] = !(a >= b);
    to[16] = (uint)ilogb(b);
    to[17] = as_uint(select(b, c, (int)in[i]));
    to[18] = as_uint(bitselect(b, c, as_float(in[i + 3])));
}
