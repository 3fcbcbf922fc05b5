struct record { uint a; short b; uchar bytes[3]; uint pair[2]; };
__kernel void structures(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    struct record r = {in[i], (short)in[i + 1], {1, 2, 3}, {in[i + 2], in[i + 3]}};
    struct record s = r;
    s.bytes[in[i] % 3u] = (uchar)in[i + 4];
    s.pair[in[i] & 1u] += s.a;
    r = in[i] & 4u ? s : r;
    to[0] = r.a + (uint)r.b;
    to[1] = r.bytes[0] + 256u * r.bytes[1] + 65536u * r.bytes[2];
    to[2] = r.pair[0];
    to[3] = r.pair[1];
    to[4] = (uint)sizeof(struct record);
}
