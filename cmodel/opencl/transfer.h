// What commands that move bytes have in common.
#ifndef TANDEM_OPENCL_TRANSFER_H
#define TANDEM_OPENCL_TRANSFER_H

#include "opencl/memory.h"
#include "opencl/queue.h"

// CL_SUCCESS, or CL_INVALID_VALUE: the region is empty, or the pitches are too small.
cl_int box_make(struct box *box, const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch);
// A command that moves boxes of bytes.
struct rectangle {
    struct command command;
    cl_mem from, to;  // held; NULL: the host
    struct box from_box, to_box;
    size_t region[3];  // bytes, rows, slices; empty: nothing is moved
    const char *host_from;
    char *host_to;
};
// From and to may be NULL. NULL: the host has no memory.
struct rectangle *rectangle_new(cl_command_queue queue, cl_command_type type, const size_t *region, cl_mem from,
                                cl_mem to);
bool region_given(const size_t *region);
// The first byte behind the box.
size_t box_end(const struct box *box, const size_t *region);

// Is the part inside the (sub-)buffer?
bool part_inside(cl_mem memory, size_t offset, size_t size);
// CL_INVALID_OPERATION: the host may not read (write) it.
cl_int host_may(cl_mem memory, bool writes);

#endif
