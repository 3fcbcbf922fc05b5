// Unrolling of loops of one block: see unroll.c.
#ifndef TANDEM_COMPILER_TUNE_UNROLL_H
#define TANDEM_COMPILER_TUNE_UNROLL_H

#include "compiler/ir/module.h"
#include "compiler/tune/counted_loop.h"

// The largest factor that is right for a loop; less than 2: it stays.
typedef unsigned unroll_allowed(const void *context, const struct counted_loop *loop);

// By 4, by 2 when the body is large, and at most as allowed, with one test and jump for the unrolled body, and the old
// loop for what is left over. Returns how many; *most: the largest factor.
unsigned unroll_loops(const struct module *module, LLVMValueRef function, unroll_allowed *allowed, const void *context,
                      bool stores_last, unsigned *most);

#endif
