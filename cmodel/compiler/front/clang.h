// From OpenCL C to LLVM bitcode.
#ifndef TANDEM_COMPILER_FRONT_CLANG_H
#define TANDEM_COMPILER_FRONT_CLANG_H

#include "compiler/base/compilation.h"

// Runs clang over the compilation's source; the bitcode is the caller's. Does not return when clang finds errors.
void frontend_run(struct compilation *compilation, void **bitcode, size_t *size);

#endif
