__constant uint squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__constant char words[4][4] = {"abc", "def", "xyz", "-+*"};
__kernel void constant_tables(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    to[0] = squares[in[i] % 8u];
    to[1] = (uint)words[in[i + 1] & 3u][in[i + 2] & 3u];
    to[2] = squares[i & 7u] + (uint)words[i & 3u][0];
}
