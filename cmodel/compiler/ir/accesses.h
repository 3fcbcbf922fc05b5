// Loads and stores of LLVM IR, for whoever moves or copies them.
#ifndef TANDEM_COMPILER_IR_ACCESSES_H
#define TANDEM_COMPILER_IR_ACCESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Loads and stores that may be moved: not volatile, not atomic.
bool access_is_plain(LLVMValueRef instruction);
LLVMValueRef access_pointer(LLVMValueRef instruction);
// Neither reads nor writes memory and always comes to its end.
bool touches_no_memory(LLVMValueRef instruction);

#endif
