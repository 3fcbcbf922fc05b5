// Functions that the compiler gives itself: see work_items.c.
#ifndef TANDEM_COMPILER_BUILTINS_WORK_ITEMS_H
#define TANDEM_COMPILER_BUILTINS_WORK_ITEMS_H

#include "compiler/ir/module.h"

// Whether the name is one that the compiler gives itself: a work-item function, or what selection knows.
bool builtin_given(const char *name);
// Gives get_global_id and the like their bodies.
void builtins_define(struct module *module);
// Declares one of the NAME_ functions (pure ones with the attributes that let LLVM move and merge calls).
LLVMValueRef builtin_declare(struct module *module, const char *name, unsigned parameters);

#endif
