// What cannot be done in turns (tests/device/test_large_groups.c).
global uint count_of_all;

kernel void counts_all(global const uint *in, global uint *out, uint n) {
    atomic_add(&count_of_all, 1u);
    out[get_global_id(0)] = in[get_global_id(0) & (n - 1)];
}
