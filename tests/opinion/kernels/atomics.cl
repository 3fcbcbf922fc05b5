// Atomics on global and local memory. Of several work-items on one word only the end counts, with operations the order
// of which does not show; what an operation returns is looked at where one work-item alone uses the word.
#define ATOMICS(T)                                                                                    \
    __kernel void atomics_global_##T(__global const T *in, __global T *out, uint n) {                 \
        uint i = (uint)get_global_id(0);                                                              \
        __global volatile T *all = out, *own = out + 64 + 32 * i;                                     \
        T a = in[i], b = in[i + 1];                                                                   \
        atomic_add(all + (i & 3u), a);                                                                \
        atomic_sub(all + 4 + (i & 3u), a);                                                            \
        atomic_min(all + 8 + (i & 3u), a);                                                            \
        atomic_max(all + 12 + (i & 3u), a);                                                           \
        atomic_or(all + 16 + (i & 3u), a);                                                            \
        atomic_xor(all + 20 + (i & 3u), a);                                                           \
        atomic_inc(all + 24);                                                                         \
        atomic_dec(all + 25);                                                                         \
        own[1] = atomic_xchg(own, a);                                                                 \
        own[2] = atomic_add(own, b);                                                                  \
        own[3] = atomic_sub(own, in[i + 2]);                                                          \
        own[4] = atomic_min(own, b);                                                                  \
        own[5] = atomic_max(own, in[i + 3]);                                                          \
        own[6] = atomic_and(own, in[i + 4] | (T)0xff);                                                \
        own[7] = atomic_or(own, (T)0x100);                                                            \
        own[8] = atomic_xor(own, b);                                                                  \
        own[9] = atomic_inc(own);                                                                     \
        own[10] = atomic_dec(own);                                                                    \
        own[11] = atomic_cmpxchg(own, own[10] - (T)1, a);                                             \
        own[12] = atomic_cmpxchg(own, a, b);                                                          \
        own[13] = *own;                                                                               \
    }                                                                                                 \
    __kernel void atomics_local_##T(__global const T *in, __global T *out, uint n, __local T *l) {    \
        uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);                                   \
        T a = in[i], b = in[i + 1];                                                                   \
        l[k] = (T)0;                                                                                  \
        l[k + 32] = a;                                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        atomic_add(&l[k & 1u], a);                                                                    \
        atomic_sub(&l[2 + (k & 1u)], b);                                                              \
        atomic_min(&l[4 + (k & 1u)], a);                                                              \
        atomic_max(&l[6 + (k & 1u)], a);                                                              \
        atomic_or(&l[8], a & b);                                                                      \
        atomic_xor(&l[9], a);                                                                         \
        atomic_inc(&l[10]);                                                                           \
        atomic_dec(&l[11]);                                                                           \
        __global T *to = out + 32 * i;                                                                \
        to[1] = atomic_xchg(&l[k + 32], b);                                                           \
        to[2] = atomic_and(&l[k + 32], a | (T)1);                                                     \
        to[3] = atomic_cmpxchg(&l[k + 32], a & b, (T)7);                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        to[4] = l[k];                                                                                 \
        to[5] = l[k + 32];                                                                            \
    }                                                                                                 \
    __kernel void atom_extension_##T(__global const T *in, __global T *out, uint n) {                 \
        uint i = (uint)get_global_id(0);                                                              \
        __global T *own = out + 32 * i;                                                               \
        own[1] = atom_xchg(own, in[i]);                                                               \
        own[2] = atom_add(own, in[i + 1]);                                                            \
        own[3] = atom_sub(own, in[i + 2]);                                                            \
        own[4] = atom_inc(own);                                                                       \
        own[5] = atom_dec(own);                                                                       \
        own[6] = atom_cmpxchg(own, own[5], in[i + 3]);                                                \
        own[7] = atom_min(own, in[i]);                                                                \
        own[8] = atom_max(own, in[i + 2]);                                                            \
        own[9] = atom_and(own, (T)0xffff);                                                            \
        own[10] = atom_or(own, (T)0x10);                                                              \
        own[11] = atom_xor(own, in[i]);                                                               \
    }
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_global_int32_extended_atomics : enable
ATOMICS(int)
ATOMICS(uint)

__kernel void atomics_float_exchange(__global const float *in, __global float *out, uint n, __local float *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    l[k] = 2.5f;
    float f = isnan(in[i]) ? 1.0f : in[i];
    out[32 * i + 1] = atomic_xchg(&out[32 * i], f);
    out[32 * i + 2] = atomic_xchg(&l[k], f);
    out[32 * i + 3] = l[k];
}
// A product by compare and exchange: in whatever order.
__kernel void atomics_product(__global const uint *in, __global uint *out, uint n, __local uint *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    if (k == 0) l[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint seen = l[0], before;
    do {
        before = seen;
        seen = atomic_cmpxchg(&l[0], before, before * (in[i] | 1u));
    } while (seen != before);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[32 * i] = l[0];
}
// A lock that each work-item takes.
__kernel void atomics_lock(__global const uint *in, __global uint *out, uint n, __local volatile uint *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    if (k < 4u) l[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (bool waits = true; waits;) {
        if (atomic_xchg(&l[0], 1u) == 0u) {
            l[1] += in[i];
            l[2] ^= in[i];
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&l[0], 0u);
            waits = false;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[32 * i] = l[1];
    out[32 * i + 1] = l[2];
}
