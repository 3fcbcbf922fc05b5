// Doubles stored as halfs, with every rounding, in every length and memory.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void scalars(__global const double *in, __global half *out) {
    size_t i = get_global_id(0);
    double a = in[i];
    vstore_half(a, 6 * i, out);
    vstore_half_rte(a, 6 * i + 1, out);
    vstore_half_rtz(a, 6 * i + 2, out);
    vstore_half_rtp(a, 6 * i + 3, out);
    vstore_half_rtn(a, 6 * i + 4, out);
    __builtin_store_half(a, out + 6 * i + 5);
}

// 64 halfs of each item: in global memory lengths 2, 3 and 4 (behind three stands the first again), then 16; from local
// memory 8 and 8; from private memory 4, the rest from local memory again as 16.
#define VECTORS(form)                                                                 \
    __attribute__((reqd_work_group_size(32, 1, 1)))                                   \
    __kernel void vectors##form(__global const double *in, __global ushort *out) {    \
        __local ushort near[32 * 32];                                                 \
        ushort own[4] __attribute__((aligned(8)));                                    \
        size_t i = get_global_id(0), at = get_local_id(0);                            \
        double16 a = vload16(i, in);                                                  \
        __global half *to = (__global half *)(out + 64 * i);                          \
        __local half *by = (__local half *)(near + 32 * at);                          \
        vstore_half2##form(a.s01, 0, to);                                             \
        vstorea_half2##form(a.s23, 1, to);                                            \
        vstore_half3##form(a.s456, 0, to + 4);                                        \
        vstore_half##form(a.s0, 7, to);                                               \
        vstorea_half3##form(a.s89a, 2, to);                                           \
        vstore_half##form(a.s0, 11, to);                                              \
        vstore_half4##form(a.sCDEF, 3, to);                                           \
        vstorea_half16##form(a, 1, to);                                               \
        vstore_half8##form(a.lo, 0, by);                                              \
        vstorea_half8##form(a.hi, 1, by);                                             \
        vstore_half16##form(a, 1, by);                                                \
        vstorea_half4##form(a.s0246, 0, (half *)own);                                 \
        for (uint k = 0; k < 32; k++)                                                 \
            out[64 * i + 32 + k] = k < 16 || k > 19 ? near[32 * at + k] : own[k - 16]; \
    }
VECTORS()
VECTORS(_rte)
VECTORS(_rtz)
VECTORS(_rtp)
VECTORS(_rtn)
