// Values in memory: see spill.c.
#ifndef TANDEM_COMPILER_REGISTERS_SPILL_H
#define TANDEM_COMPILER_REGISTERS_SPILL_H

#include "compiler/machine/liveness.h"

// Puts values into the thread's own memory until at most `limit` are alive at once, with merged registers as one.
// Changes the code; false: nothing was left that could go.
bool registers_spill(struct machine_function *function, const struct live_range *ranges, const uint32_t *merged,
                     unsigned limit);

#endif
