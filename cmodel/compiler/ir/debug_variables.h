// The variables of the source in the LLVM module: which there are, in which scopes, and before which instruction one of
// them takes which value. There are none unless the program was compiled with -g.
#ifndef TANDEM_COMPILER_IR_DEBUG_VARIABLES_H
#define TANDEM_COMPILER_IR_DEBUG_VARIABLES_H

#include "compiler/debug/debug.h"
#include "compiler/ir/module.h"

struct debug_mark {
    LLVMValueRef value;  // NULL: from here on it is nowhere
    uint32_t slice;
    bool address;  // the value leads to the variable
    struct debug_operation *operations;
    uint8_t operation_count;
    uint32_t next;  // NONE: the last before this instruction
};

struct debug_records;

// The module must stay as it is from now on. NULL: it has no variables.
struct debug_records *debug_collect(const struct module *module);
struct debug_program *debug_program_of(struct debug_records *records);
// What happens to variables right before the instruction: the first mark and those behind it, or NULL.
const struct debug_mark *debug_marks_before(const struct debug_records *records, LLVMValueRef instruction);
const struct debug_mark *debug_next_mark(const struct debug_records *records, const struct debug_mark *mark);
// NONE: not known.
uint32_t debug_scope_at(struct debug_records *records, LLVMValueRef instruction);

// A variable of the program: of all functions, or one of the kernel's in the work-group's memory.
struct debug_global {
    LLVMValueRef global;
    uint32_t slice;
};
const struct debug_global *debug_globals(const struct debug_records *records, size_t *count);

#endif
