// Threads of one warp that wait for one another. Each kernel ends only because the compiler puts a YIELD into the loops
// that wait: without, the thread that the others wait for is switched off for ever.
// Every kernel: shared words (zero at first), out[work-item], rounds.
typedef volatile __global uint *words;

static void lock(words at) {
    while (atomic_cmpxchg(at, 0u, 1u) != 0u) continue;
}

static void unlock(words at) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(at, 0u);
}

// shared: lock, counter. out: how often the work-item was inside.
__kernel void spin_lock(__global uint *shared, __global uint *out, uint rounds) {
    for (uint k = 0; k < rounds; k++) {
        out[get_global_id(0)]++;
        lock(shared);
        ((words)shared)[1]++;
        unlock(shared);
    }
}

// The same with an end to the patience: it is far away, so the loop waits. shared: lock, counter.
__kernel void try_lock(__global uint *shared, __global uint *out, uint rounds) {
    for (uint k = 0; k < rounds; k++) {
        bool got = false;
        for (int tries = 0; tries < 100000 && !got; tries++) got = atomic_cmpxchg(shared, 0u, 1u) == 0u;
        if (!got) continue;
        out[get_global_id(0)]++;
        ((words)shared)[1]++;
        unlock(shared);
    }
}

// So few tries that a loop which only counted would have a small bound.
__kernel void try_seldom(__global uint *shared, __global uint *out, uint rounds) {
    for (uint k = 0; k < rounds; k++) {
        bool got = false;
        for (int tries = 0; tries < 5000 && !got; tries++) got = atomic_cmpxchg(shared, 0u, 1u) == 0u;
        if (!got) continue;
        out[get_global_id(0)]++;
        ((words)shared)[1]++;
        unlock(shared);
    }
}

static uint inside_or_not(words at) {
    for (int tries = 0; tries < 100000; tries++) {
        if (atomic_cmpxchg(at, 0u, 1u) != 0u) continue;
        at[1]++;
        unlock(at);
        return 1u;
    }
    return 0u;
}

// The same, left by a return from the loop.
__kernel void try_and_return(__global uint *shared, __global uint *out, uint rounds) {
    for (uint k = 0; k < rounds; k++) out[get_global_id(0)] += inside_or_not(shared);
}

// Locks whose loops ask for a kind of YIELD. shared: lock, counter.
__kernel void lock_every_third(__global uint *shared, __global uint *out, uint rounds) {
    for (uint k = 0; k < rounds; k++) {
        while (atomic_cmpxchg(shared, 0u, 1u) != 0u) tandem_yield_nth(3);
        out[get_global_id(0)]++;
        ((words)shared)[1]++;
        unlock(shared);
    }
}

__kernel void lock_at_random(__global uint *shared, __global uint *out, uint rounds) {
    for (uint k = 0; k < rounds; k++) {
        while (atomic_cmpxchg(shared, 0u, 1u) != 0u) tandem_yield_random(0x4000);
        out[get_global_id(0)]++;
        ((words)shared)[1]++;
        unlock(shared);
    }
}

// shared: next ticket, ticket that is served, counter. out: the last ticket.
__kernel void ticket_lock(__global uint *shared, __global uint *out, uint rounds) {
    words state = shared;
    for (uint k = 0; k < rounds; k++) {
        const uint mine = atomic_add(state, 1u);
        while (state[1] != mine) continue;
        out[get_global_id(0)] = state[2];
        state[2]++;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        state[1] = mine + 1u;
    }
}

static void add_locked(words state, uint what) {
    lock(state);
    state[1] += what;
    unlock(state);
}

// shared: lock, sum. Odd work-items add 1000, even ones 1.
__kernel void lock_in_function(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    for (uint k = 0; k < rounds; k++) {
        if ((i & 1u) != 0u) {
            add_locked(shared, 1000u);
            out[i] += 2u;
        } else {
            add_locked(shared, 1u);
            out[i] += 1u;
        }
    }
}

// Work-items 2k and 2k + 1 share a slot: full, value. out of the consumer: a digest of what came.
__kernel void producer_consumer(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    words slot = shared + (i & ~1u);
    uint digest = 0;
    if ((i & 1u) == 0u) {
        for (uint k = 0; k < rounds; k++) {
            while (slot[0] != 0u) continue;
            slot[1] = i * 100u + k;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            slot[0] = 1u;
        }
    } else {
        for (uint k = 0; k < rounds; k++) {
            while (slot[0] == 0u) continue;
            digest = digest * 31u + slot[1];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            slot[0] = 0u;
        }
    }
    out[i] = digest;
}

// shared: 4 locks, 4 heads, 4 lengths, then nodes of {key, next} from word 16 on. Keys go to the front of their bucket's list.
__kernel void hash_table(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    words state = shared;
    for (uint k = 0; k < rounds; k++) {
        const uint key = i * rounds + k + 1u, bucket = (key * 2654435761u) >> 30, node = 16u + 2u * (key - 1u);
        lock(state + bucket);
        state[node] = key;
        state[node + 1u] = state[4u + bucket];
        state[4u + bucket] = node;
        state[8u + bucket]++;
        unlock(state + bucket);
    }
    out[i] = i + 1u;
}

// The same memory; each bucket's list stays sorted, so that the place in it is looked for under the lock.
__kernel void sorted_lists(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    words state = shared;
    uint steps = 0;
    for (uint k = 0; k < rounds; k++) {
        const uint number = i * rounds + k, key = (number * 7919u & 0xFFFFu) + 1u, bucket = number & 3u, node = 16u + 2u * number;
        lock(state + bucket);
        uint before = 4u + bucket - 1u;  // as if the head were a node's second word
        while (state[before + 1u] != 0u && state[state[before + 1u]] < key) {
            before = state[before + 1u];
            steps++;
        }
        state[node] = key;
        state[node + 1u] = state[before + 1u];
        state[before + 1u] = node;
        state[8u + bucket]++;
        unlock(state + bucket);
    }
    out[i] = steps;
}

// shared: 8 locks, 8 cells. Each round takes a range of cells, the lowest first, and adds 1 to each of them.
__kernel void range_locks(__global uint *shared, __global uint *out, uint rounds) {
    const uint i = (uint)get_global_id(0);
    words state = shared;
    for (uint k = 0; k < rounds; k++) {
        const uint first = (i * 3u + k) & 7u, end = min(first + 1u + (i & 3u), 8u);
        for (uint at = first; at < end; at++) lock(state + at);
        for (uint at = first; at < end; at++) state[8u + at]++;
        for (uint at = first; at < end; at++) unlock(state + at);
        out[i] += end - first;
    }
}

// A lock, then a barrier: the threads of a warp leave the lock one by one and have to meet before it. out: the sum that
// all see behind the barrier. The first return is before all waiting.
__kernel void lock_then_barrier(__global uint *shared, __global uint *out, uint rounds) {
    __local uint seen;
    const uint i = (uint)get_local_id(0);
    if (rounds == 0u) return;
    for (uint k = 0; k < rounds; k++) {
        lock(shared);
        ((words)shared)[1] += i + 1u;
        unlock(shared);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (i == 0u) seen = ((words)shared)[1];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = out[i] * 7u + seen;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
