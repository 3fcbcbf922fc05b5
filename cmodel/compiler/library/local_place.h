// Where local memory that arguments point to lies in a work-group's: read by the driver and the runtime (C), and by the
// PPU's own threads (OpenCL C).
#ifndef TANDEM_LOCAL_PLACE_H
#define TANDEM_LOCAL_PLACE_H

#include "work_queue.h"

// Bytes: what OpenCL's largest type, a vector of 16 numbers of 64 bits, asks for; and what every argument gets.
#define LOCAL_ALIGNMENT_MOST 128u
#define LOCAL_ALIGNMENT_LEAST 16u

// The first place at or behind end for size bytes. Nobody says which type they hold, but its size divides theirs, and its
// alignment its size: the largest power of two that divides them is enough.
static inline WORK_WORD local_place(WORK_WORD end, WORK_WORD size) {
    WORK_WORD alignment = LOCAL_ALIGNMENT_LEAST;
    while (alignment < LOCAL_ALIGNMENT_MOST && size % (2 * alignment) == 0)
        alignment *= 2;
    return (end + alignment - 1) / alignment * alignment;
}

#endif
