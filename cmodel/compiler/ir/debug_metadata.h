// Reading LLVM's debug metadata through its C interface: nodes by their operands, and what has no operand by their text.
#ifndef TANDEM_COMPILER_IR_DEBUG_METADATA_H
#define TANDEM_COMPILER_IR_DEBUG_METADATA_H

#include <llvm-c/DebugInfo.h>

#include "compiler/debug/debug.h"
#include "compiler/ir/module.h"

// Operands of nodes, as LLVM orders them.
enum {
    OPERAND_SCOPE = 1,           // of scopes and types
    OPERAND_NAME = 2,            // of scopes and types
    OPERAND_OF = 3,              // of types: what they are made of; of variables: their type
    OPERAND_ELEMENTS = 4,        // of types
    OPERAND_VARIABLE_SCOPE = 0,  // of variables
    OPERAND_VARIABLE_NAME = 1
};

struct metadata_numbers {  // zero-initialized: empty. What number each node, or pair of nodes, has.
    struct metadata_number {
        LLVMMetadataRef first, second;
        uint32_t number;
    } * list;
    size_t count, capacity;
};

// Operand `index`, or NULL.
LLVMMetadataRef metadata_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned index);
// A name among the operands, "" when there is none.
const char *metadata_name(LLVMContextRef context, LLVMMetadataRef node, unsigned index);
// What follows `field` in the node's text ("arg: "), a number or a name; false: it is not there.
bool metadata_field(LLVMContextRef context, LLVMMetadataRef node, const char *field, char *to, size_t size);
uint32_t *metadata_number_of(struct metadata_numbers *numbers, LLVMMetadataRef first, LLVMMetadataRef second);

// An expression taken apart. False: it says what cannot be told on.
struct debug_expression {
    struct debug_operation *operations;
    uint8_t count;
    bool address;           // what is there leads to the variable: DW_OP_deref at the end
    uint32_t offset, size;  // bytes of the part that it is about; size 0: all
};
bool debug_expression_read(LLVMContextRef context, LLVMMetadataRef node, struct debug_expression *to);

// The type's number; NONE: void.
uint32_t debug_type_of(LLVMContextRef context, struct metadata_numbers *known, struct debug_program *program,
                       LLVMMetadataRef type);

#endif
