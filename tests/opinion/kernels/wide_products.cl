// Upper halves of products of 64 bits, also where the compiler knows the range of an operand.
__kernel void signed_known(__global const uint *in, __global uint *out, uint n) {
    uint k = (uint)get_global_id(0);
    long v = (long)in[k % n];
    v = min((long)~popcount(v), popcount(v));
    v = mul_hi(v, v);
    out[k] = (uint)v ^ (uint)(v >> 32);
}
__kernel void signed_any(__global const uint *in, __global uint *out, uint n) {
    uint k = (uint)get_global_id(0);
    long a = (long)((ulong)in[k % n] << 32 | in[(k + 1) % n]), b = (long)((ulong)in[(k + 2) % n] << 32 | in[(k + 3) % n]);
    long v = mul_hi(a, b) + mul_hi(a, -b) * 3 + mad_hi(a, b, a);
    out[k] = (uint)v ^ (uint)(v >> 32);
}
__kernel void unsigned_any(__global const uint *in, __global uint *out, uint n) {
    uint k = (uint)get_global_id(0);
    ulong2 a = (ulong2)((ulong)in[k % n] << 32 | in[(k + 1) % n], in[k % n]), b = (ulong2)((ulong)in[(k + 2) % n] << 32 | in[(k + 3) % n], ~0ul);
    ulong2 v = mul_hi(a, b);
    out[k] = (uint)v.x ^ (uint)(v.x >> 32) ^ (uint)v.y;
}
