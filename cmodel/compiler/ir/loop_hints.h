// What a loop's jump back says to those that unroll, in LLVM's own way (!llvm.loop).
#ifndef TANDEM_COMPILER_IR_LOOP_HINTS_H
#define TANDEM_COMPILER_IR_LOOP_HINTS_H

#include <llvm-c/Core.h>

#include "compiler/base/memory.h"

#define HINT_NO_UNROLL "llvm.loop.unroll.disable"
#define HINT_UNROLL "llvm.loop.unroll.count"
#define HINT_UNROLL_FULLY "llvm.loop.unroll.full"

// In place of what it said. count 0: the hint has no number.
void loop_hint(LLVMContextRef context, LLVMBasicBlockRef latch, const char *hint, unsigned count);
bool loop_has_hint(LLVMContextRef context, LLVMBasicBlockRef latch, const char *hint);

#endif
