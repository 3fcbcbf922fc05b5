// Constant tables of the program: constant buffer 1, the code object's .rodata. See globals.c.
#ifndef TANDEM_COMPILER_IR_GLOBALS_H
#define TANDEM_COMPILER_IR_GLOBALS_H

#include "compiler/ir/module.h"

struct globals {
    uint8_t *data;
    size_t size, capacity;
    struct global_place {
        LLVMValueRef global;
        uint32_t offset;
        bool placed;  // false: not a constant table
    } * places;
    size_t count, place_capacity;
    bool variables;  // not constant tables but the program's variables in global memory: .data
};

// Offset of a constant global in constant buffer 1 (of a variable in .data); on its first use it is laid out there.
// False: not of this kind, or with contents that cannot be laid out (reported).
bool globals_place(struct globals *globals, struct module *module, LLVMValueRef global, struct location at,
                   uint32_t *offset);

#endif
