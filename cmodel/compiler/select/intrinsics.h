// Calls of all kinds: see intrinsics.c.
#ifndef TANDEM_COMPILER_SELECT_INTRINSICS_H
#define TANDEM_COMPILER_SELECT_INTRINSICS_H

#include "compiler/select/selection.h"

void select_call(struct selection *s, LLVMValueRef i);

#endif
