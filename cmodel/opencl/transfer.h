// What commands that move bytes have in common.
#ifndef TANDEM_OPENCL_TRANSFER_H
#define TANDEM_OPENCL_TRANSFER_H

#include "opencl/memory.h"
#include "opencl/queue.h"

// A box of bytes in memory: rows of size[0] bytes, size[1] rows, size[2] slices.
struct box {
    size_t start;  // of the first byte
    size_t row_pitch, slice_pitch;
};

// CL_SUCCESS, or CL_INVALID_VALUE: the region is empty, or the pitches are too small.
cl_int box_make(struct box *box, const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch);
// The first byte behind the box.
size_t box_end(const struct box *box, const size_t *region);

// Is the part inside the (sub-)buffer?
bool part_inside(cl_mem memory, size_t offset, size_t size);
// CL_INVALID_OPERATION: the host may not read (write) it.
cl_int host_may(cl_mem memory, bool writes);

#endif
