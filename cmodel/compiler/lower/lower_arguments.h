// Arguments of kernels: see lower_arguments.c.
#ifndef TANDEM_COMPILER_LOWER_LOWER_ARGUMENTS_H
#define TANDEM_COMPILER_LOWER_LOWER_ARGUMENTS_H

#include "compiler/ir/module.h"

// They become loads from SPACE_ARGUMENTS.
void arguments_lower(struct module *module);

#endif
