// Machine program to words: see encode.c.
#ifndef TANDEM_COMPILER_OUTPUT_ENCODE_H
#define TANDEM_COMPILER_OUTPUT_ENCODE_H

#include "compiler/machine/callee.h"
#include "isa/code_object.h"

// The functions that make one kernel, callees before their callers, the kernel last. Appends their code to object->text
// (and lines), the functions' names to object->functions, and sets entry, code_size, registers, memory and barriers of
// the kernel.
// The kernel saves (isa/save_handler.h): before its code is encoded. The handler goes in front of the first kernel.
void encode_handler(struct code_object *object, struct code_kernel *kernel);
void encode_kernel(struct machine_callee *callees, size_t count, struct code_object *object,
                   struct code_kernel *kernel);

#endif
