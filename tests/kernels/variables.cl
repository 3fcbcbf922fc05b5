// Variables of the program in global memory (OpenCL C 2.0): they live from launch to launch.

struct entry {
    uchar key;
    short weight;
    uint sum;
};

__global uint counter = 1000;
__global uint zeros[16];
__global uchar bytes[5] = {9, 8, 7, 6, 5};
__global struct entry entries[3] = {{1, -2, 3}, {4, -500, 600}, {200, 32767, 4000000000u}};
static __global uint hidden = 7;

static void count(__global uint *which) {
    atomic_inc(which);
}

__kernel void visit(__global uint *out) {
    uint i = (uint)get_global_id(0);
    count(&counter);
    atomic_add(&zeros[i % 16u], i);
    if (i == 0) {
        hidden = hidden * 3u + 1u;
        bytes[3]++;
        entries[2].weight -= 1;
    }
    out[i] = entries[i % 2u].sum + bytes[i % 3u] + (uint)(int)entries[i % 2u].weight;
}

__kernel void tell(__global uint *out) {
    uint *anywhere = &zeros[2];
    out[0] = counter;
    for (uint k = 0; k < 14; k++) out[1 + k] = anywhere[k];
    out[15] = hidden;
    out[16] = bytes[3];
    out[17] = (uint)(int)entries[2].weight;
}
