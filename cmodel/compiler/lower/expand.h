// Functions in place of their calls: see expand.c.
#ifndef TANDEM_COMPILER_LOWER_EXPAND_H
#define TANDEM_COMPILER_LOWER_EXPAND_H

#include "compiler/ir/module.h"

// Chooses the functions that stay calls and expands the others.
void module_expand(struct module *module);

#endif
