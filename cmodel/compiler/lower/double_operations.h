// Arithmetic of 64 bits becomes calls of the device library (library/doubles.cl and others), and what is done on single
// bits of doubles and halfs becomes integer operations.
#ifndef TANDEM_COMPILER_LOWER_DOUBLE_OPERATIONS_H
#define TANDEM_COMPILER_LOWER_DOUBLE_OPERATIONS_H

#include "compiler/ir/module.h"

// Calls of the library in place of operations; whether there were any. Vectors have been taken apart.
bool double_operations_lower(struct module *module);
// Signs and classes. At the end: LLVM makes such operations of the integer ones that they become.
void float_bits_lower(struct module *module);

#endif
