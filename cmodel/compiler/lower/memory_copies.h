// Copies of areas in memory: see memory_copies.c.
#ifndef TANDEM_COMPILER_LOWER_MEMORY_COPIES_H
#define TANDEM_COMPILER_LOWER_MEMORY_COPIES_H

#include "compiler/ir/module.h"

enum { COPY_UNITS = 32 };
// Structure arguments that are changed get copies; copies of areas of more than COPY_UNITS accesses become loops.
void memory_copies_lower(struct module *module);

#endif
