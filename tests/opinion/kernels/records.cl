// Structures, unions, arrays of arrays: in every memory, copied, nested, handed through functions.
struct point { short x, y; };
struct shape { uchar kind; struct point corner[3]; union { uint whole; uchar part[4]; float real; } u; ulong id; };
typedef struct __attribute__((packed)) { uchar a; uint b; ushort c; } tight;
typedef struct __attribute__((aligned(32))) { uint a[2][3]; uint4 v; } grid;

struct shape shape_of(__global const uint *in, uint i) {
    struct shape s = {(uchar)in[i], {{(short)in[i], 1}, {2, (short)in[i + 1]}, {-3, 4}}, {in[i + 2]}, in[i + 3]};
    return s;
}
uint sum_of(struct shape s) {
    uint sum = s.kind;
    for (uint k = 0; k < 3u; k++) sum = sum * 31u + (uint)s.corner[k].x * 7u + (uint)s.corner[k].y;
    return sum * 31u + s.u.whole + s.u.part[1] + (uint)s.id;
}
void turn(struct shape *s) {
    struct point p = s->corner[0];
    s->corner[0] = s->corner[1];
    s->corner[1] = s->corner[2];
    s->corner[2] = p;
    s->u.part[2] ^= s->kind;
}
__kernel void records_nested(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    struct shape s = shape_of(in, i), t = s;
    turn(&t);
    if (in[i] & 1u) turn(&s);
    to[0] = sum_of(s), to[1] = sum_of(t), to[2] = (uint)sizeof(struct shape), to[3] = (uint)sizeof(tight);
    to[4] = (uint)sizeof(grid), to[5] = (uint)__alignof__(grid), to[6] = (uint)sizeof(struct point);
}
__kernel void records_union(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    union { uint w[4]; uchar b[16]; ushort h[8]; ulong l[2]; uint4 v; float f; } u;
    u.v = vload4(i, in);
    u.b[in[i] & 15u] = 0x5a;
    u.h[in[i + 1] & 7u] += 3;
    to[0] = u.w[0], to[1] = u.w[in[i] & 3u], to[2] = (uint)(u.l[1] >> 11), to[3] = u.b[7], to[4] = as_uint(u.f) & 0xfffffu;
}
__kernel void records_packed(__global const uint *in, __global uchar *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global tight *to = (__global tight *)(out + 128 * i);
    tight t = {(uchar)in[i], in[i + 1], (ushort)in[i + 2]};
    to[0] = t;
    t.b += t.a;
    to[1] = t;
    to[2].c = (ushort)(to[0].b >> 3);
    to[2].b = to[1].b * 3u;
}
__kernel void records_global(__global const struct point *in, __global struct shape *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global struct shape *to = out + 2 * i;
    to->kind = (uchar)in[i].x;
    to->corner[0] = in[i];
    to->corner[1].x = in[i + 1].y;
    to->corner[2] = to->corner[1];
    to->u.part[3] = 9;
    to->id = (ulong)(ushort)in[i].y << 40;
    to[1].corner[1] = to->corner[0];
}
__kernel void records_local(__global const uint *in, __global uint *out, uint n) {
    __local struct { uint key; struct point p; uchar2 c; } rows[32];
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    rows[k].key = in[i];
    rows[k].p.x = (short)in[i];
    rows[k].p.y = (short)k;
    rows[k].c = (uchar2)((uchar)k, (uchar)in[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint o = rows[k].key & 31u;
    out[32 * i] = rows[o].key + (uint)rows[31u - k].p.x;
    out[32 * i + 1] = (uint)rows[o].p.y + rows[o].c.y;
}
__kernel void arrays_of_arrays(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    grid g[2];
    for (uint a = 0; a < 2u; a++)
        for (uint b = 0; b < 2u; b++)
            for (uint c = 0; c < 3u; c++) g[a].a[b][c] = in[(i + a * 6u + b * 3u + c) % n];
    g[0].v = vload4(i, in), g[1].v = g[0].v.wzyx;
    g[in[i] & 1u].a[in[i] >> 1 & 1u][in[i] % 3u] = 77;
    uint (*row)[3] = g[in[i + 1] & 1u].a;
    to[0] = row[1][2], to[1] = row[0][in[i + 2] % 3u];
    g[1] = g[0];
    to[2] = g[1].a[1][1] + g[1].v.y;
    uchar cube[2][3][4] = {{{1, 2, 3, 4}, {5}, {6, 7}}, {{8}}};
    to[3] = cube[in[i] & 1u][in[i] % 3u][in[i + 3] & 3u];
}
__kernel void arrays_local(__global const uint *in, __global uint *out, uint n) {
    __local uint t[4][9];
    uint i = (uint)get_global_id(0), k = (uint)get_local_id(0);
    t[k / 8u][k % 8u] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[32 * i] = t[k % 4u][k / 4u];
    out[32 * i + 1] = t[in[i] & 3u][in[i] >> 2 & 7u];
}
