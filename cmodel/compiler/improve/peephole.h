// Small improvements: see peephole.c.
#ifndef TANDEM_COMPILER_IMPROVE_PEEPHOLE_H
#define TANDEM_COMPILER_IMPROVE_PEEPHOLE_H

#include "compiler/machine/machine.h"

// While each register is written once: products into IMAD, unread instructions dropped.
void peephole(struct machine_function *function);

#endif
