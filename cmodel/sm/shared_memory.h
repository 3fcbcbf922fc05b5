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

// What the banks have to do: passes, and of these the ones that bank conflicts cost.
struct shared_turns {
    uint32_t passes, conflicts;
};

// Adds the turns that instruction d takes for the threads state->exec, whose addresses are good; to be asked before it
// is performed. lanes: a power of two; there are as many banks of 32-bit words, word w is in bank w % lanes. shared_words:
// 1, 2 or 4, words of a wide access that a thread gets in a pass; they lie side by side. For each portion and so many
// words: in a pass a bank serves all threads that want one of its words, or, of an atomic, one thread.
void shared_memory_turns(const struct decoded *d, const struct execute_state *state, unsigned lanes,
                         unsigned shared_words, struct shared_turns *turns);

#endif
