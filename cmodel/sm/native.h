// The quick way of a warp's turn, for the model alone: instructions one after the other without the way through the
// schedule, as vector code of the machine that it runs on. Nothing but time depends on it: what it does is what
// issue_execute() does, and what it does not know, what faults and what somebody looks at it leaves to that one.
#ifndef TANDEM_SM_NATIVE_H
#define TANDEM_SM_NATIVE_H

#include <stdint.h>

struct sm;

// Executes up to `most` instructions of the ready warp, which nobody records, and counts them in run.cycles. Returns how
// many; fewer than asked: the next one is not for it.
typedef uint32_t native_function(struct sm *sm, uint32_t warp, uint32_t most);
// The one for this machine.
native_function *native_choose(void);

// The same for every machine of the kind, with AVX2 and FMA (x86-64-v3), with AVX-512 (x86-64-v4).
native_function native_run_v1, native_run_v3, native_run_v4;

#endif
