// Work-groups larger than what is resident, done in turns: tests/device/test_large_groups.c compares each kernel with
// the same on a device where the group is resident. Each work-item writes a word; `in` holds n arbitrary words, n a
// power of two. The kernels of sub-groups write what must hold on every device.

kernel void plain(global const uint *in, global uint *out, uint n) {
    const uint i = (uint)get_global_linear_id();
    out[i] = in[i & (n - 1)] + (uint)get_local_linear_id() * 65536u + (uint)get_group_id(0) + (uint)get_local_size(0) * 3u;
}

kernel void places(global const uint *in, global uint *out, uint n) {
    const uint x = (uint)get_local_id(0), y = (uint)get_local_id(1), z = (uint)get_local_id(2);
    out[get_global_linear_id()] =
        x | y << 10 | z << 20 | (uint)(get_global_id(1) + get_global_id(2) + get_num_groups(1)) << 26 ^ in[n - 1];
}

static uint group_size(void) { return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); }

kernel void reduce(global const uint *in, global uint *out, uint n) {
    local uint sums[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size();
    sums[me] = in[get_global_linear_id() & (n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint width = 1;
    while (width < size) width *= 2;
    for (width /= 2; width > 0; width /= 2) {
        if (me < width && me + width < size) sums[me] += sums[me + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_linear_id()] = sums[0] + me;
}

// Barriers in loops in loops, and what lives over them: counters, sums, a value that swaps with another.
kernel void loops(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size();
    uint a = in[me & (n - 1)], b = me, sum = 0;
    for (uint i = 0; i < 3; i++) {
        const uint start = a + i;
        for (uint k = 0; k < 2 + i; k++) {
            words[me] = a ^ k;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += words[(me + k + 1) % size] * (start | 1u);
            const uint held = a;
            a = b + k;
            b = held;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (sum & 1) sum += start;
    }
    out[get_global_linear_id()] = sum + a * 3u + b;
}

// Barriers in ifs that are the same for all, one in a loop that passes it only sometimes, a way out behind one.
kernel void ifs(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size(), group = (uint)get_group_id(0);
    uint sum = me;
    words[me] = in[me & (n - 1)];
    if (n > 4) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += words[size - 1 - me];
        if (group & 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            words[me] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum ^= words[(me + 1) % size];
        } else {
            sum += 7;
        }
    }
    for (uint k = 0; k < 6; k++) {
        sum = sum * 5 + k;
        if (k % 3 == 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            words[me] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += words[me ^ 1u ? (me + size / 2) % size : 0];
        }
    }
    out[get_global_linear_id()] = sum;
    if (group == 2) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    words[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = words[(me + 3) % size];
}

// Private arrays, vectors, flags, pointers and 64-bit numbers that live over barriers.
kernel void privates(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size();
    uint own[8];
    for (uint k = 0; k < 8; k++) own[k] = in[(me * 8 + k) & (n - 1)];
    const bool odd = (in[me & (n - 1)] & 1) != 0;
    uint4 four = (uint4)(own[0], own[1], me, 5u);
    ulong wide = (ulong)own[2] << 20;
    char small = (char)own[3];
    uint *chosen = &own[own[4] & 7];
    global const uint *far = in + (own[5] & (n - 1));
    words[me] = own[me & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    own[words[(me + 1) % size] & 7] += words[(me + 2) % size];
    four += (uint4)(words[0], 1u, 2u, 3u);
    *chosen += 11u;
    barrier(CLK_LOCAL_MEM_FENCE);
    words[me] = own[7 - (me & 7)] + *far;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = odd ? four.x : four.y + four.z * four.w;
    for (uint k = 0; k < 8; k++) sum = sum * 31u + own[k];
    out[get_global_linear_id()] = sum + (uint)(wide >> 17) + (uint)small + words[size - 1 - me];
}

// Divergent code between barriers, with loops of different lengths, one of them without a bound.
kernel void divergent(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size();
    uint x = in[me & (n - 1)] % 97 + 1, steps = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps++;
    }
    words[me] = steps;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me % 3 == 0) {
        for (uint k = 0; k < words[(me + 5) % size] % 7; k++) steps += words[(me + k) % size];
    } else if (me % 5 == 1) {
        steps ^= words[size - 1 - me];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    words[me] = steps;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = words[(me * 7 + 1) % size] + steps;
}

kernel void whole(global const uint *in, global uint *out, uint n) {
    const uint me = (uint)get_local_linear_id(), x = in[get_global_linear_id() & (n - 1)];
    uint sum = work_group_reduce_add(x) + work_group_scan_exclusive_add(x) * 3u + work_group_scan_inclusive_max(x);
    sum ^= (uint)work_group_scan_inclusive_min((int)x);
    sum += work_group_broadcast(x, get_local_size(0) - 1, get_local_size(1) - 1, 0);
    sum += (uint)work_group_any(me == 77) + 2u * (uint)work_group_all(me < 77) + 4u * (uint)work_group_all(1);
    out[get_global_linear_id()] = sum;
}

static uint twice_by_call(global const uint *in, uint n) __attribute__((noinline));
static uint twice_by_call(global const uint *in, uint n) { return 2u * in[get_global_id(0) & (n - 1)]; }

kernel void copies(global const uint *in, global uint *out, uint n, local uint *words) {
    const uint me = (uint)get_local_linear_id(), size = group_size();
    event_t event = async_work_group_copy(words, in + (get_group_id(0) & 1), min(size, n - 1), 0);
    wait_group_events(1, &event);
    const uint got = words[(me + 1) % min(size, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    words[me] = got + twice_by_call(in, n);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = words[size - 1 - me];
}

kernel void counts(global const uint *in, global uint *out, uint n) {
    local uint count, best;
    const uint me = (uint)get_local_linear_id();
    if (me == 0) { count = 0; best = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&count, in[me & (n - 1)] & 15u);
    atomic_max(&best, in[me & (n - 1)] >> 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = count * 5u + best;
}

kernel __attribute__((reqd_work_group_size(250, 1, 1))) void required(global const uint *in, global uint *out, uint n) {
    local uint words[250];
    const uint me = (uint)get_local_id(0);
    words[me] = in[me & (n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[249 - me];
}

// 1 for each thing that holds.
kernel void parts(global const uint *in, global uint *out, uint n) {
    local uint ids[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size(), lane = get_sub_group_local_id();
    const uint part = get_sub_group_id(), most = get_max_sub_group_size(), all = get_num_sub_groups();
    uint good = me == part * most + lane, sum = 0, largest = 0;
    const uint x = in[me & (n - 1)];
    good |= (uint)(all == (size + most - 1) / most) << 1;
    good |= (uint)(get_sub_group_size() == (part + 1 < all ? most : size - part * most)) << 2;
    ids[me] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < get_sub_group_size(); k++) {
        sum += ids[part * most + k];
        largest = max(largest, ids[part * most + k]);
    }
    good |= (uint)(sub_group_reduce_add(x) == sum) << 3;
    good |= (uint)(sub_group_reduce_max(x) == largest) << 4;
    good |= (uint)(sub_group_broadcast(x, 1) == ids[part * most + 1]) << 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    ids[me] = sub_group_scan_inclusive_add(x);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    good |= (uint)(ids[part * most + get_sub_group_size() - 1] == sum) << 6;
    good |= (uint)(sub_group_any(lane == 1) && !sub_group_all(lane == 1)) << 7;
    out[get_global_linear_id()] = good;
}

// Work-items that end before others, whole warps at a time, in front of barriers that the rest meets at.
kernel void leaves(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size();
    const uint part = me / 64, last = in[get_group_id(0) & (n - 1)] % 3;
    out[get_global_linear_id()] = me + 1u;
    words[me] = in[me & (n - 1)];
    if (part == last) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = words[(me + 1) % size];
    for (uint k = 0; k < 5; k++) {
        if (part == 4 + k) return;
        barrier(CLK_LOCAL_MEM_FENCE);
        words[me] = sum + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += words[(me ^ 1u) % size];
        out[get_global_linear_id()] = sum;
    }
    if (part == 1) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = sum + words[me & 63];
}

// Threads of a warp come to functions of the whole group by ways of different lengths.
kernel void meets(global const uint *in, global uint *out, uint n) {
    const uint me = (uint)get_local_linear_id();
    uint x = in[(me + 3) & (n - 1)] % 61 + 1, steps = 0;
    for (uint k = 0; k < 3; k++) {
        while (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            steps++;
        }
        if (me % 3 == k) steps *= 5;
        const uint all = work_group_reduce_add(steps), before = work_group_scan_exclusive_add(steps ^ k);
        x = (all + before + me) % 31 + 1;
        if (work_group_any(me == 5 && k == 1)) steps += 3;
    }
    out[get_global_linear_id()] = steps + x;
}

// 80 numbers alive at once, more than the registers of a thread of nano.
kernel void many(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), size = group_size();
    uint x[80], sum = 0;
#pragma unroll
    for (uint k = 0; k < 80; k++) x[k] = in[(me * 5 + k) & (n - 1)];
    words[me] = x[7];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = words[size - 1 - me];
    for (uint r = 0; r < 3; r++) {
#pragma unroll
        for (uint k = 0; k < 80; k++) x[k] = x[k] * 3 + (x[(k * 7 + 11) % 80] ^ other);
    }
#pragma unroll
    for (uint k = 0; k < 80; k++) sum = sum * 5 + x[k];
    out[get_global_linear_id()] = sum;
}

// Shuffles behind barriers and behind ways of different lengths.
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
kernel void shuffled(global const uint *in, global uint *out, uint n) {
    local uint words[1024];
    const uint me = (uint)get_local_linear_id(), lane = get_sub_group_local_id(), most = get_max_sub_group_size();
    uint x = in[me & (n - 1)] % 61 + 1, good = 0;
    for (uint k = 0; k < 4; k++) {
        const uint other = sub_group_shuffle(x + k, lane ^ 1u);
        words[me] = x + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        good += other == words[me ^ 1u];
        for (uint y = x; y != 1; x++) y = y % 2 ? 3 * y + 1 : y / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint first = sub_group_shuffle(x, 0u);
        words[me] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        good += first == words[me - lane];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_linear_id()] = good;
}
