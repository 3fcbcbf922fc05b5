// Sources that are no text but bitcode of LLVM, which some front end has made for this target.
#ifndef TANDEM_COMPILER_FRONT_BITCODE_H
#define TANDEM_COMPILER_FRONT_BITCODE_H

#include "compiler/base/compilation.h"

bool bitcode_given(const void *source, size_t size);
// Takes it, in place of frontend_run(). From here on the child is careful with memory: a damaged file may ask for any.
void bitcode_take(struct compilation *compilation, void **bitcode, size_t *size);

#endif
