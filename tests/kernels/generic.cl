// Generic pointers (OpenCL C 2.0): what they lead to is known in some places, told by data in others. 32 words for each work-item.

struct node {
    uint value;
    struct node *next;
};

struct block {
    uint words[30];
};

static uint read_all(const uint *at) {
    const uchar *bytes = (const uchar *)at;
    const short *halves = (const short *)at;
    return at[0] + bytes[5] * 3u + (uint)halves[1] + at[2];
}

__kernel void mixed(__global const uint *in, __global uint *out, uint n) {
    __local uint shared[32 * 4];
    uint i = (uint)get_global_id(0), own = (uint)get_local_id(0);
    uint a = in[2 * i % (2 * n)], b = in[(2 * i + 1) % (2 * n)], mine[4];
    __global uint *to = out + 32 * i;
    for (uint k = 0; k < 4; k++) {
        to[20 + k] = a + k;
        shared[4 * own + k] = b ^ k;
        mine[k] = a * b + k;
    }
    uint *p = to + 20;
    if (a % 3u == 1) p = shared + 4 * own;
    if (a % 3u == 2) p = mine;
    uint *some[3] = {to + 20, shared + 4 * own, mine};
    to[0] = read_all(p);
    to[1] = read_all(some[b % 3u]);
    p[1] = 7;
    ((uchar *)p)[8] = (uchar)b;
    *((ushort *)some[(a + b) % 3u] + 7) = (ushort)a;
    to[2] = read_all(p) + p[3];
    to[3] = (to_global(p) != 0) + 2u * (to_local(p) != 0) + 4u * (to_private(p) != 0);
    __local uint *q = to_local(p);
    to[4] = q ? q[1] : 5u;
    uint *none = b % 5u == 0 ? 0 : p;
    to[5] = none ? *none : 99u;
    to[6] = get_fence(p) == CLK_GLOBAL_MEM_FENCE;
    for (uint k = 0; k < 4; k++) to[8 + k] = mine[k] + shared[4 * own + k];
    to[12] = (uint)(some[b % 3u] + 2 - some[b % 3u]) + (p == some[a % 3u]);
}

// Atomic operations through generic pointers.
__kernel void generic_atomics(__global const uint *in, __global uint *out, uint n) {
    __local atomic_uint shared[32];
    uint i = (uint)get_global_id(0), own = (uint)get_local_id(0), a = in[2 * i % (2 * n)];
    atomic_uint mine[2];
    __global atomic_uint *to = (__global atomic_uint *)(out + 32 * i);
    atomic_init(&mine[a & 1u], a);
    atomic_init(&to[10], a);
    atomic_init(&shared[own], a);
    atomic_uint *p = &to[10];
    if (a % 3u == 1) p = &shared[own];
    if (a % 3u == 2) p = &mine[a & 1u];
    __global uint *old = out + 32 * i;
    old[0] = atomic_fetch_add(p, 5u);
    old[1] = atomic_fetch_sub_explicit(p, a >> 3, memory_order_relaxed);
    old[2] = atomic_fetch_and(p, 0xFFFFFF0Fu);
    old[3] = atomic_fetch_or(p, 0x10u);
    old[4] = atomic_fetch_xor_explicit(p, a, memory_order_acq_rel, memory_scope_device);
    old[5] = atomic_fetch_max(p, 1000u);
    old[6] = atomic_fetch_min(p, 100000u);
    old[7] = atomic_exchange(p, a + 1u);
    uint expected = a + (a >> 5 & 1u);
    old[8] = atomic_compare_exchange_strong(p, &expected, 3u);
    old[9] = expected;
    old[11] = atomic_load(p);
    atomic_store(p, a);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    old[12] = atomic_load_explicit(p, memory_order_relaxed);
    out[32 * i + 10] = 0;
}

// A list whose nodes lie in all three memories.
__kernel void list(__global const uint *in, __global uint *out, uint n) {
    __local struct node shared[32];
    uint i = (uint)get_global_id(0);
    uint a = in[2 * i % (2 * n)], b = in[(2 * i + 1) % (2 * n)];
    struct node mine[3], *head = 0;
    __global struct node *there = (__global struct node *)(out + 32 * i + 16);
    shared[get_local_id(0)].value = b;
    for (uint k = 0; k < 3; k++) mine[k].value = a >> k;
    for (uint k = 0; k < 4; k++) there[k].value = b >> k;
    struct node *all[8] = {mine, there, &shared[get_local_id(0)], mine + 1, there + 1, there + 2, mine + 2, there + 3};
    for (uint k = 0; k < 8; k++) {
        if (((a ^ b) >> k & 1u) == 0) continue;
        all[k]->next = head;
        head = all[k];
    }
    uint sum = 0, length = 0;
    for (struct node *at = head; at; at = at->next, length++) sum = sum * 3u + at->value;
    out[32 * i] = sum;
    out[32 * i + 1] = length;
    for (uint k = 0; k < 4; k++) there[k].next = 0;
}

static void move_words(uint *to, const uint *from, uint n) {
    for (uint k = 0; k < n; k++) to[k] = from[k];
}

// Copies between memories, of constant and of other sizes.
__kernel void copies(__global const uint *in, __global uint *out, uint n) {
    __local struct block shared[32];
    uint i = (uint)get_global_id(0);
    uint a = in[2 * i % (2 * n)], b = in[(2 * i + 1) % (2 * n)];
    struct block mine, second;
    for (uint k = 0; k < 30; k++) mine.words[k] = a + k * b;
    shared[get_local_id(0)] = mine;
    mine.words[a % 30u] = 0;
    second = a & 1u ? shared[get_local_id(0)] : mine;
    move_words(out + 32 * i, second.words + b % 6u, 24u);
    __builtin_memmove(second.words + a % 8u, second.words + b % 8u, 4u * (a % 22u));
    __builtin_memcpy(out + 32 * i + 24, second.words + a % 27u, 12u);
    __builtin_memset(second.words, (int)b, a % 13u);
    out[32 * i + 27] = second.words[0] + second.words[1] + second.words[2] + second.words[3];
}
