// Single precision: see floats.c.
#ifndef TANDEM_COMPILER_SELECT_FLOATS_H
#define TANDEM_COMPILER_SELECT_FLOATS_H

#include "compiler/select/selection.h"

// False: the instruction is none of these. what: name of the intrinsic without "llvm.".
bool select_float(struct selection *s, LLVMValueRef i);
bool select_float_intrinsic(struct selection *s, LLVMValueRef i, const char *what);
// A single instruction that the library calls by its name (names.h).
bool select_float_own(struct selection *s, LLVMValueRef i, const char *name);

#endif
