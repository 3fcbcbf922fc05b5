// Functions that stay functions, with what only a work-group has: locks, barriers, local memory. Every kernel: shared words (zero at
// first), out[work-item], rounds.
#define KEPT __attribute__((noinline))
typedef volatile __global uint *words;

KEPT static void kept_lock(words at) {
    while (atomic_cmpxchg(at, 0u, 1u) != 0u) continue;
}

KEPT static void kept_unlock(words at) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(at, 0u);
}

// The lock's loop is two calls deep; the tokens of the loops and ifs around are gone behind it.
KEPT static uint kept_add(words state, uint what) {
    kept_lock(state);
    uint before = state[1];
    state[1] = before + what;
    kept_unlock(state);
    return (before & 1u) != 0u ? 1u : 2u;
}

// shared: lock, sum. Odd work-items add 1000, even ones 1, both from loops of different lengths.
__kernel void locked_calls(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    uint own = 0;
    for (uint k = 0; k < rounds + (i & 3u); k++) {
        if ((i & 1u) != 0u) {
            own += kept_add(shared, 1000u) != 0u ? 2u : 0u;
            if (k == 5u) break;
        } else {
            own += kept_add(shared, 1u) != 0u ? 1u : 0u;
        }
    }
    out[i] = own;
}

KEPT static uint kept_collatz(uint x) {
    uint steps = 0;
    while (x != 1u) {
        x = (x & 1u) != 0u ? 3u * x + 1u : x >> 1;
        steps++;
    }
    return steps;
}

KEPT static void kept_put(__local uint *to, uint index, uint value) {
    to[index] = value;
}

// Marked so, and expanded all the same: the barrier wants all threads of the warp.
KEPT static uint kept_exchange(__local uint *area, uint l, uint value) {
    kept_put(area, l, value);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint other = area[(l + 1u) % (uint)get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
}

// Threads that a function has parted come together before the barrier. out: steps of the work-items to the right, all round.
__kernel void parted_calls(__global uint *shared, __global uint *out, uint rounds) {
    __local uint area[64];
    const uint l = (uint)get_local_id(0);
    uint value = kept_collatz(l + 27u);
    for (uint k = 0; k < rounds; k++)
        value = kept_collatz(kept_exchange(area, l, value) + 3u);
    out[get_global_id(0)] = value;
}

KEPT static float4 kept_scaled(float4 v, float by, int4 add) {
    return v.wzyx * by + convert_float4(add);
}

KEPT static uint16 kept_turned(uint16 v, uint8 w, uchar4 c) {
    v.lo += w;
    v.hi ^= (uint8)(convert_uint4(c), convert_uint4(c.wzyx));
    return v.s123456789abcdef0;
}

// out: a digest of vectors that went through functions.
__kernel void vector_calls(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    uint16 v = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * (i + 1u);
    float4 f = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
    for (uint k = 0; k < rounds; k++) {
        v = kept_turned(v, v.odd, convert_uchar4(v.s048c & 0xFFu));
        f = kept_scaled(f, 0.5f, (int4)((int)k, 1, (int)(v.s0 & 15u), 3));
    }
    uint digest = as_uint(f.x) ^ as_uint(f.y) * 3u ^ as_uint(f.z) * 5u ^ as_uint(f.w) * 7u;
    uint8 half_sum = v.lo + v.hi * 3u;
    uint4 quarter = half_sum.lo ^ half_sum.hi;
    out[i] = digest ^ quarter.x ^ quarter.y * 11u ^ quarter.z * 13u ^ quarter.w * 17u;
}
