// Work-items that act together: atomics, barriers, vectors. The references are in tests/unit/test_compiler_shared.c.

// Every atomic operation in both spellings, on words whose final values do not depend on the order. words: 16, set by the caller.
__kernel void atomics(__global const uint *in, __global uint *words, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[i];
    __global int *signed_words = (__global int *)words;
    atomic_add(&words[0], a);
    atomic_sub(&words[1], a);
    atomic_inc(&words[2]);
    atomic_dec(&words[3]);
    atomic_min(&words[4], a);
    atomic_max(&words[5], a);
    atomic_min(&signed_words[6], (int)a);
    atomic_max(&signed_words[7], (int)a);
    atomic_and(&words[8], a | 0xFFFF0000u);
    atomic_or(&words[9], a & 0xFFFFu);
    atomic_xor(&words[10], a);
    atom_add(&words[11], 3u);
    atom_inc(&signed_words[12]);
    atom_max(&words[13], i);
}

// taken[k]: how many work-items got ticket k: 1 each, whatever the order. exchanged: all values but one come back.
__kernel void tickets(__global uint *counter, __global uint *taken, __global uint *word, __global uint *exchanged) {
    uint i = (uint)get_global_id(0);
    uint ticket = atomic_inc(counter);
    atomic_add(&taken[ticket], 1u);
    exchanged[i] = atomic_xchg(word, i + 1u);
}

// Adds with compare and exchange: a loop that threads leave one after the other.
__kernel void compare_exchange(__global uint *word, __global uint *rounds, uint add) {
    uint i = (uint)get_global_id(0), old, seen = *word, tries = 0;
    do {
        old = seen;
        seen = atomic_cmpxchg(word, old, old + add + (i & 3u));
        tries++;
    } while (seen != old);
    rounds[i] = tries;
}

// Sum of each work-group by halves in global memory; local size a power of two.
__kernel void group_sums(__global const uint *in, __global uint *scratch, __global uint *sums) {
    uint item = (uint)get_local_id(0), size = (uint)get_local_size(0), i = (uint)get_global_id(0);
    __global uint *mine = scratch + size * (uint)get_group_id(0);
    mine[item] = in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint rest = size / 2u; rest > 0; rest /= 2u) {
        if (item < rest) mine[item] += mine[item + rest];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (item == 0) sums[get_group_id(0)] = mine[0];
}

// Threads part in front of a barrier that all of them reach, in a loop.
__kernel void barrier_after_parting(__global const uint *in, __global uint *scratch, __global uint *out, uint rounds) {
    uint item = (uint)get_local_id(0), size = (uint)get_local_size(0), i = (uint)get_global_id(0);
    __global uint *mine = scratch + size * (uint)get_group_id(0);
    uint value = in[i];
    for (uint k = 0; k < rounds; k++) {
        if (value & 1u) {
            while (value & 0x7FFF60u) value >>= 1;
            value += item;
        } else if (value & 2u) {
            value = value / 2u + 7u;
        }
        mine[item] = value;
        barrier(CLK_GLOBAL_MEM_FENCE);
        value += mine[(item + 1u) % size];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[i] = value;
}

// Vectors of several widths, swizzles, loads and stores of vectors.
__kernel void vectors(__global const uint4 *in, __global uint4 *out, __global const uchar *bytes, __global uchar *to) {
    uint i = (uint)get_global_id(0);
    uint4 a = in[i], b = a.wzyx;
    int2 c = (int2)((int)a.x, -5);
    a.yz += b.xw * (uint2)(3, 5);
    uint4 chosen = a > b ? a : b;
    out[2 * i] = a ^ chosen;
    out[2 * i + 1] = (uint4)(as_uint(c.x - c.y), a.s3, min(a, b).s1, convert_uint(as_uchar4(a.x).z));
    uchar4 p = vload4(i, bytes);
    short4 q = convert_short4(p) * (short)3 - (short)100;
    vstore4(convert_uchar4_sat(q), i, to);
}

// A lock that each work-item takes in turn, in one warp too. With YIELD this ends; without, it need not.
__kernel void spin_lock(__global uint *lock, __global uint *count, uint times) {
    for (uint k = 0; k < times; k++) {
        while (atomic_cmpxchg(lock, 0u, 1u) != 0u) continue;
        *(volatile __global uint *)count = *(volatile __global uint *)count + 1u;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0u);
    }
}

// The same with more of the program's structure around the loop: an if, a loop and an exit from its middle.
__kernel void spin_lock_inside(__global const uint *in, __global uint *lock, __global uint *count, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), x = 0;
    if (i < n) {
        for (uint k = 0; k < (in[i] & 3u) + 1u; k++) {
            bool done = false;
            while (!done) {
                if (atomic_cmpxchg(lock, 0u, i + 1u) == 0u) {
                    *(volatile __global uint *)count = *(volatile __global uint *)count + 1u;
                    x += k + 1u;
                    mem_fence(CLK_GLOBAL_MEM_FENCE);
                    atomic_xchg(lock, 0u);
                    done = true;
                }
            }
            if (x > 5u) break;
        }
        x += 1000u;
    }
    if (i < n) out[i] = x;
}
