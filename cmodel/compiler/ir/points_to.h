// Where a pointer leads: see points_to.c.
#ifndef TANDEM_COMPILER_IR_POINTS_TO_H
#define TANDEM_COMPILER_IR_POINTS_TO_H

#include "compiler/ir/module.h"

enum region {
    REGION_NONE,  // nowhere known: null or undefined
    REGION_MEMORY,
    REGION_BUFFER0,  // constant buffer 0: the kernel's arguments
    REGION_BUFFER1,  // constant buffer 1: the program's constant tables
    REGION_PRIVATE,
    REGION_LOCAL,
    REGION_GENERIC,  // decided by the address when the program runs
    REGION_MIXED     // constants of which some lie in memory, some in a buffer: cannot be told apart
};

// A generic pointer is the address itself in global memory; these windows, where the driver never allocates anything,
// stand for the work-group's local and the thread's private memory.
#define WINDOW_LOCAL 0xFE000000u
#define WINDOW_PRIVATE 0xFF000000u

struct regions {  // what has been found out already; zero-initialized: nothing
    struct region_known {
        LLVMValueRef key;
        enum region region;
    } * known;
    size_t count, slots;
};

enum region region_of(struct regions *regions, LLVMValueRef pointer);
// What is added to an address when the pointer goes from one space to another (modulo 2^32).
uint32_t region_step(LLVMValueRef from, LLVMValueRef to);
// Whether the pointer was made from a variable, and so is not null.
bool region_not_null(LLVMValueRef pointer);

#endif
