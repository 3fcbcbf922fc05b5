// Vectors that are variables of the source, while LLVM's scalarizer takes them apart.
//
// The scalarizer makes a value for each element and drops the vector; what a debugger would be told of it is lost. So before
// it runs each element of such a variable is told of for itself: as the value that the element is, where there is one
// already, else by a mark. The scalarizer calls the parts of a value by its name, a dot and "i0", "i1", ..; afterwards the
// marks become those parts.
#ifndef TANDEM_COMPILER_IR_DEBUG_VECTORS_H
#define TANDEM_COMPILER_IR_DEBUG_VECTORS_H

#include "compiler/ir/module.h"

void debug_vectors_mark(struct module *module);
void debug_vectors_settle(struct module *module);

#endif
