__kernel void loops(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint a = in[i], s = 0;
    for (uint j = 0; j < (a & 15u); j++) {
        if (j == 5u && (a & 64u)) continue;
        for (uint m = j; m < 9u; m += 2u) {
            if ((a >> m & 3u) == 3u) break;
            s = s * 31u + m;
        }
        if (s > 0xf0000000u) break;
    }
    do {
        s ^= s >> 3;
        a >>= 1;
    } while (a > 5u);
    to[0] = s;
    to[1] = a;
}
