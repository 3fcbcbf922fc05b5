// Loops without a bound: see yields.c.
#ifndef TANDEM_COMPILER_LOWER_YIELDS_H
#define TANDEM_COMPILER_LOWER_YIELDS_H

#include "compiler/ir/module.h"

// Marks the loops that need a YIELD, tells the verdict of each (compilation->loops). Returns whether calls of the
// library came in with that.
bool yields_place(struct module *module);

#endif
