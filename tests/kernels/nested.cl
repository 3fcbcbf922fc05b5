// Programs whose work makes its own work on the PPU (OpenCL C 2.0, enqueue_kernel). tests/nested has their host side and the
// same algorithms in C.
#pragma OPENCL FP_CONTRACT OFF

// ---- a picture of the Mandelbrot set: a square whose edge is all alike is filled, a small one iterated, others are split ----
static uint escape(uint x, uint y, uint size, uint limit) {
    const float cx = -2.0f + 2.6f * (float)x / (float)size, cy = -1.3f + 2.6f * (float)y / (float)size;
    float a = 0.0f, b = 0.0f;
    uint n = 0;
    while (n < limit && a * a + b * b < 4.0f) {
        const float next = a * a - b * b + cx;
        b = 2.0f * a * b + cy;
        a = next;
        n++;
    }
    return n;
}

// Whether this work-item's share of the edge has anything but `first`.
static bool edge_differs(uint size, uint limit, uint left, uint top, uint edge, uint first) {
    bool differs = false;
    for (uint k = (uint)get_local_id(0); k < 4 * edge; k += (uint)get_local_size(0)) {
        const uint along = k % edge, side = k / edge;
        const uint x = side == 0 ? along : side == 1 ? edge - 1 : side == 2 ? along : 0;
        const uint y = side == 0 ? 0 : side == 1 ? along : side == 2 ? edge - 1 : along;
        differs = differs || escape(left + x, top + y, size, limit) != first;
    }
    return differs;
}

static void paint(__global uchar *picture, uint size, uint limit, uint left, uint top, uint edge, bool fill, uint first) {
    for (uint k = (uint)get_local_id(0); k < edge * edge; k += (uint)get_local_size(0)) {
        const uint x = left + k % edge, y = top + k / edge;
        picture[y * size + x] = (uchar)(fill ? first : escape(x, y, size, limit));
    }
}

static void square(__global uchar *picture, uint size, uint limit, uint left, uint top, uint edge, __local uint *differs) {
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    const uint first = escape(left, top, size, limit);
    if (item == 0) *differs = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (edge_differs(size, limit, left, top, edge, first)) *differs = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool fill = *differs == 0;
    if (fill || edge <= 8) {
        paint(picture, size, limit, left, top, edge, fill, first);
    } else if (item < 4) {
        const uint part = edge / 2, x = left + (item & 1) * part, y = top + (item >> 1) * part;
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(items, items),
                       ^(__local void *memory) { square(picture, size, limit, x, y, part, (__local uint *)memory); }, 4);
    }
}

// The same with the splitting handed back to the CPU: the squares to be launched go into a list. Word 0: how many; from word 4 on
// {left, top, edge, cycle of creation} of each. waited: cycles from creation to start, and how many launches, as sums.
uint __tandem_clock(void);

static void count_wait(__global uint *waited, uint made) {
    if (get_local_id(0) == 0 && made != 0) {
        atomic_add(&waited[0], __tandem_clock() - made);
        atomic_inc(&waited[1]);
    }
}

__kernel void mandelbrot_by_cpu(__global uchar *picture, uint size, uint limit, uint left, uint top, uint edge, uint made,
                                __global uint *list, __global uint *waited, __local uint *differs) {
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    count_wait(waited, made);
    const uint first = escape(left, top, size, limit);
    if (item == 0) *differs = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (edge_differs(size, limit, left, top, edge, first)) *differs = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool fill = *differs == 0;
    if (fill || edge <= 8) {
        paint(picture, size, limit, left, top, edge, fill, first);
    } else if (item < 4) {
        const uint part = edge / 2;
        __global uint *entry = list + 4 + 4 * atomic_inc(&list[0]);
        entry[0] = left + (item & 1) * part;
        entry[1] = top + (item >> 1) * part;
        entry[2] = part;
        entry[3] = __tandem_clock() | 1;
    }
}

// And with the PPU's own launches, measured in the same way.
static void measured_square(__global uchar *picture, uint size, uint limit, uint left, uint top, uint edge, uint made,
                            __global uint *waited, __local uint *differs) {
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    count_wait(waited, made);
    const uint first = escape(left, top, size, limit);
    if (item == 0) *differs = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (edge_differs(size, limit, left, top, edge, first)) *differs = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool fill = *differs == 0;
    if (fill || edge <= 8) {
        paint(picture, size, limit, left, top, edge, fill, first);
    } else if (item < 4) {
        const uint part = edge / 2, x = left + (item & 1) * part, y = top + (item >> 1) * part, now = __tandem_clock() | 1;
        enqueue_kernel(
            get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(items, items),
            ^(__local void *memory) { measured_square(picture, size, limit, x, y, part, now, waited, (__local uint *)memory); }, 4);
    }
}

__kernel void mandelbrot_measured(__global uchar *picture, uint size, uint limit, __global uint *waited, __local uint *differs) {
    measured_square(picture, size, limit, 0, 0, size, 0, waited, differs);
}

__kernel void mandelbrot(__global uchar *picture, uint size, uint limit, __local uint *differs) {
    square(picture, size, limit, 0, 0, size, differs);
}

// ---- quicksort: a group parts its piece, and launches the two halves ----
enum { SORT_SMALL = 64 };

// scratch: as many words as the group has work-items, and 3 more.
static void sort(__global uint *keys, __global uint *other, uint from, uint count, __local uint *scratch) {
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    if (count <= SORT_SMALL) {  // each key finds its place by counting
        for (uint k = item; k < count; k += items) {
            const uint key = keys[from + k];
            uint place = 0;
            for (uint j = 0; j < count; j++) {
                const uint with = keys[from + j];
                place += with < key || (with == key && j < k);
            }
            other[from + place] = key;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint k = item; k < count; k += items)
            keys[from + k] = other[from + k];
        return;
    }
    const uint a = keys[from], b = keys[from + count / 2], c = keys[from + count - 1];
    const uint pivot = max(min(a, b), min(max(a, b), c));
    // How many keys of each work-item's share are below, and equal; then where each writes.
    const uint share = (count + items - 1) / items, begin = min(item * share, count), end = min(begin + share, count);
    uint below = 0, equal = 0;
    for (uint k = begin; k < end; k++) {
        const uint key = keys[from + k];
        below += key < pivot;
        equal += key == pivot;
    }
    scratch[item] = below | equal << 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all_below = 0, all_equal = 0, below_before = 0, equal_before = 0;
    for (uint k = 0; k < items; k++) {
        const uint both = scratch[k];
        if (k == item) {
            below_before = all_below;
            equal_before = all_equal;
        }
        all_below += both & 0xFFFF;
        all_equal += both >> 16;
    }
    uint to_below = from + below_before, to_equal = from + all_below + equal_before;
    uint to_above = from + all_below + all_equal + (begin - below_before - equal_before);
    for (uint k = begin; k < end; k++) {
        const uint key = keys[from + k];
        if (key < pivot) {
            other[to_below++] = key;
        } else if (key == pivot) {
            other[to_equal++] = key;
        } else {
            other[to_above++] = key;
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint k = item; k < count; k += items)
        keys[from + k] = other[from + k];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (item < 2) {
        const uint half_from = item == 0 ? from : from + all_below + all_equal;
        const uint half_count = item == 0 ? all_below : count - all_below - all_equal;
        if (half_count > 1)
            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(items, items),
                           ^(__local void *memory) { sort(keys, other, half_from, half_count, (__local uint *)memory); },
                           4 * items);
    }
}

__kernel void quicksort(__global uint *keys, __global uint *other, uint count, __local uint *scratch) {
    sort(keys, other, 0, count, scratch);
}

// ---- breadth-first search: the frontier of a level launches the next one ----
// row: where the neighbours of a vertex begin in column. found: two words, how many vertices the frontiers hold.
static void level(__global const uint *row, __global const uint *column, __global volatile uint *distance, __global uint *frontier,
                  __global uint *next, __global volatile uint *found, uint which, uint depth) {
    const uint k = (uint)get_global_id(0);
    if (k < found[which]) {
        const uint vertex = frontier[k];
        for (uint e = row[vertex]; e < row[vertex + 1]; e++) {
            const uint to = column[e];
            if (atomic_cmpxchg(&distance[to], 0xFFFFFFFFu, depth) == 0xFFFFFFFFu)
                next[atomic_inc(&found[which ^ 1])] = to;
        }
    }
    // When all of this level is done, one work-item looks at what it found.
    if (k == 0) {
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          const uint count = found[which ^ 1];
          found[which] = 0;
          if (count == 0) return;
          enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D((count + 31) / 32 * 32, 32),
                         ^{ level(row, column, distance, next, frontier, found, which ^ 1, depth + 1); });
        });
    }
}

__kernel void search(__global const uint *row, __global const uint *column, __global volatile uint *distance,
                     __global uint *frontier, __global uint *next, __global volatile uint *found) {
    level(row, column, distance, frontier, next, found, 0, 1);
}
