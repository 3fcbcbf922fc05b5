// Explicit conversions: every pair of types, plain, saturated and with every rounding.
#pragma OPENCL FP_CONTRACT OFF
// Whole numbers to whole numbers.
#define FROM(S)                                                                                     \
    __kernel void from_##S(__global const S *in, __global ulong *out, uint n) {                     \
        uint i = (uint)get_global_id(0);                                                            \
        __global ulong *to = out + 64 * i;                                                          \
        S a = in[i];                                                                                \
        to[0] = (ulong)convert_char(a), to[1] = (ulong)convert_char_sat(a);                         \
        to[2] = (ulong)convert_uchar(a), to[3] = (ulong)convert_uchar_sat(a);                       \
        to[4] = (ulong)convert_short(a), to[5] = (ulong)convert_short_sat(a);                       \
        to[6] = (ulong)convert_ushort(a), to[7] = (ulong)convert_ushort_sat(a);                     \
        to[8] = (ulong)convert_int(a), to[9] = (ulong)convert_int_sat(a);                           \
        to[10] = (ulong)convert_uint(a), to[11] = (ulong)convert_uint_sat(a);                       \
        to[12] = (ulong)convert_long(a), to[13] = (ulong)convert_long_sat(a);                       \
        to[14] = (ulong)convert_ulong(a), to[15] = (ulong)convert_ulong_sat(a);                     \
        to[16] = as_uint(convert_float(a)), to[17] = as_uint(convert_float_rte(a));                 \
        to[18] = as_uint((float)a);                                                                 \
        to[19] = (ulong)convert_short_sat_rtp(a), to[20] = (ulong)convert_uint_rtz(a);              \
        to[21] = (ulong)(char)a, to[22] = (ulong)(ushort)a, to[23] = (ulong)(int)a, to[24] = (bool)a; \
    }
FROM(char)
FROM(uchar)
FROM(short)
FROM(ushort)
FROM(int)
FROM(uint)
FROM(long)
FROM(ulong)

// Whole numbers to floats, rounded otherwise than to nearest.
#define FLOATS_FROM(S)                                                                \
    __kernel void floats_from_##S(__global const S *in, __global uint *out, uint n) { \
        uint i = (uint)get_global_id(0);                                              \
        __global uint *to = out + 32 * i;                                             \
        S a = in[i];                                                                  \
        to[0] = as_uint(convert_float_rtz(a));                                        \
        to[1] = as_uint(convert_float_rtp(a));                                        \
        to[2] = as_uint(convert_float_rtn(a));                                        \
        S##4 b = vload4(i % 64u, in);                                                 \
        vstore4(as_uint4(convert_float4(b)), 1, to);                                  \
        vstore4(as_uint4(convert_float4_rtz(b)), 2, to);                              \
        vstore4(as_uint4(convert_float4_rtp(b)), 3, to);                              \
        vstore4(as_uint4(convert_float4_rtn(b)), 4, to);                              \
    }
FLOATS_FROM(char)
FLOATS_FROM(uchar)
FLOATS_FROM(short)
FLOATS_FROM(ushort)
FLOATS_FROM(int)
FLOATS_FROM(uint)
FLOATS_FROM(long)
FLOATS_FROM(ulong)

// Floats to whole numbers: saturated any, unsaturated those in range.
#define FROM_FLOAT(T, most)                                                              \
    __kernel void T##_from_float(__global const float *in, __global T *out, uint n) {    \
        uint i = (uint)get_global_id(0);                                                 \
        __global T *to = out + 32 * i;                                                   \
        float a = in[i];                                                                 \
        if (isnan(a)) a = 0.5f;                                                          \
        to[0] = convert_##T##_sat(a);                                                    \
        to[1] = convert_##T##_sat_rte(a);                                                \
        to[2] = convert_##T##_sat_rtz(a);                                                \
        to[3] = convert_##T##_sat_rtp(a);                                                \
        to[4] = convert_##T##_sat_rtn(a);                                                \
        a = (float)(as_uint(a) >> 8) * (most / 16777216.0f);                             \
        to[5] = convert_##T(a);                                                          \
        to[6] = convert_##T##_rte(a);                                                    \
        to[7] = convert_##T##_rtz(a);                                                    \
        to[8] = convert_##T##_rtp(a);                                                    \
        to[9] = convert_##T##_rtn(a);                                                    \
        to[10] = (T)a;                                                                   \
        float4 b = vload4(i, in);                                                        \
        b = select(b, (float4)(-0.75f), isnan(b));                                       \
        vstore4(convert_##T##4_sat(b), 3, to);                                           \
        vstore4(convert_##T##4_sat_rte(b), 4, to);                                       \
        vstore4(convert_##T##4_sat_rtz(b), 5, to);                                       \
        vstore4(convert_##T##4_sat_rtp(b), 6, to);                                       \
        vstore4(convert_##T##4_sat_rtn(b), 7, to);                                       \
    }
FROM_FLOAT(char, 126.0f)
FROM_FLOAT(uchar, 254.0f)
FROM_FLOAT(short, 32766.0f)
FROM_FLOAT(ushort, 65534.0f)
FROM_FLOAT(int, 2147483000.0f)
FROM_FLOAT(uint, 4294967000.0f)
FROM_FLOAT(long, 9223371000000000000.0f)
FROM_FLOAT(ulong, 18446742000000000000.0f)

// Vectors of every length.
#define VECTORS_FROM(S, T, N)                                                                              \
    __kernel void T##N##_from_##S##N(__global const S##N *in, __global T##N *out, uint n) {                \
        uint i = (uint)get_global_id(0);                                                                   \
        S##N a = in[i % (4096u / sizeof(S##N))];                                                           \
        out[2 * i] = convert_##T##N(a);                                                                    \
        out[2 * i + 1] = convert_##T##N##_sat(a);                                                          \
    }
VECTORS_FROM(int, char, 2)
VECTORS_FROM(uint, short, 2)
VECTORS_FROM(short, uchar, 8)
VECTORS_FROM(uint, uchar, 16)
VECTORS_FROM(long, int, 4)
VECTORS_FROM(int, ulong, 8)
VECTORS_FROM(uchar, long, 16)
VECTORS_FROM(char, ushort, 16)
