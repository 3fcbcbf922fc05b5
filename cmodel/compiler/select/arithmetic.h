// Integers of at most 32 bits, choices, casts, parts of vectors: see arithmetic.c.
#ifndef TANDEM_COMPILER_SELECT_ARITHMETIC_H
#define TANDEM_COMPILER_SELECT_ARITHMETIC_H

#include "compiler/select/selection.h"

// False: the instruction is none of these.
bool select_arithmetic(struct selection *s, LLVMValueRef i);

#endif
