// Vector registers: see allocate.c.
#ifndef TANDEM_COMPILER_REGISTERS_ALLOCATE_H
#define TANDEM_COMPILER_REGISTERS_ALLOCATE_H

#include "compiler/machine/machine.h"

// Behind predicates_allocate(). Sets registers_used. It is more than register_limit only where spilling does not help.
void registers_allocate(struct machine_function *function);

#endif
