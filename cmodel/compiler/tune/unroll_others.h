// Unrolling by LLVM: see unroll_others.c.
#ifndef TANDEM_COMPILER_TUNE_UNROLL_OTHERS_H
#define TANDEM_COMPILER_TUNE_UNROLL_OTHERS_H

#include "compiler/ir/module.h"

// alike: only loops that all threads of a warp leave at once, as far as can be seen, at their end.
// Returns for how many loops LLVM was asked; 0: or it has changed nothing.
unsigned unroll_others(struct module *module, LLVMValueRef function, bool alike);

#endif
