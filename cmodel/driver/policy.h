// When a second compile is worth its time (program.h, TANDEM_SECOND_WHEN_WORTH).
#ifndef TANDEM_DRIVER_POLICY_H
#define TANDEM_DRIVER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/config.h"
#include "tandem.h"

// Launches whose cycles are known: tandem_program_cycles().
struct measured {
    uint64_t launches, timed, cycles;
    uint64_t threads;  // of the timed ones
};

uint64_t policy_threads(const struct tandem_range *range);
// Seconds that a launch of so many threads takes on the device with the first compile: from launches that were
// measured, else each of its instructions once.
double policy_launch_seconds(const struct ppu_config *config, uint32_t instructions, const struct measured *measured,
                             uint64_t threads);
// Whether launches that have taken, with the one to come, `spent` seconds are worth a compile of `compile` seconds.
bool policy_is_worth(double spent, double compile);

#endif
