// Where a program's printf puts its records: read by the driver (C), which sets it up and empties it, and written by
// threads (OpenCL C, printf.cl). Words of 32 bits. A record is the number of its format + 1, which is written last, and
// the arguments' words (isa/printf_format.h).
#ifndef TANDEM_PRINTF_BUFFER_H
#define TANDEM_PRINTF_BUFFER_H

#ifdef __OPENCL_C_VERSION__
#define PRINTF_WORD uint
#else
#include <stdint.h>
#define PRINTF_WORD uint32_t
#endif

struct printf_buffer {
    PRINTF_WORD put;                // bytes of records so far; past `capacity` when some did not fit
    PRINTF_WORD dropped;            // records that did not fit
    PRINTF_WORD capacity, records;  // bytes, address; all zeros where no record is yet
    PRINTF_WORD fill[4];
    // Behind it: PRINTF_SPARE bytes into which records go that do not fit.
};
#define PRINTF_SPARE 4096u
// put goes no further, so that it never wraps (the largest capacity).
#define PRINTF_PUT_MAX 0x40000000u

#endif
