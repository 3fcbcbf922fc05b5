#pragma OPENCL FP_CONTRACT OFF
uint bits(float f) { return isnan(f) ? 0x7fc00000u : as_uint(f); }
// limit: 16 ulp
__kernel void geometry(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    float a = (float)(in[i] & 0xffffu) * 0.001f - 30.0f, b = (float)(in[i + 1] & 0xffffu) * 0.0005f + 0.001f, c = (float)(in[i + 2] & 0xffffu) / 65536.0f;
    to[0] = bits(dot((float4)(b, c, b, c), (float4)(b, b, c, c)));
    to[1] = bits(length((float3)(a, b, c)));
    to[2] = bits(distance((float2)(b, 40.0f), (float2)(c, a)));
    to[3] = bits(normalize((float2)(a, b)).x);
    to[4] = bits(degrees(a));
    to[5] = bits(radians(a));
    to[6] = bits(fast_length((float2)(b, c)));
}
