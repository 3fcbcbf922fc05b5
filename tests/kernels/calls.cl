// Functions that stay functions. Every kernel here: in has 2 * n words, out 32 * n; work-item i < n reads in[2 i] and in[2 i + 1] and writes
// out[32 i ..]. Also read as C, by as_c.h.
#ifndef KEPT
#define KEPT __attribute__((noinline))
#endif

struct pair {
    uint a, b;
};

struct record {
    uint number;
    struct pair pairs[3];
    short small;
    uchar bytes[5];
};

KEPT static uint kept_mix(uint x, uint y) {
    if (x & 1u) return x * 3u + y;
    if (y & 4u) return x ^ y;
    return (x >> 3) - y;
}

// Calls in a loop that threads leave at different times, from a function with several returns.
KEPT static uint kept_steps(uint x, uint limit) {
    uint sum = x;
    for (uint k = 0; k < (limit & 15u); k++) {
        if ((sum & 63u) == 5u) return sum + k;
        sum = kept_mix(sum, k);
        if (sum > 0xF0000000u) break;
        if (sum & 2u) continue;
        sum += kept_mix(k, sum) & 7u;
    }
    return sum;
}

__kernel void call_chain(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    out[32 * i] = kept_mix(a, b);
    out[32 * i + 1] = kept_steps(a, b);
    out[32 * i + 2] = kept_steps(b, a) + kept_mix(b, a);
}

// In arms of ifs, in nested loops, past returns of the kernel.
__kernel void calls_apart(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 7;
    if (a & 1u) {
        x = kept_mix(a, 3);
        if (b & 1u) x += kept_steps(x, b);
    } else if (a & 2u) {
        x = kept_steps(b, 9);
    } else {
        for (uint k = 0; k < (a & 7u); k++) {
            if (kept_mix(k, b) == 11u) {
                out[32 * i + 1] = k;
                return;
            }
            for (uint m = k; m < 5u; m++) {
                x += kept_mix(x, m);
                if ((x & 31u) == 9u) goto out_of_both;
            }
        }
        out[32 * i + 2] = 1;
    }
out_of_both:
    out[32 * i] = x;
}

KEPT static uint kept_many(uint a0, uint a1, uint a2, uint a3, uint a4, uint a5, uint a6, uint a7, uint a8, uint a9, uint b0, uint b1, uint b2,
                           uint b3, uint b4, uint b5, uint b6, uint b7, uint b8, uint b9, uint c0, uint c1, uint c2, uint c3) {
    uint odd = a0 ^ a2 * 3u ^ a4 * 5u ^ a6 * 7u ^ a8 * 9u ^ b0 * 11u ^ b2 * 13u ^ b4 * 15u ^ b6 * 17u ^ b8 * 19u ^ c0 * 21u ^ c2 * 23u;
    uint even = a1 + a3 * 3u + a5 * 5u + a7 * 7u + a9 * 9u + b1 * 11u + b3 * 13u + b5 * 15u + b7 * 17u + b9 * 19u + c1 * 21u + c3 * 23u;
    return odd - even;
}

__kernel void many_arguments(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    out[32 * i] = kept_many(a, b, a + 1, b + 1, a + 2, b + 2, a + 3, b + 3, a + 4, b + 4, a * 5, b * 5, a ^ 6, b ^ 6, a & 7, b & 7, a | 8, b | 8, a - 9, b - 9,
                            a >> 1, b >> 1, 0, 12345);
    out[32 * i + 1] = kept_many(b, a, 0, 0, 0, a, b, a, b, a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, a, b);
}

KEPT static ulong kept_wide(ulong x, uint y, ulong z) {
    if (y & 1u) return x * z + y;
    return (x ^ z) >> (y & 31u);
}

KEPT static ulong kept_quotient(ulong x, ulong y) {
    return y == 0 ? x : x / y + x % (y + 1);
}

__kernel void wide_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    ulong a = (ulong)in[2 * i] << 32 | in[2 * i + 1], b = (ulong)in[2 * i + 1] << 20 | 77u;
    ulong x = kept_wide(a, in[2 * i], b), y = kept_quotient(a, b), z = kept_quotient(b, kept_wide(b, in[2 * i + 1], a));
    out[32 * i] = (uint)x;
    out[32 * i + 1] = (uint)(x >> 32);
    out[32 * i + 2] = (uint)y;
    out[32 * i + 3] = (uint)(y >> 32);
    out[32 * i + 4] = (uint)z;
    out[32 * i + 5] = (uint)(z >> 32);
}

KEPT static int kept_narrow(char c, short s, uchar u, bool flag, ushort w) {
    return flag ? c * 3 + s : u - w;
}

KEPT static short kept_short(int x) {
    return (short)(x * 3);
}

KEPT static bool kept_flag(uint x, uint y) {
    return (x & y) != 0 && x < y;
}

__kernel void narrow_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    bool less = a < b;
    int x = kept_narrow((char)a, (short)b, (uchar)(a >> 8), less, (ushort)(b >> 8));
    // Conditions that are held over calls.
    bool other = (a & 6u) == 2u;
    short s = kept_short(x);
    if (less && !kept_flag(a, b)) x += 5;
    if (other != kept_flag(b, a)) x ^= 0x55;
    out[32 * i] = (uint)x;
    out[32 * i + 1] = (uint)(int)s;
    out[32 * i + 2] = less ? 1u : 2u;
}

KEPT static struct pair kept_swapped(struct pair p, uint by) {
    struct pair q = {p.b + by, p.a - by};
    p.a = 99;  // its own
    return q;
}

KEPT static struct record kept_record(struct record r, __private struct pair *p) {
    for (uint k = 0; k < 3; k++) {
        r.pairs[k] = kept_swapped(r.pairs[k], k + r.number);
        p->a += r.pairs[k].a;
    }
    r.bytes[r.number % 5u]++;
    r.small = (short)(r.small - 3);
    return r;
}

__kernel void structure_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    struct pair p = {a, b}, q = kept_swapped(p, 5), sum = {1, 2};
    struct record r = {a & 0xFFu, {{a, b}, {b, a}, {1, 2}}, (short)b, {1, 2, 3, 4, 5}};
    struct record first = kept_record(r, &sum), second = kept_record(first, &sum);
    out[32 * i] = p.a;
    out[32 * i + 1] = q.a;
    out[32 * i + 2] = q.b;
    out[32 * i + 3] = sum.a;
    out[32 * i + 4] = first.pairs[1].a;
    out[32 * i + 5] = second.pairs[2].b;
    out[32 * i + 6] = (uint)(int)second.small;
    out[32 * i + 7] = r.bytes[r.number % 5u] + 256u * second.bytes[r.number % 5u];
}

// Private arrays by address, each function with arrays of its own.
KEPT static uint kept_fill(__private uint *to, uint count, uint seed) {
    uint own[8];
    for (uint k = 0; k < 8; k++)
        own[k] = seed * (k + 1u);
    for (uint k = 0; k < count; k++)
        to[k] = own[(k + seed) & 7u] + k;
    return own[seed & 7u];
}

KEPT static uint kept_sum(__private const uint *from, uint count) {
    uint own[8], sum = 0;
    uint key = kept_fill(own, 8, from[0]);
    for (uint k = 0; k < count; k++)
        sum += from[k] ^ own[(k + key) & 7u];
    return sum;
}

__kernel void array_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    uint mine[12], others[12];
    out[32 * i] = kept_fill(mine, 12, a);
    out[32 * i + 1] = kept_fill(others, 5 + (b & 7u), b);
    out[32 * i + 2] = kept_sum(mine, 12);
    out[32 * i + 3] = kept_sum(others, 5);
    out[32 * i + 4] = mine[a & 3u] + others[b & 3u];
}

// More values alive over a call than there are registers.
KEPT static uint kept_busy(uint x) {
    uint v[24];
    for (uint k = 0; k < 24; k++)
        v[k] = x * (k * 2u + 1u) ^ k;
    uint sum = 0;
    for (uint round = 0; round < (x & 3u) + 1u; round++)
        for (uint k = 0; k < 24; k++)
            sum += v[k] ^ v[(k + 5u) % 24u] * sum;
    return sum;
}

#define EIGHT(f, k) f(k) f(k + 1) f(k + 2) f(k + 3) f(k + 4) f(k + 5) f(k + 6) f(k + 7)
#define SIXTY_FOUR(f, k) \
    EIGHT(f, k) EIGHT(f, k + 8) EIGHT(f, k + 16) EIGHT(f, k + 24) EIGHT(f, k + 32) EIGHT(f, k + 40) EIGHT(f, k + 48) EIGHT(f, k + 56)

__kernel void values_over_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], sum = 0;
    uint v[320];
#define MAKE(k) v[k] = a * ((k) * 2654435761u | 1u) ^ b;
    SIXTY_FOUR(MAKE, 0) SIXTY_FOUR(MAKE, 64) SIXTY_FOUR(MAKE, 128) SIXTY_FOUR(MAKE, 192) SIXTY_FOUR(MAKE, 256)
    uint first = kept_busy(a);
    if (b & 1u) first += kept_busy(b);
#define READ(k) sum = sum * 33u + v[k];
    SIXTY_FOUR(READ, 0) SIXTY_FOUR(READ, 64) SIXTY_FOUR(READ, 128) SIXTY_FOUR(READ, 192) SIXTY_FOUR(READ, 256)
    uint second = kept_busy(first ^ sum);
    sum = sum + v[3] * second + v[311];
    out[32 * i] = sum;
    out[32 * i + 1] = first;
    out[32 * i + 2] = second;
}

// Fifteen levels, each calling the one below twice: 32768 copies if all were expanded.
static uint tree_leaf(uint x) {
    return x * 1664525u + 1013904223u;
}
#define LEVEL(name, below)                                     \
    static uint name(uint x, uint turn) {                      \
        if (turn == 0) return x;                               \
        uint left = below(x ^ turn, turn >> 1);                \
        if (left & 1u) return left + below(left, turn & 5u);   \
        return below(left + x, turn >> 2) ^ x;                 \
    }
#define BOTTOM(x, turn) tree_leaf((x) + (turn))
LEVEL(tree_1, BOTTOM)
LEVEL(tree_2, tree_1)
LEVEL(tree_3, tree_2)
LEVEL(tree_4, tree_3)
LEVEL(tree_5, tree_4)
LEVEL(tree_6, tree_5)
LEVEL(tree_7, tree_6)
LEVEL(tree_8, tree_7)
LEVEL(tree_9, tree_8)
LEVEL(tree_10, tree_9)
LEVEL(tree_11, tree_10)
LEVEL(tree_12, tree_11)
LEVEL(tree_13, tree_12)
LEVEL(tree_14, tree_13)
LEVEL(tree_15, tree_14)

__kernel void call_tree(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    out[32 * i] = tree_15(in[2 * i], in[2 * i + 1]);
}

// A table of the program and a structure of the caller's, by address.
__constant uint call_table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

#ifdef __OPENCL_VERSION__
#define TABLE_POINTER __constant uint *
#else
#define TABLE_POINTER const uint *
#endif
KEPT static uint kept_lookup(TABLE_POINTER table, uint index) {
    return table[index & 7u] * table[(index >> 3) & 7u];
}

KEPT static void kept_store(__global uint *to, uint index, uint value) {
    if (value & 1u) to[index] = value;
}

__kernel void pointer_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    out[32 * i] = kept_lookup(call_table, a) + kept_lookup(call_table + 0, b);
    kept_store(out + 32 * i, 1, a);
    kept_store(out + 32 * i, 2, a ^ b);
}

// A loop without a bound in a function that is called from both arms of an if, in a loop.
KEPT static uint kept_unbounded(uint x, uint y) {
    uint steps = 0;
    while (x != 1u && steps != y) {
        x = (x & 1u) != 0 ? x * 3u + 1u : x >> 1;
        steps += 1u + (x & 1u);
        if (steps > 300u) return steps + x;
    }
    return steps;
}

KEPT static uint kept_outer(uint x, uint y) {
    uint sum = 0;
    for (uint k = 0; k < 4u; k++) {
        if ((x + k) & 1u) {
            sum += kept_unbounded(x + k, y);
        } else {
            sum ^= kept_unbounded(y, x + k) + k;
            if (sum & 16u) return sum;
        }
    }
    return sum + 1u;
}

__kernel void unbounded_calls(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i] & 0xFFFFu, b = in[2 * i + 1] & 0x3FFu, x = 1;
    if (a & 4u) x = kept_outer(a, b);
    for (uint k = 0; k < (b & 3u); k++) {
        if (x & 1u) {
            x = kept_unbounded(x, k + 70u) + 2u * k;
        } else if (x & 2u) {
            out[32 * i + 3] = kept_outer(x, k);
            break;
        }
        x += 3u;
    }
    out[32 * i] = x;
    out[32 * i + 1] = kept_outer(b, a);
}
