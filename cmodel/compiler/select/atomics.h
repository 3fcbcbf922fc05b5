// Atomic operations: see atomics.c.
#ifndef TANDEM_COMPILER_SELECT_ATOMICS_H
#define TANDEM_COMPILER_SELECT_ATOMICS_H

#include "compiler/select/selection.h"

// False: the instruction is none of these.
bool select_atomic(struct selection *s, LLVMValueRef i);

#endif
