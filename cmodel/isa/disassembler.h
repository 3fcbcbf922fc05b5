// The disassembler: words and code objects to text that the assembler makes the same words and code objects of.
#ifndef TANDEM_ISA_DISASSEMBLER_H
#define TANDEM_ISA_DISASSEMBLER_H

#include <stddef.h>
#include <stdint.h>

#include "code_object.h"

#define DISASSEMBLY_MAX 128u  // no instruction's text is longer, with its final 0

// One word, targets as numbers: "@!P0 BRA +4". Words that the assembler would not make so (unknown opcodes, numbers
// without a name, bits set that the instruction does not use) come as ".word 0x..", with what it is as a comment when
// that is known.
void disassemble_instruction(uint64_t word, char to[DISASSEMBLY_MAX]);

// A whole code object, with its directives, targets as labels. Malloc'ed text with a final 0, the caller frees; NULL
// when memory is short. Kernels whose code overlaps, and names the assembler does not take, cannot be said in assembly:
// a comment stands for them.
char *disassemble(const struct code_object *object);

#endif
