// Innermost loops of one block with a counter: see counted_loop.c.
#ifndef TANDEM_COMPILER_TUNE_COUNTED_LOOP_H
#define TANDEM_COMPILER_TUNE_COUNTED_LOOP_H

#include <llvm-c/Core.h>

#include "compiler/base/memory.h"

struct counted_loop {
    LLVMBasicBlockRef block, before, exit;
    LLVMValueRef test, phi, next, step, end;
    bool stays_on_true;  // the loop goes on where the test is true
    enum { TEST_UNEQUAL, TEST_LESS, TEST_LESS_SIGNED } form;
    unsigned size;  // instructions
    bool counts;    // in local memory, too: atomic operations whose results nobody reads
};

// Whether the block is such a loop, entered from one block that does nothing else, with plain accesses to memory and no
// other effects but `counts`.
bool counted_loop_find(struct counted_loop *loop, LLVMBasicBlockRef block);

#endif
