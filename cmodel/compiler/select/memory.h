// Addresses, loads, stores, copies: see memory.c.
#ifndef TANDEM_COMPILER_SELECT_MEMORY_H
#define TANDEM_COMPILER_SELECT_MEMORY_H

#include "compiler/select/access.h"

// False: the instruction is none of these.
bool select_memory(struct selection *s, LLVMValueRef i);
struct address address_of(struct selection *s, LLVMValueRef pointer);
// A pointer from one space in another.
void select_space_cast(struct selection *s, LLVMValueRef i);
// Copies size bytes between two pointers / sets them (llvm.memcpy, llvm.memset).
void select_copy(struct selection *s, LLVMValueRef to, LLVMValueRef from, uint32_t size, unsigned alignment);
void select_fill(struct selection *s, LLVMValueRef to, LLVMValueRef byte, uint32_t size, unsigned alignment);

#endif
