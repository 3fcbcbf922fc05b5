// Types of LLVM as registers.
#ifndef TANDEM_COMPILER_SELECT_TYPES_H
#define TANDEM_COMPILER_SELECT_TYPES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

unsigned part_count(LLVMTypeRef type);  // elements of a vector, else 1
LLVMTypeRef part_type(LLVMTypeRef type);
unsigned word_count(LLVMTypeRef type);  // registers of an element
unsigned words_of(LLVMTypeRef type);    // of all elements; 0 of void
unsigned width_of(LLVMTypeRef type);    // bits of an integer or pointer (or vector's element)
bool is_flag(LLVMValueRef v);           // i1

#endif
