// For the bench of work queues (tests/bench/queue.c): launches made by threads, each of one thread without work.

// Each work-item makes `each` launches.
__kernel void launches(__global uint *failed, uint each) {
    for (uint k = 0; k < each; k++) {
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), ^{}) != 0) atomic_inc(failed);
    }
}

// Each work-item makes a chain of `each` launches: each waits for the event of the one before.
__kernel void chained(__global uint *failed, uint each) {
    clk_event_t last, next;
    if (each == 0) return;
    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), 0, 0, &last, ^{}) != 0) {
        atomic_inc(failed);
        return;
    }
    for (uint k = 1; k < each; k++) {
        const int error = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), 1, &last, &next, ^{});
        release_event(last);
        if (error != 0) {
            atomic_inc(failed);
            return;
        }
        last = next;
    }
    release_event(last);
}

// Each work-item makes `each` launches that all wait for one event, which then ends.
__kernel void fanned(__global uint *failed, uint each) {
    clk_event_t start = create_user_event();
    for (uint k = 0; k < each; k++) {
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), 1, &start, 0, ^{}) != 0) atomic_inc(failed);
    }
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
}

// A launch that makes the next one as its last act.
static void launch_next(__global uint *failed, uint left) {
    if (left == 0) return;
    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1, 1), ^{ launch_next(failed, left - 1); }) != 0)
        atomic_inc(failed);
}
__kernel void nested(__global uint *failed, uint each) { launch_next(failed, each); }

// A launch that makes one that starts when this one has ended.
static void launch_behind(__global uint *failed, uint left) {
    if (left == 0) return;
    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1, 1), ^{ launch_behind(failed, left - 1); }) != 0)
        atomic_inc(failed);
}
__kernel void nested_behind(__global uint *failed, uint each) { launch_behind(failed, each); }

// The same handed back to the CPU: it asks for the next launch.
__kernel void handed_back(__global uint *asked, uint left) { asked[0] = left; }
