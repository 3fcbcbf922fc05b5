// Operations that no instruction does: see library_operations.c.
#ifndef TANDEM_COMPILER_LOWER_LIBRARY_OPERATIONS_H
#define TANDEM_COMPILER_LOWER_LIBRARY_OPERATIONS_H

#include "compiler/ir/module.h"

// They become calls of the library's helpers, which is then to be brought in. Returns whether there were any.
bool library_operations_lower(struct module *module);

#endif
