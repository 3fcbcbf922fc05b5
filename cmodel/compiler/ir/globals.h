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
        bool placed;    // false: not a constant table
        bool reserved;  // has its place, but nothing is there yet
    } * places;
    size_t count, place_capacity;
    uint8_t *pointers;  // of variables: code_object.h
    size_t pointers_size, pointers_capacity;
    bool variables;   // not constant tables but the program's variables in global memory: .data
    size_t reserved;  // bytes, of those that have a place
};

// The program's variables in global memory have the same places in all compiles of the same bitcode, since the forms of
// a kernel for large work-groups share them with the first compile (driver/turns.c). Before anything is optimized they
// are made such that no pass changes or removes one; those that nothing uses go.
void variables_keep(const struct module *module);
// Gives each of them its place, from the same bitcode the same; .data stays empty until one is used.
void variables_reserve(struct globals *variables, const struct module *module);

// Offset of a constant global in constant buffer 1 (of a variable in .data); on its first use it is laid out there.
// False: not of this kind, or with contents that cannot be laid out (reported).
bool globals_place(struct globals *globals, struct module *module, LLVMValueRef global, struct location at,
                   uint32_t *offset);

#endif
