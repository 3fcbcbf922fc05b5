// Debug information in the form that all tools read: DWARF 5.
#ifndef TANDEM_COMPILER_OUTPUT_DWARF_H
#define TANDEM_COMPILER_OUTPUT_DWARF_H

#include "compiler/debug/debug.h"
#include "isa/code_object.h"

// Puts the sections .debug_* into the object, whose code is complete.
void dwarf_write(const struct debug_program *program, struct code_object *object);

#endif
