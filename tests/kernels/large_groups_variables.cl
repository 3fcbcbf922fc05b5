// Variables in global memory, of which there is one copy for all forms of a kernel: with work-groups that are resident,
// and with larger ones, of several sizes (tests/device/test_large_groups.c).
global uint nobodys = 77;
global ulong of_others = 5;  // of one kernel only
static global uint first = 40;
static global uint never_written[3] = {1000, 2000, 3000};
global uchar byte = 3;
global uint counted[4] = {1, 2, 3, 4};

// Each work-item counts, and tells what another kernel has left behind.
kernel void counts(global const uint *in, global uint *out, uint n) {
    static global uint calls = 100;
    const uint me = (uint)get_local_linear_id();
    atomic_add(&counted[me & 3u], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) atomic_add(&calls, 1u);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_linear_id()] = first + byte + never_written[me % 3u] + in[me & (n - 1)];
    if (get_global_linear_id() == 0) out[0] = atomic_add(&calls, 0u);
}

kernel void changes(global const uint *in, global uint *out, uint n) {
    if (get_global_linear_id() != 0) return;
    first = in[0];
    byte = 200;
    of_others += n;
}

kernel void tells(global const uint *in, global uint *out, uint n) {
    const uint me = (uint)get_global_linear_id();
    if (me < 4) out[me] = counted[me];
    if (me == 4) out[me] = (uint)of_others + first;
}
