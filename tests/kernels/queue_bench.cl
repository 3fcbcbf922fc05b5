// For the bench of work queues (tests/bench/queue.c). The kernels' numbers are their places in this file.
#include "../../cmodel/compiler/library/work_queue.h"

#define NOTHING 0

uint __tandem_clock(void);
void __tandem_yield(void);

// A piece without work.
__kernel void nothing(void) { tandem_work_end(tandem_work_warp()); }

// sums, of all threads: cycles inside the additions, additions that got in, the first clock, the last, threads that stand at
// the start.
enum { TOOK, IN, FIRST, LAST, ARRIVED, FAILED };

// The first thread of each warp makes `each` pieces and adds them, the first one when `together` threads stand at the start.
__kernel void adders(__global volatile uint *sums, uint each, uint mode, uint together) {
    const uint2 warp = tandem_work_warp();
    if (get_local_id(0) == 0) {
        uint took = 0, in = 0, first = 0, last = 0;
        for (uint k = 0; k < each; k++) {
            int result;
            const uint piece = tandem_work_make(NOTHING, 1, (uint3)(0), (uint3)(1), (uint3)(1), 0, &result);
            if (k == 0) {
                atomic_inc(&sums[ARRIVED]);
                while (sums[ARRIVED] < together) __tandem_yield();
                first = __tandem_clock();
            }
            if (piece == 0) {
                atomic_inc(&sums[FAILED]);
            } else {
                const uint begin = __tandem_clock();
                result = tandem_work_enqueue(piece, mode);
                last = __tandem_clock();
                took += last - begin;
                in += result == WORK_OK;
            }
        }
        atomic_add(&sums[TOOK], took);
        atomic_add(&sums[IN], in);
        atomic_min(&sums[FIRST], first);
        atomic_max(&sums[LAST], last);
    }
    tandem_work_end(warp);
}
