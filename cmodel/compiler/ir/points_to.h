// Where a pointer leads: see points_to.c.
#ifndef TANDEM_COMPILER_IR_POINTS_TO_H
#define TANDEM_COMPILER_IR_POINTS_TO_H

#include "compiler/ir/module.h"
#include "gen/isa.h"

enum memory_kind {
    MEMORY_NONE,  // nowhere known: null or undefined
    MEMORY_GLOBAL,
    MEMORY_BUFFER0,  // constant buffer 0: the kernel's arguments
    MEMORY_BUFFER1,  // constant buffer 1: the program's constant tables
    MEMORY_PRIVATE,
    MEMORY_LOCAL,
    MEMORY_GENERIC,  // each thread's address tells when the program runs
    MEMORY_MIXED     // constants of which some lie in memory, some in a buffer: cannot be told apart
};

// A generic pointer is the address itself in global memory; the windows of the instruction set, where the driver never
// allocates anything, stand for the work-group's local memory (its shared) and the thread's private memory (its local).
#define GENERIC_LOCAL ((uint32_t)WINDOW_SHARED << 24)
#define GENERIC_PRIVATE ((uint32_t)WINDOW_LOCAL << 24)

struct pointers {  // what has been found out already; zero-initialized: nothing
    struct pointer_known {
        LLVMValueRef key;
        enum memory_kind memory;
    } * known;
    size_t count, slots;
};

enum memory_kind points_to(struct pointers *pointers, LLVMValueRef pointer);
// What is added to an address when the pointer goes from one space to another (modulo 2^32).
uint32_t window_step(LLVMValueRef from, LLVMValueRef to);
// Whether the pointer was made from a variable, and so is not null.
bool pointer_not_null(LLVMValueRef pointer);

#endif
