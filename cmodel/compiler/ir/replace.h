// Instructions of a module that become others.
#ifndef TANDEM_COMPILER_IR_REPLACE_H
#define TANDEM_COMPILER_IR_REPLACE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// What instruction i becomes, a value of its type or, where i has none, any; NULL: it stays. What is new is made with the
// builder that instructions_replace() was given, which stands in front of i and has its line.
typedef LLVMValueRef instruction_replacement(void *context, LLVMValueRef i);

// Asks for each instruction of the module once; what is new is not asked for. True when one was replaced.
bool instructions_replace(LLVMModuleRef module, LLVMBuilderRef builder, instruction_replacement *replacement,
                          void *context);

#endif
