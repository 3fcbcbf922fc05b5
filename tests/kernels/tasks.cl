// Child tasks and queue tasks from OpenCL C. A task is the address of a TMD that the host has built.

__kernel void child(__global uint *count) { atomic_inc(count); }

// Each work-item launches its own child; with .WAIT it sees what all children of the warp have done.
__kernel void parent(__global volatile uint *count, __global const uint *tasks, __global uint *seen) {
    const uint i = (uint)get_global_id(0);
    tandem_launch_wait(tasks[i]);
    seen[i] = *count;
}

__kernel void careless(__global const uint *tasks) {
    const uint i = (uint)get_global_id(0);
    if (i != 3) tandem_launch(tasks[i]);
}

// Of a queue task: group 0 is the number of the first entry, group 1 how many the work-group has, num_groups 0 the ring's size.
__kernel void eat(__global const uint *ring, __global uint *counts) {
    const uint i = (uint)get_local_id(0);
    if (i < get_group_id(1)) atomic_inc(&counts[ring[(get_group_id(0) + i) & (get_num_groups(0) - 1)]]);
}

// Each work-item appends `each` entries, all of them at once; told: entries that found the ring full, work-items that are
// through.
__kernel void feed(uint task, __global volatile uint *told, uint each) {
    const uint i = (uint)get_global_id(0);
    for (uint k = 0; k < each; k++) {
        __global uint *entry = (__global uint *)tandem_queue_take(task);
        while (entry == 0) {
            atomic_inc(&told[0]);
            entry = (__global uint *)tandem_queue_take(task);
        }
        *entry = i * each + k;
        tandem_queue_put(task, entry);
    }
    if (atomic_inc(&told[1]) == get_global_size(0) - 1) tandem_queue_close(task);
}

// The ring is full and nobody takes anything out: each work-item is told.
__kernel void fill(uint task, __global uint *told) {
    const uint i = (uint)get_global_id(0);
    __global uint *entry = (__global uint *)tandem_queue_take(task);
    told[i] = entry != 0;
    if (entry != 0) {
        *entry = i;
        tandem_queue_put(task, entry);
    }
}
