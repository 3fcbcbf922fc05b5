// TANDEM_STATS: what each kernel has cost, told when the process ends.
#ifndef TANDEM_OPENCL_STATISTICS_H
#define TANDEM_OPENCL_STATISTICS_H

#include "opencl/device.h"

// Counters of the device before a launch. What runs beside it is counted in.
struct measured {
    bool on;
    uint64_t warp_instructions, thread_instructions, misses;
};

void statistics_begin(cl_device_id device, struct measured *before);
void statistics_end(cl_device_id device, const char *kernel, const struct measured *before, uint64_t nanoseconds);
// The table of the device on standard error, when TANDEM_STATS is set; gives its memory back.
void statistics_print(cl_device_id device);

#endif
