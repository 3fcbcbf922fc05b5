// Predicate registers: see predicates.c.
#ifndef TANDEM_COMPILER_REGISTERS_PREDICATES_H
#define TANDEM_COMPILER_REGISTERS_PREDICATES_H

#include "compiler/machine/machine.h"

// Behind phis_eliminate().
void predicates_allocate(struct machine_function *function);

#endif
