// The second compile: see second_compile.c.
#ifndef TANDEM_COMPILER_AGAIN_SECOND_COMPILE_H
#define TANDEM_COMPILER_AGAIN_SECOND_COMPILE_H

#include "compiler/ir/module.h"

// With metadata in the options, what the facts about the arguments make legal. While arguments are still parameters.
void module_improve(struct module *module);

#endif
