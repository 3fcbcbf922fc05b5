// Neighbouring elements in one work-item: see coarsen.c.
#ifndef TANDEM_COMPILER_AGAIN_COARSEN_H
#define TANDEM_COMPILER_AGAIN_COARSEN_H

#include "compiler/again/facts.h"

// Returns how many loops; *most: the most elements that a work-item takes at once.
unsigned coarsen_loops(const struct facts *facts, unsigned *most);

#endif
