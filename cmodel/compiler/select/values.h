// Values of LLVM in registers: what nearly all parts of selection need.
#ifndef TANDEM_COMPILER_SELECT_VALUES_H
#define TANDEM_COMPILER_SELECT_VALUES_H

#include "compiler/select/constants.h"
#include "compiler/select/instructions.h"
#include "compiler/select/types.h"

struct value *value_of(struct selection *s, LLVMValueRef v);  // of an instruction or argument, made when needed
struct value *value_new(struct selection *s, LLVMValueRef v, unsigned count);

// Reading. Registers that a value is in are asked for by these, never taken from its parts.
uint32_t part_of(struct selection *s, LLVMValueRef v, unsigned part);  // register, unknown bits above
uint32_t reg_of(struct selection *s, LLVMValueRef v);
uint32_t reg_zeros(struct selection *s, LLVMValueRef v);  // zero-extended to 32 bits
uint32_t reg_sign(struct selection *s, LLVMValueRef v);   // sign-extended
struct predicate predicate_of(struct selection *s, LLVMValueRef v);

// Defining. known: enum known, of the bits above those of the value.
void define(struct selection *s, LLVMValueRef v, uint32_t reg, unsigned known);
void define_flag(struct selection *s, LLVMValueRef v, struct predicate p);
void flag_result(struct selection *s, struct value *value, LLVMValueRef v, struct predicate p);

#endif
