// Of a program with device-side enqueue, what makes no work itself can be done in turns (tests/device/test_large_groups.c).
void more(global uint *out, uint n) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{ atomic_inc(out); });
}

kernel void makes_work(global const uint *in, global uint *out, uint n) {
    if (get_global_id(0) == 0) more(out, in[0] & n);
}

kernel void beside(global const uint *in, global uint *out, uint n) {
    local uint words[256];
    const uint me = (uint)get_local_id(0);
    words[me] = in[me & (n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[get_local_size(0) - 1 - me];
}
