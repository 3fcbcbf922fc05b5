// Numbers and addresses as sums of parts.
#ifndef TANDEM_COMPILER_IR_ADDRESSES_H
#define TANDEM_COMPILER_IR_ADDRESSES_H

#include "compiler/ir/module.h"

enum { PARTS_MAX = 12 };

// constant + the sum of factor * part, all modulo 2^32 as addresses are. A factor may be 0.
struct sum {
    LLVMValueRef part[PARTS_MAX];
    uint32_t factor[PARTS_MAX];
    unsigned count;
    uint32_t constant;
    bool lost;  // more parts than there is room for
};

// Whether the sum takes a number apart, which is an instruction of 32 bits.
struct sum_look {
    bool (*inside)(const struct sum_look *look, LLVMValueRef number);
};

// Of an addition, subtraction, or an OR without common bits.
bool sum_is_sum(LLVMValueRef instruction);
// Of a product or a shift by a constant: the constant factor; else 0.
uint32_t sum_factor(LLVMValueRef instruction);

void sum_of_number(struct sum *sum, LLVMValueRef number);
// The steps of one getelementptr from its pointer, added. look: NULL for all that can be taken apart.
void sum_add_steps(struct sum *sum, const struct module *module, LLVMValueRef gep, const struct sum_look *look);
void sum_of_address(struct sum *sum, const struct module *module, LLVMValueRef pointer);
// Whether the addresses are a constant apart: *bytes = a - b.
bool addresses_differ(const struct module *module, LLVMValueRef a, LLVMValueRef b, uint32_t *bytes);

#endif
