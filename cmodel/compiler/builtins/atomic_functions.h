// The atomic functions of OpenCL C 2.0: see atomic_functions.c.
#ifndef TANDEM_COMPILER_BUILTINS_ATOMIC_FUNCTIONS_H
#define TANDEM_COMPILER_BUILTINS_ATOMIC_FUNCTIONS_H

#include "compiler/ir/module.h"

// Gives them their bodies.
void atomic_functions_define(struct module *module);

#endif
