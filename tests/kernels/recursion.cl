// Recursion: a kernel that launches itself for each child of its node and waits for them. Compiled with --saves, so that a
// node that waits leaves the device to its children and comes back: how deep it goes is bounded by memory alone.
//
// The tree: node `first` has the numbers first .. first + nodes - 1 below it, itself among them. What is below it is parted
// unevenly among up to `fan` children, as a hash of its number says; with a fan of 1 it is a chain.

#define NOBODY 0u

struct tree {
    volatile __global uint *sums;  // of each node: all values below it
    volatile __global uint *next;  // of each place: the free one behind it, its number + 1
    uint pattern;                  // the task that the host has built
    uint places, place_bytes;      // memory for tasks
    uint fan;                      // work-items of a work-group, at most those of a warp
    volatile uint free;            // the first free place, its number + 1; in the upper half how often one was taken
    volatile uint taken, most;     // places: now, and when it were most
    volatile uint refused;         // children that found no place
};

struct arguments {
    __global struct tree *tree;
    uint first, nodes;
};

uint mix(uint x) {
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

// Of 0 .. rest - 1 where child k begins. Weights are powers of two from 1 to 128.
uint begin_of(uint first, uint rest, uint k, uint fan) {
    uint before = 0, all = 0;
    for (uint i = 0; i < fan; i++) {
        const uint weight = 1u << (mix(first * 4 + i) & 7);
        if (i < k) before += weight;
        all += weight;
    }
    return rest * before / all;
}

// A compare-and-swap that fails has met another one that did not, so the loop need not yield (but every so often), and has
// one way out: all work-items that come together go on together, and their children run side by side.
uint take(__global struct tree *tree) {
    uint free, place, seen;
    do {
        tandem_yield_nth(256);
        free = tree->free;
        place = free & 0xFFFFu;
        seen = place == NOBODY ? free
                               : atomic_cmpxchg(&tree->free, free,
                                                ((free & 0xFFFF0000u) + 0x10000u) | tree->next[place - 1]);
    } while (seen != free);
    if (place != NOBODY) atomic_max(&tree->most, atomic_inc(&tree->taken) + 1);
    return place == NOBODY ? NOBODY : tree->places + (place - 1) * tree->place_bytes;
}

void give_back(__global struct tree *tree, uint task) {
    const uint place = (task - tree->places) / tree->place_bytes + 1;
    uint free;
    atomic_dec(&tree->taken);
    do {
        tandem_yield_nth(256);
        free = tree->free;
        tree->next[place - 1] = free & 0xFFFFu;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    } while (atomic_cmpxchg(&tree->free, free, (free & 0xFFFF0000u) | place) != free);
}

// A work-group is a node, a work-item looks after one of its children.
__kernel void node(__global struct tree *tree, uint first, uint nodes) {
    const uint k = (uint)get_local_id(0), rest = nodes - 1;
    const uint begin = begin_of(first, rest, k, tree->fan), end = begin_of(first, rest, k + 1, tree->fan);
    uint sum = k == 0 ? mix(first) : 0;
    const uint task = begin != end ? take(tree) : NOBODY;
    if (task != NOBODY) {
        tandem_task_copy(task, tree->pattern);
        *(__global struct arguments *)tandem_task_arguments(task) =
            (struct arguments){tree, first + 1 + begin, end - begin};
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        tandem_launch_wait(task);
        sum += tree->sums[first + 1 + begin];
        give_back(tree, task);
    } else if (begin != end) {
        atomic_inc(&tree->refused);
    }
    atomic_add(&tree->sums[first], sum);
}
