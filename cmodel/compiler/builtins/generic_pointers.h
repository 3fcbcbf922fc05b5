// Functions on generic pointers: see generic_pointers.c.
#ifndef TANDEM_COMPILER_BUILTINS_GENERIC_POINTERS_H
#define TANDEM_COMPILER_BUILTINS_GENERIC_POINTERS_H

#include "compiler/ir/module.h"

// Gives to_global and the like their bodies; finds out null_local and null_private.
void generic_define(struct module *module);

#endif
