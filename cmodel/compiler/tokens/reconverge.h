// Where tokens go: see reconverge.c.
#ifndef TANDEM_COMPILER_TOKENS_RECONVERGE_H
#define TANDEM_COMPILER_TOKENS_RECONVERGE_H

#include "compiler/machine/machine.h"

// Behind the allocation of registers. Sets the blocks' tokens and the actions of their edges.
void reconverge(struct machine_function *function);

#endif
