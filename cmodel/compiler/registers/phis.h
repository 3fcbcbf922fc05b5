// Moves in place of phis: see phis.c.
#ifndef TANDEM_COMPILER_REGISTERS_PHIS_H
#define TANDEM_COMPILER_REGISTERS_PHIS_H

#include "compiler/machine/machine.h"

void phis_eliminate(struct machine_function *function);

#endif
