__kernel void switches(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint s = 1;
    for (uint j = 0; j < 6u; j++) {
        switch (in[(i + j) % n] % 11u) {
            case 0: s += 3u;
            case 1: s *= 5u; break;
            case 4:
            case 7: s ^= 0x55u; continue;
            case 9: to[1 + j] = s; break;
            default: s = rotate(s, j);
        }
        s += j;
    }
    to[0] = s;
}
