// Histogram equalization by the kernels of tests/kernels on any device, and the plain C computation to check it with.
#ifndef TANDEM_DEMO_RIDE_H
#define TANDEM_DEMO_RIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"

struct ride {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *histogram, *compute_output;
    uint64_t deadline;  // cycles; 0: the driver's default
};

// The most samples: the kernels' arithmetic has bits for no more.
#define RIDE_SAMPLES_MAX 16777216u

// By the words of tests/kernels. size: at least 1.
void equalize_plainly(const uint8_t *in, uint8_t *out, size_t size);
// Opens the device, compiles and loads the kernels, opens a channel. False after a message on stderr; ride_end() in any
// case.
bool ride_begin(struct ride *ride, const char *device, const char *kernels);
// Equalizes size samples (1 to RIDE_SAMPLES_MAX). False after a message on stderr.
bool ride_equalize(struct ride *ride, const uint8_t *in, uint8_t *out, size_t size);
// Closes everything; the statistics are those at the end. False when model and RTL differed.
bool ride_end(struct ride *ride, struct tandem_statistics *statistics);

#endif
