// Between the two halves of the disassembler.
#ifndef TANDEM_ISA_DISASSEMBLER_INTERNAL_H
#define TANDEM_ISA_DISASSEMBLER_INTERNAL_H

#include "disassembler.h"

// As disassemble_instruction(); label: of the word's target, NULL: it is told as a number.
void disassemble_word(uint64_t word, const char *label, char to[DISASSEMBLY_MAX]);

#endif
