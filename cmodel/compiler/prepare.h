// The LLVM part of the pipeline: see prepare.c.
#ifndef TANDEM_COMPILER_PREPARE_H
#define TANDEM_COMPILER_PREPARE_H

#include "compiler/ir/module.h"

// Reads the bitcode, links the library when something is missing, gives work-item functions their bodies, expands the
// functions that do not stay calls, optimizes. What is left is kernels and kept functions, which call each other, the
// functions of names.h, barriers, fences and intrinsics.
void module_prepare(struct module *module, struct compilation *compilation, const void *bitcode, size_t size);
// What is left to do before selection: no switches, no irreducible cycles. lavish: what saves time and takes registers
// as well: parts of divisions and other values that a loop does not change move out of it, and every loop gets a single
// exit, so that all its threads can be brought together there. (Not lavish: the threads of a loop with several exits
// meet further out.)
void module_finish(struct module *module, bool lavish);

#endif
