// Which registers are which variable of the source: told to the machine program beside its instructions.
#ifndef TANDEM_COMPILER_SELECT_DEBUG_VALUES_H
#define TANDEM_COMPILER_SELECT_DEBUG_VALUES_H

#include "compiler/select/selection.h"

void debug_values_begin(struct selection *s);
// What happens to variables before the instruction, which is selected next.
void debug_values_before(struct selection *s, LLVMValueRef instruction);
// When the function is selected.
void debug_values_end(struct selection *s);
// When a kernel is selected: the places of its variables in the work-group's memory.
void debug_place_locals(struct debug_records *debug, const struct kernel_tree *tree);
// When all are: those of the program's tables and variables.
void debug_place_globals(struct debug_records *debug, const struct globals *globals, enum debug_space space);

#endif
