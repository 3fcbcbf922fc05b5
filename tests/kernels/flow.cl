// Control flow of every shape the language allows. Every kernel here: in has 2 * n words, out 32 * n; work-item i < n reads in[2 i] and
// in[2 i + 1] (and its neighbours) and writes out[32 i ..]. Also read as C, by as_c.h.

__kernel void nested_ifs(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0;
    if (a & 1u) {
        out[32 * i + 1] = a;
        if (b & 1u) {
            out[32 * i + 2] = b;
            if (a & 2u)
                out[32 * i + 3] = 1;
            else
                out[32 * i + 4] = 2;
            x += 1;
        } else if (b & 2u) {
            out[32 * i + 5] = 3;
            x += 2;
        }
        x += 4;
    } else {
        out[32 * i + 6] = 4;
        if ((a & 4u) && (b & 4u)) out[32 * i + 7] = 5;
        if ((a & 8u) || (b & 8u)) out[32 * i + 8] = 6;
        x += 8;
    }
    out[32 * i] = x + 1;
}

__kernel void dense_switch(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0;
    switch (a & 7u) {
        case 0: x = a * 3u; break;
        case 1: out[32 * i + 1] = b;  // falls through
        case 2: x += b; break;
        case 3:
            if (b & 1u) break;
            x = 77;  // falls through
        case 4: out[32 * i + 2] = x; break;
        case 5: return;
        default: x = a ^ b;
    }
    out[32 * i] = x;
}

__kernel void sparse_switch(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 1;
    for (uint k = 0; k < (b & 7u) + 1u; k++) {
        switch (a % 1009u) {
            case 3: x += 5; continue;
            case 100: x *= 3; break;
            case 500: out[32 * i + 3] = k; break;
            case 1000: out[32 * i] = x; return;
            default:
                if (a % 1009u < 300u) {
                    x += 2;
                } else if (a % 1009u < 600u) {
                    x ^= 9u;
                    break;
                }
                x += 1;
        }
        a = a * 5u + 3u;
        x += a & 15u;
    }
    out[32 * i] = x;
}

__kernel void table_switch(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint x;
    switch (in[2 * i] & 15u) {
        case 0: x = 11; break;
        case 1: x = 7; break;
        case 2: x = 1234; break;
        case 3: x = 99; break;
        case 4: x = 5; break;
        case 5: x = 6000; break;
        case 6: x = 3; break;
        case 7: x = 42; break;
        default: x = 8;
    }
    out[32 * i] = x;
}

__kernel void three_exits(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1] | 1u, k;
    for (k = 0; k < 50; k++) {
        a = a * b + k;
        if ((a & 31u) == 7u) {
            out[32 * i + 1] = a;
            break;
        }
        if ((a & 63u) == 40u) goto found;
        if ((a & 127u) == 99u) return;
    }
    out[32 * i + 2] = k;
    out[32 * i] = a;
    return;
found:
    out[32 * i + 3] = k;
}

__kernel void break_two_loops(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0, y = 0;
    for (uint k = 0; k < (a & 15u); k++) {
        for (uint m = 0; m < (b & 15u); m++) {
            x += k * m + 1u;
            if (((x ^ a) & 63u) == 13u) goto done;
            if (((x ^ b) & 15u) == 3u) break;
            if (((x + b) & 7u) == 2u) continue;
            y += m;
        }
        y += 100;
    }
    x += 1000;
done:
    out[32 * i] = x;
    out[32 * i + 1] = y;
}

// A jump back to where no loop statement is, twice, with a common tail.
__kernel void goto_back(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], x = 0, steps = 0;
again:
    steps++;
    a = a * 1103515245u + 12345u;
    if (steps > 40u) goto end;
    if ((a >> 16 & 7u) == 3u) goto again;
    x += a >> 20;
middle:
    x ^= steps;
    if ((a >> 18 & 3u) == 1u) goto again;
    if (steps < 20u) {
        steps += 3;
        a ^= x;
        goto middle;
    }
end:
    out[32 * i] = x;
    out[32 * i + 1] = steps;
}

// Two ways into one cycle: no loop of the language's has that.
__kernel void irreducible(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0, steps = 0;
    if (a & 1u) goto second;
first:
    x += a & 255u;
    if (steps++ > 25u) goto out_of_it;
    if (x & 4u) a = a * 3u + 1u;
second:
    x = x * 5u + (b & 15u);
    if (steps++ > 30u) goto out_of_it;
    b = b >> 1 ^ x;
    if (b & 3u) goto first;
    a ^= b;
    if (a & 7u) goto second;
out_of_it:
    out[32 * i] = x;
    out[32 * i + 1] = steps;
}

// A switch that jumps into the middle of a loop.
__kernel void into_the_loop(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint count = in[2 * i] % 37u, rounds = (count + 3u) / 4u, x = in[2 * i + 1];
    if (count == 0) return;
    switch (count & 3u) {
        case 0:
            do {
                x = x * 3u + 1u;
                case 3: x ^= 0x55u;
                case 2: x += 17u;
                case 1: x = x << 3 | x >> 29;
            } while (--rounds > 0);
    }
    out[32 * i] = x;
}

__kernel void collatz(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = (in[2 * i] & 0xFFFu) + 1u, steps = 0;
    while (a != 1u) {
        if (a & 1u)
            a = 3u * a + 1u;
        else
            a >>= 1;
        steps++;
    }
    out[32 * i] = steps;
}

__kernel void greatest_divisor(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    while (b != 0) {
        uint rest = a % b;
        a = b;
        b = rest;
    }
    out[32 * i] = a;
}

// The values of one iteration are the next one's in another order: phis that swap.
__kernel void swaps(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], c = a + b, last = 0;
    for (uint k = 0; k < (in[2 * i] & 31u); k++) {
        uint t = a;
        a = b;
        b = c;
        c = t;
        last = k;
        if (c & 1u) {
            t = a;
            a = b;
            b = t;
        }
    }
    out[32 * i] = a;
    out[32 * i + 1] = b;
    out[32 * i + 2] = c;
    out[32 * i + 3] = last;
}

__kernel void state_machine(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint state = 0, seed = in[2 * i], count = 0, sum = 0;
    for (;;) {
        seed = seed * 1664525u + 1013904223u;
        uint input = seed >> 28;
        if (++count > 60u) break;
        switch (state) {
            case 0: state = input < 5u ? 1u : 2u; break;
            case 1:
                sum += input;
                if (input == 3u) state = 3;
                break;
            case 2:
                if (input & 1u) {
                    state = 0;
                    continue;
                }
                sum ^= seed >> 12;
                break;
            case 3:
                if (sum > 300u) goto stop;
                state = 4;
                break;
            default: state = (seed >> 20 & 3u);
        }
        sum++;
    }
stop:
    out[32 * i] = sum;
    out[32 * i + 1] = count;
    out[32 * i + 2] = state;
}

static uint helper(uint a, uint b) {
    for (uint k = 0; k < 20u; k++) {
        if (a == b) return k;
        if (a > b)
            a -= b;
        else
            b -= a;
        if (b == 0) return 100u + k;
    }
    return a;
}

// A function with several returns, called from both arms of an if and in a loop.
__kernel void helpers(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i] & 0xFFFu, b = in[2 * i + 1] & 0xFFu, x;
    if (a & 1u)
        x = helper(a, b);
    else
        x = helper(b, a) + 1u;
    for (uint k = 0; k < (b & 3u); k++) x += helper(x + k, b | 1u);
    out[32 * i] = x;
}

__kernel void early_returns(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    out[32 * i] = 1;
    if ((a & 7u) == 0) return;
    for (uint k = 0; k < 30u; k++) {
        if (((a + k) & 31u) == (b & 31u)) {
            out[32 * i + 1] = k;
            return;
        }
        if (a & 8u) {
            if (((a ^ k) & 15u) == 5u) return;
            b += a;
        }
        a = a * 5u + 1u;
    }
    if (b & 1u) {
        out[32 * i + 2] = a;
        if (b & 2u) return;
        out[32 * i + 3] = b;
    }
    out[32 * i + 4] = a ^ b;
}

// Insertion sort of the work-item's own stretch of global memory.
__kernel void sort(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    __global uint *to = out + 32 * i;
    uint seed = in[2 * i], count = in[2 * i + 1] % 32u;
    for (uint k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        uint value = seed >> 16, at = k;
        while (at > 0 && to[at - 1] > value) {
            to[at] = to[at - 1];
            at--;
        }
        to[at] = value;
    }
}

__kernel void binary_search(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint wanted = in[2 * i] % 5000u, low = 0, high = 1000;
    while (low < high) {
        uint middle = (low + high) / 2u, value = middle * 5u + (middle & 1u);
        if (value == wanted) {
            out[32 * i + 1] = middle;
            break;
        }
        if (value < wanted)
            low = middle + 1u;
        else
            high = middle;
    }
    out[32 * i] = low;
}

// Loops whose trip counts are the same in all threads around, between and inside others.
__kernel void uniform_and_not(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), x = 0;
    for (uint k = 0; k < (n & 7u) + 2u; k++) {
        if (i < n) {
            for (uint m = 0; m < (in[2 * i] & 3u) + k; m++) {
                x += m;
                if (n & 16u) {
                    x ^= k;
                    if (x > 1000u) break;
                }
            }
        }
        if (n & 1u) x += 3u;
        do {
            x += 7u;
        } while (x & 3u);
    }
    if (i < n) out[32 * i] = x;
}
