// Pointers into every memory: arithmetic, differences, comparisons, pointers to pointers, other types' eyes.
uint sum_private(const uint *p, uint count) { uint s = 0; for (uint k = 0; k < count; k++) s = s * 3u + p[k]; return s; }
uint sum_global(__global const uint *p, uint count) { uint s = 0; while (count-- > 0) s = s * 5u + *p++; return s; }
uint sum_local(__local const uint *p, uint step) { uint s = 0; for (uint k = 0; k < 4u; k++, p += step) s += *p; return s; }
uint sum_constant(__constant uint *p, uint count) { uint s = 1; for (__constant uint *end = p + count; p < end; ++p) s ^= *p * 9u; return s; }
__constant uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
void swap_private(uint *a, uint *b) { uint t = *a; *a = *b; *b = t; }

__kernel void pointers_spaces(__global const uint *in, __global uint *out, uint n, __local uint *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0), p[6];
    __global uint *to = out + 32 * i;
    for (uint a = 0; a < 6u; a++) p[a] = in[i + a];
    l[k] = in[i], l[k + 32] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    swap_private(p + 1, &p[in[i] & 3u]);
    to[0] = sum_private(p + (in[i] & 1u), 4);
    to[1] = sum_global(in + i, in[i] & 7u);
    to[2] = sum_local(l + k, 3);
    to[3] = sum_constant(primes + (in[i] & 3u), 4);
}
__kernel void pointers_constant_argument(__constant uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    out[32 * i] = sum_constant(in + i, 5) + in[in[i] % n];
}
__kernel void pointers_arithmetic(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    __global const uint *a = in + (in[i] & 255u), *b = in + (in[i + 1] & 255u);
    to[0] = (uint)(a - b), to[1] = a < b, to[2] = a == b, to[3] = *(a > b ? a : b);
    __global const uchar *c = (__global const uchar *)a;
    to[4] = c[3] + 256u * *(c + 1);
    to[5] = (uint)(((__global const ushort *)b - (__global const ushort *)a));
    __global const uint *end = a + 9;
    uint s = 0;
    for (; a != end; a += 3) s += *a;
    to[6] = s;
    to[7] = in[2 * i] + (2 * i + 1)[in] + *(&in[i] + 5);
}
__kernel void pointers_to_pointers(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0), x = in[i], y = in[i + 1];
    uint *p = &x, *q = &y, **pp = in[i] & 1u ? &p : &q;
    **pp += 5u;
    *pp = in[i] & 2u ? &x : &y;
    *p ^= 0xffu, *q += 1u;
    out[32 * i] = x, out[32 * i + 1] = y;
    struct node { uint value; struct node *next; } c = {in[i + 2], 0}, b = {in[i + 3], &c}, a = {in[i + 4], &b};
    uint s = 0;
    for (struct node *at = &a; at != 0; at = at->next) s = s * 7u + at->value;
    out[32 * i + 2] = s;
}
__kernel void pointers_bytes(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    uint w[4] = {in[i], in[i + 1], in[i + 2], in[i + 3]};
    uchar *b = (uchar *)w;
    for (uint k = 0; k < 16u; k += 3u) b[k] = (uchar)(b[15u - k] + k);
    ushort *h = (ushort *)w;
    h[in[i] & 7u] = 0x1234;
    to[0] = w[0], to[1] = w[1], to[2] = w[2], to[3] = w[3];
    __global uchar *g = (__global uchar *)(to + 4);
    g[1] = b[2], g[2] = b[in[i] & 15u], ((__global short *)g)[3] = (short)h[2];
}
__kernel void pointers_vectors(__global const uint *in, __global uint *out, uint n, __local uint4 *l) {
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    __global const uint4 *v = (__global const uint4 *)in;
    l[k] = v[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local uint *s = (__local uint *)l;
    out[32 * i] = s[4u * (31u - k) + (in[i] & 3u)];
    uint4 w = l[k ^ 1u];
    uint *e = (uint *)&w;
    e[in[i] & 3u] += 9u;
    ((__global uint4 *)out)[8 * i + 1] = w;
}
__kernel void pointers_volatile(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    volatile __global uint *v = out + 32 * i;
    *v = in[i];
    *v += 3u;
    v[1] = *v * *v;
    __global uint *restrict r = out + 32 * i + 2;
    *r = v[1] + 1u;
    volatile uint p = in[i];
    p++;
    r[1] = p;
}
