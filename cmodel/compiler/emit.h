// Machine program to words: see emit.c.
#ifndef TANDEM_COMPILER_EMIT_H
#define TANDEM_COMPILER_EMIT_H

#include "compiler/machine.h"
#include "isa/code_object.h"

// Appends the function's code to object->text (and lines) and sets entry, code_size, registers and barriers of the
// kernel.
void emit_function(const struct machine_function *function, struct code_object *object, struct code_kernel *kernel);

#endif
