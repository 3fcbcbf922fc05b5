// Threads of a warp that add work together, on the functions that enqueue_kernel is made of. The kernels' numbers are their
// places in this file.
#include "../../cmodel/compiler/library/work_queue.h"

// Its place among the kernels that follow.
#define COUNT 0

// One piece: counts itself.
__kernel void count(__global uint *done, uint number) {
    const uint2 warp = tandem_work_warp();
    atomic_add(&done[number], 1u);
    tandem_work_end(warp);
}

static uint make_piece(__global uint *done, uint number) {
    int why;
    const uint piece = tandem_work_make(COUNT, 1, (uint3)(0), (uint3)(1), (uint3)(1), 0, &why);
    if (piece != 0) {
        tandem_work_argument(piece, 0x40, (uint)done);
        tandem_work_argument(piece, 0x44, number);
    }
    return piece;
}

// Every work-item adds a piece, all at the same place.
__kernel void together(__global uint *done, __global int *results, uint mode) {
    const uint2 warp = tandem_work_warp();
    const uint i = (uint)get_global_id(0), piece = make_piece(done, i);
    results[i] = piece == 0 ? WORK_NO_MEMORY : tandem_work_enqueue(piece, mode);
    tandem_work_end(warp);
}

// Those whose bit of `odd` is 1 at one place, the others at another, and those of `none` nowhere.
__kernel void apart(__global uint *done, __global int *results, uint mode, uint odd, uint none) {
    const uint2 warp = tandem_work_warp();
    const uint i = (uint)get_global_id(0), bit = i % 32;
    results[i] = 1;
    if ((none >> bit & 1) == 0) {
        const uint piece = make_piece(done, i);
        if (piece == 0) results[i] = WORK_NO_MEMORY;
        else if ((odd >> bit & 1) != 0) results[i] = tandem_work_enqueue(piece, mode);
        else results[i] = 2 * tandem_work_enqueue(piece, mode);
    }
    tandem_work_end(warp);
}

// Every work-item adds a list of `each` pieces, or of as many as its number when that is less. Some have made theirs before
// the others.
__kernel void lists(__global uint *done, __global int *results, uint mode, uint each) {
    const uint2 warp = tandem_work_warp();
    const uint i = (uint)get_global_id(0), mine = i < each ? i : each;
    uint first = 0;
    for (uint k = mine; k-- > 0;) {
        const uint piece = make_piece(done, i * each + k);
        tandem_work_link(piece, first);
        first = piece;
    }
    tandem_work_meet(warp);
    results[i] = (int)tandem_work_enqueue_list(first, mode);
    tandem_work_end(warp);
}

// Work-items of one warp ask for different things at the same place; the first half waits for room while the others
// turn in a loop of their own until they find what the first has left.
__kernel void mixed(__global uint *done, __global int *results, __global volatile uint *flag) {
    const uint2 warp = tandem_work_warp();
    const uint i = (uint)get_global_id(0), half_way = (uint)get_global_size(0) / 2;
    if (i >= half_way)
        while (flag[0] == 0) {}
    const uint piece = make_piece(done, i);
    results[i] = piece == 0 ? WORK_NO_MEMORY : tandem_work_enqueue(piece, i < half_way ? WORK_WAIT : i % 3);
    if (i == 0) flag[0] = 1;
    tandem_work_end(warp);
}
