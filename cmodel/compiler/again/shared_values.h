// What is the same in many work-items: see shared_values.c.
#ifndef TANDEM_COMPILER_AGAIN_SHARED_VALUES_H
#define TANDEM_COMPILER_AGAIN_SHARED_VALUES_H

#include "compiler/ir/ir_graph.h"

// Which work-items: those of a work-group, or of a launch, that differ in dimension 0 only.
enum scope { SCOPE_GROUP, SCOPE_LAUNCH };

// Special register `number`, read by its name.
bool is_special(LLVMValueRef value, uint32_t number);
// The product of two special registers.
bool is_special_product(LLVMValueRef value, uint32_t a, uint32_t b);
// Whether all these work-items have the same value. False also when it is not known.
bool value_is_shared(LLVMValueRef value, enum scope scope);
// Whether the block is executed by all of them or by none, and at most once.
bool block_is_shared(const struct ir_graph *graph, uint32_t block, enum scope scope);

#endif
