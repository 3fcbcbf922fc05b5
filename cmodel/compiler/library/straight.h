// Pieces that stand ready for launches of one kind: work_straight.cl and work_linked.cl.
#ifndef TANDEM_STRAIGHT_H
#define TANDEM_STRAIGHT_H

#include "work_parts.h"

enum { SUCCESS = 0, LOOKS = 8 };
enum { HEADER_WORDS = 3 };  // of a block's literal, of which its kernel reads only what it captures, behind them

// Where the thread looks first: threads of a warp at places of their own, and each at others as time goes on, `bits` of the
// clock, a multiple of 4 below WORK_QUEUE_ALIGNMENT. other: a number that moves it, in words.
static work_words straight_place(uint places, uint clock, uint bits, uint other) {
    const uint own = (4 * __tandem_lane() + 68 * __tandem_warp()) % WORK_QUEUE_ALIGNMENT;
    return (work_words)((places | own) ^ ((clock & bits) | other * 4));
}

// Tag and threads_max of a kernel, by one load: as a number the address is known to be a multiple of 8.
static inline uint2 straight_known(uint with) {
    const __global struct work_kernel *launched = (const __global struct work_kernel *)with;
    return *(const __global uint2 *)(uint)(&launched->straight);
}

// Fills the piece with what launches of a kernel have in common (`with`: its struct work_kernel), in one dimension and from 0
// on. It is left there for the next one: its release says so. task: the piece, if threads of the launch look at it, or 0.
CALLED void tandem_straight_fill(uint piece, uint with, uint tag, uint task);
// enqueue_kernel with neither events nor local memory, of kernels that make no work (work_linked.cl). Kept out of the way: what
// it needs in registers would push out what a straight launch itself has there.
CALLED int tandem_enqueue_linked(uint queue, uint flags, const __private struct range *range,
                                 const GENERIC uint *kernel_number, const GENERIC uint *block);

#endif
