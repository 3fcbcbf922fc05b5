__kernel void copies(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    __global uint *to = out + 32 * i;
    __local uint t[64];
    event_t e = async_work_group_copy(t, in + 64 * get_group_id(0), 64, 0);
    wait_group_events(1, &e);
    to[0] = t[63u - get_local_id(0)];
    to[1] = t[get_local_id(0)];
}
