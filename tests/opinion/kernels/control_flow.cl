// Every statement of the language.
__kernel void flow_goto(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), a = in[i], s = 0;
again:
    s = s * 31u + (a & 7u);
    if (a & 1u) goto odd;
    a >>= 1;
    if (a != 0) goto again;
    goto end;
odd:
    a >>= 2;
    s ^= 0x55u;
    if (s > 0xf0000000u) goto end;
    if (a) goto again;
end:
    out[32 * i] = s;
    out[32 * i + 1] = a;
}
__kernel void flow_goto_into_loop(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), a = in[i] & 255u, s = 1, k = 0;
    if (a & 1u) goto middle;
    for (; k < 8u; k++) {
        s = s * 3u + k;
    middle:
        s ^= a >> (k & 7u);
        if (s % 11u == 0) break;
    }
    out[32 * i] = s;
}
__kernel void flow_nested_switch(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), s = 0;
    switch (in[i] & 3u) {
        case 0:
            switch (in[i + 1] & 3u) {
                case 1: s = 5; break;
                case 2: s = 6;
                default: s += 7;
            }
        case 2: s *= 3u; break;
        case 3:
            for (uint k = 0; k < 9u; k++) {
                switch (k * in[i] % 5u) {
                    case 0: continue;
                    case 4: k++; break;
                    default: s += k;
                }
                s ^= k << 3;
            }
    }
    out[32 * i] = s;
}
__kernel void flow_switch_values(__global const int *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), s = 0;
    switch (in[i]) {
        case -1: s = 1; break;
        case 0x7fffffff: s = 2; break;
        case (-2147483647 - 1): s = 3; break;
        case 0: case 1: case 2: case 3: s = 4; break;
        case 15: s = 5; break;
        case 0x80: s = 6; break;
        case 0x8000: s = 7; break;
        default: s = 8;
    }
    switch ((char)in[i + 1]) {
        case 'a': s += 10u; break;
        case -1: s += 20u; break;
        case 0: s += 30u;
        case 5: s += 40u; break;
    }
    switch ((ulong)in[i + 2]) {
        case 0xfffffffffffffffful: s += 100u; break;
        case 0x80ul: s += 200u; break;
        default: s += 300u;
    }
    out[32 * i] = s;
}
__kernel void flow_duff(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), count = in[i] % 13u + 1u, at = i, s = 0, rounds = (count + 3u) / 4u;
    switch (count % 4u) {
        case 0: do { s = s * 3u + in[at++];
        case 3: s = s * 5u + in[at++];
        case 2: s = s * 7u + in[at++];
        case 1: s = s * 9u + in[at++];
            } while (--rounds > 0);
    }
    out[32 * i] = s;
    out[32 * i + 1] = at;
}
__kernel void flow_short_circuit(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), a = in[i], c = 0;
    if ((a & 1u) != 0 && ++c && (a & 2u) != 0 || (a & 4u) != 0 && ++c > 1u) c += 10u;
    uint d = (a & 8u) ? (a & 16u) ? c : c + 1u : (a & 32u) ? c + 2u : c + 3u;
    uint e = (c++, d += 5u, c * d);
    bool b = a, f = !a, g = b ^ f;
    out[32 * i] = c, out[32 * i + 1] = d, out[32 * i + 2] = e, out[32 * i + 3] = b + 2u * f + 4u * g;
}
uint collatz(uint a) {
    uint steps = 0;
    for (a = (a & 0xffu) + 1u; a != 1u; steps++) a = a & 1u ? 3u * a + 1u : a / 2u;
    return steps;
}
uint early(uint a, uint b) {
    if (a < b) return 1;
    if (a == b) return 2;
    while (a > 0) {
        if (a % 7u == b % 7u) return a;
        a /= 3u;
    }
    return 3;
}
__kernel void flow_functions(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    out[32 * i] = collatz(in[i]);
    out[32 * i + 1] = early(in[i], in[i + 1]);
    if (in[i] & 1u) return;
    out[32 * i + 2] = early(in[i + 1] & 0xffu, in[i + 2] & 0xffu) + collatz(in[i + 3]);
}
__kernel void flow_loops(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), s = 0, a = in[i];
    for (uint x = 0, y = 9; x < y; x++, y -= in[i] & 1u) {
        do {
            s += x * y;
            if (s & 0x40u) break;
        } while ((s & 3u) != 0 && s < 1000u);
        for (int k = (int)(a & 7u); k >= 0; k -= 2) {
            if (k == 3) continue;
            for (;;) {
                s ^= a >> k;
                if (++k > 5) break;
            }
            k -= 8;
            if (s & 0x100u) goto out_of_both;
        }
    }
out_of_both:
    while (a > 3u) a = a / 5u + (s & 1u);
    out[32 * i] = s, out[32 * i + 1] = a;
}
__kernel void flow_barriers_in_loops(__global const uint *in, __global uint *out, uint n, __local uint *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0), s = in[i];
    for (uint round = 0; round < 4u; round++) {
        l[k] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (round & 1u) {
            for (uint d = 0; d < (in[i] & 3u); d++) s = s * 3u + l[(k + d) & 31u];
        } else {
            s += l[31u - k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[32 * i] = s;
}
