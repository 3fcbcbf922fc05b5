// When a second compile is made, and whether it is kept (recompile.h, TANDEM_RECOMPILE_AUTO).
#ifndef TANDEM_DRIVER_POLICY_H
#define TANDEM_DRIVER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/device.h"

// Launches of a kernel's first compile whose cycles are known.
struct measured {
    uint64_t cycles, threads;
};

// Cycles that a launch of so many threads takes with the first compile: from launches that were measured, else each of
// its instructions once.
double policy_launch_cycles(const struct ppu_config *config, uint32_t instructions, const struct measured *measured,
                            uint64_t threads);
// Cycles that a compile of a program of so many instructions is worth on this kind of device.
double policy_price(const struct tandem_device *device, uint64_t instructions);
// The part of a launch's time that a second compile of this kernel may be expected to save, from 0 to 1.
double policy_expected(const struct gains *kernel, const struct gains *device);
// Whether launches that have taken, with the one to come, `spent` cycles are worth it.
bool policy_is_worth(double spent, double expected, double price);

#endif
