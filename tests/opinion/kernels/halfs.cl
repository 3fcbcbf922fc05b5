// Numbers of 16 bits in memory: any bits are loaded, any float is stored, with every rounding.
#pragma OPENCL FP_CONTRACT OFF
float number(uint bits) {
    float f = as_float(bits);
    return isnan(f) ? 1.5f : f;
}
// Half of them near what 16 bits can hold.
float4 numbers(__global const uint *in, uint i) {
    uint4 bits = vload4(i, in);
    bits = (i & 1u) != 0 ? (bits & 0x83ffffffu) + 0x36000000u : bits;
    return (float4)(number(bits.x), number(bits.y), number(bits.z), number(bits.w));
}
__kernel void half_loads(__global const half *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 64 * i;
    float a = vload_half(16 * i, in);
    to[0] = isnan(a) ? 0u : as_uint(a);
    float16 b = vload_half16(i, in);
    vstore16(as_uint16(select(b, (float16)(0.0f), isnan(b))), 1, to);
    float2 c = vload_half2(3 * i, in);
    vstore2(as_uint2(select(c, (float2)(0.0f), isnan(c))), 1, to);
    float3 d = vload_half3(2 * i, in);
    vstore3(as_uint3(select(d, (float3)(0.0f), isnan(d))), 2, to);
    float4 e = vloada_half4(2 * i, in);
    vstore4(as_uint4(select(e, (float4)(0.0f), isnan(e))), 3, to);
    float3 f = vloada_half3(2 * i, in);
    vstore3(as_uint3(select(f, (float3)(0.0f), isnan(f))), 12, to);
    float8 g = vload_half8(i, in + 5);
    vstore8(as_uint8(select(g, (float8)(0.0f), isnan(g))), 6, to);
}
#define HALF_STORES(form)                                                                        \
    __kernel void half_stores##form(__global const uint *in, __global half *out, uint n) {       \
        uint i = (uint)get_global_id(0);                                                         \
        __global half *to = out + 64 * i;                                                        \
        float4 a = numbers(in, i);                                                               \
        vstore_half##form(a.x, 0, to);                                                           \
        vstore_half2##form(a.yz, 1, to);                                                         \
        vstore_half3##form(a.wzy, 2, to);                                                        \
        vstore_half4##form(a, 3, to);                                                            \
        vstore_half8##form((float8)(a, a * 1.001f), 2, to);                                      \
        vstore_half16##form((float16)(a, a * 0.999f, a * 1.25f, a * 1.0001f), 2, to);            \
        vstorea_half4##form(a * 3.0f, 12, to);                                                   \
        vstorea_half2##form(a.xy * 5.0f, 26, to);                                                \
    }
HALF_STORES()
HALF_STORES(_rte)
HALF_STORES(_rtz)
HALF_STORES(_rtp)
HALF_STORES(_rtn)
// Through local and private memory.
__kernel void half_copies(__global const half *in, __global half *out, uint n, __local half *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    float a = vload_half(i, in);
    vstore_half(isnan(a) ? 1.0f : a, k, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore_half(vload_half(31u - k, l), i, out);
}
