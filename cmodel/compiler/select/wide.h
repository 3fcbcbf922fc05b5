// Integers of more than 32 bits: see wide.c.
#ifndef TANDEM_COMPILER_SELECT_WIDE_H
#define TANDEM_COMPILER_SELECT_WIDE_H

#include "compiler/select/selection.h"

// False: the instruction is none of these.
bool select_wide(struct selection *s, LLVMValueRef i);

#endif
