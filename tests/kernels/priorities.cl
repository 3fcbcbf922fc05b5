// Priorities of tasks (-cl-std=CL2.0): how many of others end while something goes on.

static uint busy(uint turns) {
    uint x = turns;
    for (uint k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;
    return x;
}

__kernel void task(volatile __global uint *ended, uint turns) {
    if (busy(turns) != 1u) atomic_inc(ended);
}

// level: 0 is the parent's, else one more than what is asked for.
__kernel void parent(volatile __global uint *ended, uint turns, uint children, uint level) {
    queue_t q = get_default_queue();
    for (uint k = 0; k < children; k++) {
        const kernel_enqueue_flags_t flags = level == 0 ? 0 : TANDEM_ENQUEUE_LEVEL(level - 1);
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT | flags, ndrange_1D(1, 1), ^{ if (busy(turns) != 1u) atomic_inc(ended); });
    }
}
