// LLVM's intrinsics on integers of more than 32 bits: see wide_intrinsics.c.
#ifndef TANDEM_COMPILER_SELECT_WIDE_INTRINSICS_H
#define TANDEM_COMPILER_SELECT_WIDE_INTRINSICS_H

#include "compiler/select/selection.h"

// False: it is none of these. what: name of the intrinsic without "llvm.".
bool select_wide_intrinsic(struct selection *s, LLVMValueRef i, const char *what);

#endif
