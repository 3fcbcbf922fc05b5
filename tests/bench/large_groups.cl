// The same work in work-groups that are resident and in larger ones, whose threads take turns (`make bench-turns`): what
// work-items exchange they do within 64 neighbours, so that the results do not depend on the size of the groups.
#define ROUNDS 8

static uint near(uint me, uint distance) { return (me & ~63u) | ((me + distance) & 63u); }

// No barrier.
kernel void alone(global const uint *in, global uint *out) {
    uint x = in[get_global_id(0)];
    for (uint k = 0; k < 32; k++) x = (x ^ x >> 7) * 0x9E3779B1u + k;
    out[get_global_id(0)] = x;
}

// Barriers in a loop, one number alive over them.
kernel void exchange(global const uint *in, global uint *out) {
    local uint words[1024];
    const uint me = (uint)get_local_id(0);
    uint x = in[get_global_id(0)];
    for (uint k = 0; k < ROUNDS; k++) {
        words[me] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 5 + words[near(me, 1)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}

// A sum as a tree: in each step half as many work-items have something to do.
kernel void tree(global const uint *in, global uint *out) {
    local uint words[1024];
    const uint me = (uint)get_local_id(0);
    words[me] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = 32; width > 0; width /= 2) {
        if ((me & 63u) < width) words[me] += words[me + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = words[me & ~63u];
}

// Eight numbers alive over each barrier.
kernel void eight(global const uint *in, global uint *out) {
    local uint words[1024];
    const uint me = (uint)get_local_id(0);
    uint x[8];
    for (uint k = 0; k < 8; k++) x[k] = in[get_global_id(0)] * (2 * k + 1);
    for (uint k = 0; k < ROUNDS; k++) {
        words[me] = x[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = words[near(me, 3)];
        for (uint j = 0; j < 7; j++) x[j] = x[j + 1] ^ other;
        x[7] = other + k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint sum = 0;
    for (uint k = 0; k < 8; k++) sum = sum * 3 + x[k];
    out[get_global_id(0)] = sum;
}
