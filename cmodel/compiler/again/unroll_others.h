// Unrolling by LLVM: see unroll_others.c.
#ifndef TANDEM_COMPILER_AGAIN_UNROLL_OTHERS_H
#define TANDEM_COMPILER_AGAIN_UNROLL_OTHERS_H

#include "compiler/again/facts.h"

// Returns for how many loops LLVM was asked; 0: or it has changed nothing.
unsigned unroll_others(const struct facts *facts);

#endif
