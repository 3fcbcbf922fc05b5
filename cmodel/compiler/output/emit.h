// Machine program to words: see emit.c.
#ifndef TANDEM_COMPILER_OUTPUT_EMIT_H
#define TANDEM_COMPILER_OUTPUT_EMIT_H

#include "compiler/lower/calls.h"
#include "isa/code_object.h"

// Appends the code of the kernel and of the functions that it calls to object->text (and lines), the functions' names
// to object->functions, and sets entry, code_size, registers, memory and barriers of the kernel.
void emit_kernel(struct kernel_tree *tree, struct code_object *object, struct code_kernel *kernel);

#endif
