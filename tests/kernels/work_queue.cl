// Work made by the PPU's own threads, on the functions that enqueue_kernel is made of. The kernels' numbers are their places
// in this file.
#include "../../cmodel/compiler/library/work_queue.h"

// Its place among the kernels that follow.
#define COUNT 0
#define CHAIN 2
#define STORE 3

// One piece: counts itself, remembers in which order it came.
__kernel void count(__global uint *done, __global uint *order, uint number) {
    const uint2 warp = tandem_work_warp();
    atomic_add(&done[number], 1u);
    order[atomic_add(&order[0], 1u) + 1] = number;
    tandem_work_end(warp);
}

// Each work-item makes `each` pieces; which of them got in is told in results.
__kernel void adders(__global uint *done, __global uint *order, __global int *results, uint each, uint mode) {
    const uint2 warp = tandem_work_warp();
    const uint first = (uint)get_global_id(0) * each;
    for (uint k = 0; k < each; k++) {
        int result;
        const uint piece = tandem_work_make(COUNT, 1, (uint3)(0), (uint3)(1), (uint3)(1), 0, &result);
        if (piece != 0) {
            tandem_work_argument(piece, 0x40, (uint)done);
            tandem_work_argument(piece, 0x44, (uint)order);
            tandem_work_argument(piece, 0x48, first + k);
            result = tandem_work_enqueue(piece, mode);
        }
        results[first + k] = result;
    }
    tandem_work_end(warp);
}

// Each launch makes the next.
__kernel void chain(__global uint *out, uint left) {
    const uint2 warp = tandem_work_warp();
    if (get_global_id(0) == 0) {
        out[left] += left;
        if (left != 0) {
            int why;
            const uint piece = tandem_work_make(CHAIN, 1, (uint3)(0), (uint3)(1), (uint3)(1), 0, &why);
            if (piece != 0) {
                tandem_work_argument(piece, 0x40, (uint)out);
                tandem_work_argument(piece, 0x44, left - 1);
                tandem_work_enqueue(piece, WORK_PARK);
            }
        }
    }
    tandem_work_end(warp);
}

// Stores to an address, whatever it is.
__kernel void store(uint address, uint value) {
    const uint2 warp = tandem_work_warp();
    *(volatile __global uint *)address = value;
    tandem_work_end(warp);
}

// Launches `store`: what it does is done on the PPU-owned channel.
__kernel void store_by_piece(uint address, uint value) {
    const uint2 warp = tandem_work_warp();
    if (get_global_id(0) == 0) {
        int why;
        const uint piece = tandem_work_make(STORE, 1, (uint3)(0), (uint3)(1), (uint3)(1), 0, &why);
        if (piece != 0) {
            tandem_work_argument(piece, 0x40, address);
            tandem_work_argument(piece, 0x44, value);
            tandem_work_enqueue(piece, WORK_WAIT);
        }
    }
    tandem_work_end(warp);
}

// Sizes that are refused.
__kernel void refused(__global int *results) {
    const uint2 warp = tandem_work_warp();
    if (get_global_id(0) == 0) {
        int why;
        tandem_work_make(STORE, 1, (uint3)(0), (uint3)(4096, 1, 1), (uint3)(4096, 1, 1), 0, &why);
        results[0] = why;
        tandem_work_make(STORE, 1, (uint3)(0), (uint3)(1), (uint3)(1), 1u << 20, &why);
        results[1] = why;
        tandem_work_make(STORE, 2, (uint3)(0), (uint3)(1, 65536, 1), (uint3)(1), 0, &why);
        results[2] = why;
    }
    tandem_work_end(warp);
}

// Makes pieces, is busy, and then tells how many of them have run by now.
__kernel void late(__global uint *done, __global uint *order, __global uint *ran, uint each, uint turns) {
    const uint2 warp = tandem_work_warp();
    for (uint k = 0; k < each; k++) {
        int why;
        const uint piece = tandem_work_make(COUNT, 1, (uint3)(0), (uint3)(1), (uint3)(1), 0, &why);
        if (piece != 0) {
            tandem_work_argument(piece, 0x40, (uint)done);
            tandem_work_argument(piece, 0x44, (uint)order);
            tandem_work_argument(piece, 0x48, k);
            tandem_work_enqueue(piece, WORK_PARK);
        }
    }
    uint x = turns;
    for (uint k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;
    ran[0] = atomic_add(&order[0], 0u) + (x == 1u ? 100u : 0u);
    tandem_work_end(warp);
}
