__kernel void private_tables(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint t[24];
    for (uint j = 0; j < 24u; j++) t[j] = in[(i + j) % n];
    for (uint j = 0; j < 24u; j++) {
        uint k = t[j] % 24u, x = t[k];
        t[k] = t[j] ^ x;
        t[j] = x;
    }
    for (uint j = 0; j < 24u; j++) to[j] = t[j];
}
