// How many registers are alive where: see pressure.c.
#ifndef TANDEM_COMPILER_SEGMENTS_PRESSURE_H
#define TANDEM_COMPILER_SEGMENTS_PRESSURE_H

#include "compiler/machine/liveness.h"
#include "compiler/segments/segments.h"

// What liveness says of the kernel before anything is placed. Blocks are those of that time and pieces split from them.
struct pressure {
    struct live_range *ranges;
    size_t range_count;
    uint32_t *start;  // position of the first instruction of each block
    uint32_t *at;     // registers alive at each position
    uint32_t positions;
    uint32_t *needed;  // most in each block
    uint32_t *next;    // the piece of the same original block that follows a block, or NONE
    size_t blocks, capacity;
};

void pressure_measure(const struct machine_function *function, struct pressure *pressure);
// Cuts block b before instruction `at`; the rest with the terminator becomes a new block, whose number it returns.
uint32_t pressure_split(struct machine_function *function, struct pressure *pressure, uint32_t b, size_t at);
// Warps of the target that its register file holds when so many registers are private and so many shared.
uint32_t pressure_resident(const struct segments *segments, uint32_t private, uint32_t shared);
// Registers from which on a segment is to run in sub-vector order.
uint32_t threshold_of(const struct segments *segments, const struct pressure *pressure);

#endif
