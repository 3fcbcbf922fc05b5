// Built-in functions with pointers, as OpenCL C 2.0 and later have them: each third work-item works in global, local
// and private memory. The host knows what must be left there. WANT_ROWS, WANT_HALFS, WANT_MATH: which of them.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { LOCAL = 32 };

// p: room for SIZE elements of the work-item's own.
#define PLACE(type, SIZE)                                                        \
    local type shared[SIZE * LOCAL];                                             \
    type mine[SIZE];                                                             \
    const uint i = get_global_id(0), which = i % 3;                              \
    type *p = which == 0 ? (type *)(out + SIZE * i)                              \
              : which == 1 ? (type *)(shared + SIZE * get_local_id(0))           \
                           : (type *)mine;
#define TAKE(SIZE)                 \
    for (uint k = 0; k < SIZE; k++) \
        p[k] = in[SIZE * i + k];
#define GIVE(SIZE)                      \
    if (which != 0)                     \
        for (uint k = 0; k < SIZE; k++) \
            out[SIZE * i + k] = p[k];

#ifdef WANT_ROWS
// Each vector is moved to where the one before it stands.
#define ROWS(type)                                                 \
    kernel void rows_##type(global const type *in, global type *out) { \
        PLACE(type, 32)                                            \
        TAKE(32)                                                   \
        vstore2(vload2(1, p), 0, p);                               \
        vstore3(vload3(1, p), 0, p);                               \
        vstore4(vload4(1, p), 0, p);                               \
        vstore8(vload8(1, p), 0, p);                               \
        vstore16(vload16(1, p), 0, p);                             \
        GIVE(32)                                                   \
    }
ROWS(char)
ROWS(uchar)
ROWS(short)
ROWS(ushort)
ROWS(int)
ROWS(uint)
ROWS(long)
ROWS(ulong)
ROWS(float)
ROWS(double)
#endif

#ifdef WANT_HALFS
// The same, each half rounded from a little more than it is.
#define HALFS(form, real)                                                                                        \
    kernel void halfs##form##_##real(global const ushort *in, global ushort *out) {                              \
        PLACE(ushort, 32)                                                                                        \
        half *h = (half *)p;                                                                                     \
        const real more = (real)1.0001220703125f;                                                                \
        TAKE(32)                                                                                                 \
        vstore_half##form(more * (real)vload_half(1, h), 0, h);                                                  \
        vstore_half2##form(more * convert_##real##2(vload_half2(1, h)), 0, h);                                   \
        vstore_half3##form(more * convert_##real##3(vload_half3(1, h)), 0, h);                                   \
        vstore_half4##form(more * convert_##real##4(vload_half4(1, h)), 0, h);                                   \
        vstore_half8##form(more * convert_##real##8(vload_half8(1, h)), 0, h);                                   \
        vstore_half16##form(more * convert_##real##16(vload_half16(1, h)), 0, h);                                \
        vstorea_half2##form(more * convert_##real##2(vloada_half2(1, h)), 0, h);                                 \
        vstorea_half3##form(more * convert_##real##3(vloada_half3(1, h)), 0, h);                                 \
        vstorea_half4##form(more * convert_##real##4(vloada_half4(1, h)), 0, h);                                 \
        vstorea_half8##form(more * convert_##real##8(vloada_half8(1, h)), 0, h);                                 \
        vstorea_half16##form(more * convert_##real##16(vloada_half16(1, h)), 0, h);                              \
        GIVE(32)                                                                                                 \
    }
HALFS(, float)
HALFS(_rte, float)
HALFS(_rtz, float)
HALFS(_rtp, float)
HALFS(_rtn, float)
HALFS(, double)
HALFS(_rtz, double)
HALFS(_rtp, double)
HALFS(_rtn, double)
#endif

#ifdef WANT_MATH
// Of each number x twelve: first and second results.
#define MATH(real, N, name)                                                                \
    kernel void name(global const real *in, global real *out) {                            \
        local real##N reals[LOCAL];                                                        \
        local int##N ints[LOCAL];                                                          \
        real##N mine;                                                                      \
        int##N my_int;                                                                     \
        const uint i = get_global_id(0), which = i % 3;                                    \
        global real##N *to = (global real##N *)out + 12 * i;                               \
        real##N *p = which == 0   ? (real##N *)(to + 11)                                   \
                     : which == 1 ? (real##N *)&reals[get_local_id(0)]                     \
                                  : (real##N *)&mine;                                      \
        int##N *q = which == 0   ? (int##N *)(to + 11)                                     \
                    : which == 1 ? (int##N *)&ints[get_local_id(0)]                        \
                                 : (int##N *)&my_int;                                      \
        const real##N x = ((global const real##N *)in)[i];                                 \
        to[0] = fract(x, p), to[1] = *p;                                                   \
        to[2] = modf(x, p), to[3] = *p;                                                    \
        to[4] = sincos(x, p), to[5] = *p;                                                  \
        to[6] = frexp(x, q), to[7] = convert_##real##N(*q);                                \
        to[8] = lgamma_r(x, q), to[9] = convert_##real##N(*q);                             \
        to[10] = remquo(x, (real##N)3.0f, q);                                              \
        to[11] = convert_##real##N(*q & 127);                                              \
    }
MATH(float, , math_float)
MATH(float, 2, math_float2)
MATH(double, , math_double)
#endif
