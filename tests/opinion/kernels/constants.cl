// Tables and literals.
struct entry { char name[4]; float value; short pair[2]; };
__constant struct entry entries[3] = {{"one", 1.5f, {1, -1}}, {"two", -2.25e3f, {2, -2}}, {"xyz", 0x1.8p-3f, {3, -3}}};
__constant uchar bytes[5] = {1, 0x80, 0xff, 'a', '\n'};
__constant short shorts[4] = {-1, 0x7fff, -0x8000, 012};
__constant long longs[3] = {-1L, 0x123456789abcdefL, 1L << 40};
__constant float floats[4] = {1e10f, -0.0f, 0x1p-149f, 3.4028234e38f};
__constant uint4 vectors[2] = {(uint4)(1, 2, 3, 4), (uint4)(5, 6, 7, 8)};
__constant uint matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
__constant uint one = 77;
__kernel void constants_tables(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint a = in[i] % 3u;
    to[0] = (uint)entries[a].name[in[i] & 3u], to[1] = as_uint(entries[a].value), to[2] = (uint)entries[a].pair[in[i] & 1u];
    to[3] = bytes[in[i] % 5u], to[4] = (uint)shorts[in[i] & 3u], to[5] = (uint)(longs[a] >> 7), to[6] = as_uint(floats[in[i] & 3u]);
    vstore4(vectors[in[i] & 1u], 2, to);
    to[12] = matrix[in[i] & 1u][a] + one;
    __constant uint *p = &matrix[1][0];
    to[13] = p[a];
    __constant char *text = "some text";
    to[14] = (uint)text[in[i] & 7u];
}
#define TWICE(x) ((x) * 2)
#define PASTE(a, b) a##b
#if defined(__OPENCL_VERSION__) && __OPENCL_VERSION__ >= 120
#define VERSIONED 12
#else
#define VERSIONED 0
#endif
enum colour { RED, GREEN = 5, BLUE };
typedef uint word;
__kernel void constants_literals(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    word a = in[i];
    enum colour c = a & 1u ? GREEN : BLUE;
    to[0] = TWICE(a + 1u) + PASTE(VER, SIONED), to[1] = c, to[2] = 0x7fu + 010 + 'A' + '\x41' + '\'';
    to[3] = as_uint(1.5e-3f), to[4] = as_uint(0x1.fp4f), to[5] = (uint)(0xffffffffffUL >> 4), to[6] = (uint)(-1L >> 3);
    to[7] = (uint)sizeof(size_t) * 0u + (uint)sizeof(long) + (uint)sizeof(uint3) + (uint)sizeof(char16) + (uint)sizeof(half);
    to[8] = as_uint(FLT_MAX), to[9] = as_uint(FLT_EPSILON), to[10] = as_uint(M_PI_F), to[11] = (uint)CHAR_BIT;
    to[12] = (uint)INT_MIN, to[13] = (uint)(LONG_MAX >> 32), to[14] = as_uint(INFINITY), to[15] = as_uint(FLT_MIN);
    to[16] = (uint)vec_step(float3) + (uint)vec_step(a) + (uint)vec_step(char16);
    uint4 v = (uint4)(a, (uint2)(1, 2), 3), w = (uint4)a;
    vstore4(v + w, 5, to);
    const float4 f = (float4)((float2)(1.0f, 2.0f), 3.0f, (float)a);
    vstore4(as_uint4(f), 6, to);
    to[28] = (uint)(true + false) + (uint)((bool)a);
}
