// Functions that call themselves: see recursion.c.
#ifndef TANDEM_COMPILER_LOWER_RECURSION_H
#define TANDEM_COMPILER_LOWER_RECURSION_H

#include "compiler/ir/module.h"

// Ends the compilation with messages when there are any.
void recursion_refuse(struct module *module);

#endif
