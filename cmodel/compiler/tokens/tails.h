// Blocks behind the exits of a loop: see tails.c.
#ifndef TANDEM_COMPILER_TOKENS_TAILS_H
#define TANDEM_COMPILER_TOKENS_TAILS_H

#include "compiler/graph/loops.h"
#include "compiler/machine/machine.h"

// Counts blocks behind a loop's several exits to the loop, where that gives it a single one.
void loops_take_tails(const struct machine_function *function, struct loops *loops);

#endif
