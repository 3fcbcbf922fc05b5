// What LDS, STS and ATOMS do to the shared memory of one CTA; pure, used by the model and by the RTL's bench.
#ifndef TANDEM_SM_SHARED_MEMORY_H
#define TANDEM_SM_SHARED_MEMORY_H

#include "decode.h"
#include "execute.h"

// Performs instruction d for the threads state->exec, in ascending order: bytes is the CTA's memory, size how many of
// them its threads may reach. Addresses and data are read from and written to state->registers. False: nothing is done,
// *code and *info tell the fault of the lowest bad thread.
bool shared_memory_access(uint8_t *bytes, uint32_t size, const struct decoded *d, const struct execute_state *state,
                          uint32_t *code, uint32_t *info);

#endif
