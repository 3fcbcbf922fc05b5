// Numbers and addresses as sums of parts.
#ifndef TANDEM_COMPILER_AGAIN_ADDRESSES_H
#define TANDEM_COMPILER_AGAIN_ADDRESSES_H

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

void sum_of_number(struct sum *sum, LLVMValueRef number);
void sum_of_address(struct sum *sum, const struct module *module, LLVMValueRef pointer);
// Whether the addresses are a constant apart: *bytes = a - b.
bool addresses_differ(const struct module *module, LLVMValueRef a, LLVMValueRef b, uint32_t *bytes);

#endif
