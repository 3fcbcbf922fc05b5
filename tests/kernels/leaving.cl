// Ways out of loops, and conditions whose arms join in the middle. The arguments are those of flow.cl. Also read as C,
// by as_c.h.

__kernel void goto_out_of_three(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0, rounds = 0;
    for (uint k = 0; k < (a & 3u) + 2u; k++) {
        for (uint m = 0; m < (b & 3u) + 1u; m++) {
            for (uint p = 0; p < (a >> 4 & 7u); p++) {
                x = x * 5u + k * m + p;
                rounds++;
                if ((x ^ a) % 61u == 7u) goto found;
            }
            x += b;
        }
        x ^= a;
    }
    x += 1000u;
found:
    for (uint k = 0; k < 20u; k++) x = x * 3u + (x >> 7);
    out[32 * i] = x;
    out[32 * i + 1] = rounds;
}

// A goto into the next iteration of the outer loop, and one into the code behind it.
__kernel void continue_outer(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0;
    for (uint k = 0; k < 6u; k++) {
        for (uint m = 0; m < (b & 7u) + 1u; m++) {
            x = x * 9u + m + (a >> k);
            if ((x & 31u) == 5u) goto next;
            if ((x & 127u) == 77u) goto end;
        }
        out[32 * i + 1 + k] = x;
        x += k;
    next:
        x ^= b >> k;
    }
end:
    out[32 * i] = x;
}

// Much is done on the way out, and something else on each.
__kernel void work_on_leaving(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = a;
    for (uint k = 0; k < 24u; k++) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 16 & 15u) == 1u) {
            x ^= b;
            x = x * x + 7u;
            out[32 * i + 1] = x;
            x += x >> 5;
            break;
        }
        if ((x >> 20 & 15u) == 2u) {
            x += b * 3u;
            x = x * 77u ^ k;
            out[32 * i + 2] = x;
            x -= x >> 3;
            break;
        }
    }
    x = x * x + b;
    out[32 * i] = x;
}

__kernel void switch_out_of_loop(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0, k;
    for (k = 0; k < 40u; k++) {
        a = a * 1103515245u + 12345u;
        switch (a >> 16 & 7u) {
            case 0: x += b;  // falls through
            case 1: x ^= a; break;
            case 2: x = x * 3u + 1u;  // falls through
            case 3:
                if ((x & 15u) == 9u) goto out_of_loop;  // else falls through
            case 4: x += k; continue;
            case 5:
                if ((b ^ x) % 23u == 4u) goto out_of_loop;
                x -= 5u;
                break;
            default: x = x << 1 | x >> 31;
        }
        x += 7u;
    }
    x ^= 0x55u;
out_of_loop:
    x = x * 5u + k;
    out[32 * i] = x;
    out[32 * i + 1] = x % 1000u;
}

__kernel void return_in_loops(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 1;
    for (uint k = 0; k < (a & 7u) + 3u; k++) {
        for (uint m = 0; m < 5u; m++) {
            x = x * 7u + m + b;
            if ((x & 255u) == 3u) {
                out[32 * i + 1] = x;
                return;
            }
            if ((x >> 9 & 15u) == 7u) break;
        }
        if ((x >> 3 & 63u) == 11u) return;
        x ^= a;
    }
    for (uint k = 0; k < 10u; k++) x = x * 3u + 1u;
    out[32 * i] = x;
}

__kernel void and_or_chain(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0;
    __global const uint *p = in + 2 * i;
    for (uint k = 0; k < 8u; k++) {
        if (((a & 1u) != 0 && p[b & 1u] % 3u == 1u) || ((a & 6u) == 2u && p[a & 1u] % 5u != 2u) || (b & 8u) != 0) {
            x = x * 3u + a % 7u;
            out[32 * i + 1] = x;
        } else {
            x ^= b % 11u;
            out[32 * i + 2] = x;
        }
        a = a * 5u + 1u;
        b = b >> 1 ^ a;
    }
    out[32 * i] = x;
}

// Loops in the arms of an if, and a loop that some pass by.
__kernel void loops_in_arms(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], x = 0;
    if (a & 1u) {
        for (uint k = 0; k < (b & 15u); k++) {
            x = x * 3u + k;
            if ((x & 63u) == 17u) break;
        }
        x += a;
    } else if (a & 2u) {
        for (uint k = 0; k < (b & 7u); k++) x += k * a;
    }
    x = x * 9u + 1u;
    out[32 * i] = x;
    out[32 * i + 1] = x / 7u;
}
