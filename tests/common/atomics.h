// Atomics on a PPU-owned queue's words, counted in a trace.
#ifndef TANDEM_TESTS_ATOMICS_H
#define TANDEM_TESTS_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"

struct atomics {
    uint64_t soft_put;  // taking entries, giving them back
    uint64_t places;    // taking pieces of memory
    uint64_t other;     // counts of pieces that have not ended, parked pieces
};

// Reads the text of a trace (device option trace=FILE). Counts one after the other the atomics of each launch of the
// CPU's channel 0 that the trace has: from the start of its task to the release of X (all adders have ended then), or,
// with whole, to the release of Y (all of their work has). queue: the record, places: its `pieces` words of that name.
// False: the file cannot be read, or has another number of launches than `count`.
bool atomics_count(const char *trace, const struct tandem_work_queue_state *queue, tandem_addr places, uint32_t pieces,
                   bool whole, struct atomics *counts, size_t count);

#endif
