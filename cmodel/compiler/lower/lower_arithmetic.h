// Arithmetic that the ISA does in other ways: see lower_arithmetic.c.
#ifndef TANDEM_COMPILER_LOWER_LOWER_ARITHMETIC_H
#define TANDEM_COMPILER_LOWER_LOWER_ARITHMETIC_H

#include "compiler/ir/module.h"

// Division, remainder and high products become what the ISA has.
void arithmetic_lower(struct module *module);

#endif
