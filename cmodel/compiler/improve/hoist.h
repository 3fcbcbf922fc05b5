// Moves what a loop does not change before it: see hoist.c.
#ifndef TANDEM_COMPILER_IMPROVE_HOIST_H
#define TANDEM_COMPILER_IMPROVE_HOIST_H

struct machine_function;

void values_hoist(struct machine_function *function);

#endif
