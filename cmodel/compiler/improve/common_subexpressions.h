// What is computed twice near by: see common_subexpressions.c.
#ifndef TANDEM_COMPILER_IMPROVE_COMMON_SUBEXPRESSIONS_H
#define TANDEM_COMPILER_IMPROVE_COMMON_SUBEXPRESSIONS_H

#include "compiler/machine/machine.h"

// While each register is written once: reads values that are there instead of computing them again.
void common_subexpressions(struct machine_function *function);

#endif
