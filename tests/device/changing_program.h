// Programs that overwrite code while they run: their own, ahead of themselves and behind, that of other warps and SMs,
// with random words, copies of other instructions and single bytes; launched again, with and without
// INVALIDATE_SHADER_CACHES in between. What they compute is anybody's guess; model and RTL must agree about it.
#ifndef TANDEM_TESTS_CHANGING_PROGRAM_H
#define TANDEM_TESTS_CHANGING_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"

// How launches ended, by enum tandem_status.
struct changing_outcomes {
    unsigned count[16];
};

// Runs the program of this seed on a device of its own, of this name (as of tandem_open()). False: model and RTL
// differed, or the driver failed; why has the reason.
bool changing_program_run(const char *device, uint64_t seed, struct changing_outcomes *outcomes, char *why,
                          size_t why_size);

// Where two words that stand one behind the other lie in device memory, from address 0 on; 0: nowhere in the first
// 256 KiB.
tandem_addr changing_program_find(struct tandem_device *device, uint32_t first, uint32_t second);

#endif
