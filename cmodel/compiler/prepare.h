// The LLVM part of the pipeline: see prepare.c.
#ifndef TANDEM_COMPILER_PREPARE_H
#define TANDEM_COMPILER_PREPARE_H

#include "compiler/ir/module.h"

// Reads the bitcode, links the library when something is missing, gives work-item functions their bodies, expands the
// functions that do not stay calls, optimizes. Kernels have their parameters still.
void module_prepare(struct module *module, struct compilation *compilation, const void *bitcode, size_t size);
// Arguments are loads then, vectors single values, and what there is no instruction for has come from the library. What is
// left is kernels and kept functions, which call each other, the functions of names.h, barriers, fences and intrinsics.
void module_settle(struct module *module);
// How far a kernel goes in taking registers for time.
enum finish {
    FINISH_TUNED,   // as LAVISH, and loops are unrolled, addresses taken apart: ../tune
    FINISH_LAVISH,  // what a loop does not change moves out of it, and every loop gets a single exit, so that all its
                    // threads can be brought together there
    FINISH_LEAN     // neither: the threads of a loop with several exits meet further out
};
// What is left to do before selection: no switches, no irreducible cycles. skipped: TUNED: for each kernel, whether it
// is finished as LAVISH; NULL: none is.
void module_finish(struct module *module, enum finish finish, const bool *skipped);

#endif
