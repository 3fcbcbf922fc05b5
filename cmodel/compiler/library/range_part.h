// A range whose global size is no multiple of its local size is several launches: read by the driver (C) and by the PPU's
// own threads (OpenCL C). Words of 32 bits only.
#ifndef TANDEM_RANGE_PART_H
#define TANDEM_RANGE_PART_H

#include "work_queue.h"

// Of one dimension. In up to three there are up to RANGE_PARTS launches: bit d of a launch's number says that it is at the
// edge of dimension d.
#define RANGE_PARTS 8u

// In the first word of constant buffer 0, behind the number of dimensions: for x, y and z the local size that was asked for
// less 1; 0: it is that of the launch's groups.
#define LAUNCH_LOCAL_LOW 2u
#define LAUNCH_LOCAL_BITS 10u

// before, beside: LAUNCH_GROUPS_BEFORE, LAUNCH_ITEMS_BESIDE of code_object.h.
struct range_part {
    WORK_WORD groups;  // 0: there is no such part
    WORK_WORD local_size;
    WORK_WORD first;  // work-item, behind the range's offset
    WORK_WORD before, beside;
};

// edge: not the groups of the local size that was asked for, but the smaller one behind them. A range that is smaller than
// such a group is a part alone, and no edge. size, local_size: 1 or more.
static inline struct range_part range_part(WORK_WORD size, WORK_WORD local_size, WORK_WORD edge) {
    const WORK_WORD full = size / local_size, items = full * local_size, rest = size - items;
    const struct range_part alone = {1, rest, 0, 0, 0}, none = {0, 0, 0, 0, 0}, last = {1, rest, items, full, items},
                            most = {full, local_size, 0, 0, rest};
    if (edge != 0) return full != 0 && rest != 0 ? last : none;
    return full != 0 ? most : alone;
}

#ifdef __OPENCL_C_VERSION__
// The piece is such a part in that dimension. local_size: that was asked for (work_pieces.cl).
void tandem_work_part(uint piece, uint dimension, uint local_size, struct range_part part);
#endif

#endif
