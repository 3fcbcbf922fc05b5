// How each instruction is written: the operands in assembler order and the suffixes that mod stands for. Assembler and
// disassembler both work from this, so that they cannot differ.
#ifndef TANDEM_ISA_ISA_SYNTAX_H
#define TANDEM_ISA_ISA_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/isa.h"

// One letter for each operand in isa_syntax.operands.
enum isa_operand {
    OPERAND_RD = 'd',         // R0..R254, RZ, in rd
    OPERAND_RA = 'a',         // in ra
    OPERAND_RB = 'b',         // in rb
    OPERAND_RC = 'c',         // in rc
    OPERAND_RC_OF_CAS = 'C',  // in rc, only for ATOM_CAS
    OPERAND_B = 'B',          // register in rb, or the immediate, by bit 7 of the opcode
    OPERAND_SD = 'D',         // S0..S15, EXEC_LO, EXEC_HI, in rd
    OPERAND_SB = 'E',         // in rb
    OPERAND_SB_OR_IMM = 'F',  // in rb, or the immediate, by bit 7 of the opcode
    OPERAND_PD = 'p',         // P0..P6, PT, in rd
    OPERAND_PA = 'q',         // may be negated with !, in ra
    OPERAND_PB = 'r',         // may be negated, in rb
    OPERAND_PM = 'm',         // may be negated, in mod
    OPERAND_CARRY = 'k',      // P0..P6, PT, in mod 2:0
    OPERAND_RB_OR_EXT = 'S',  // in rb; or 0..65535 in ext, and RZ in rb
    OPERAND_IMM7 = 'i',       // 0..127
    OPERAND_OPTIONAL_IMM = 'n',
    OPERAND_SPECIAL = 's',            // SR_TID_X ..
    OPERAND_MEMORY = 'M',             // [ra + imm]
    OPERAND_MEMORY_EXT = 'X',         // [ra + ext]
    OPERAND_CONSTANT = 'K',           // c[bank][ra + offset]
    OPERAND_RELATIVE = 'l',           // label, +N, -N: instructions from the next one
    OPERAND_OPTIONAL_RELATIVE = 'o',  // the same; left out: +0
    OPERAND_ABSOLUTE = 'L',           // label, N: instruction index in .text
};

struct isa_syntax {
    const char *operands;
    const char *const *mods;  // 16 suffixes, NULL for values that have none; NULL: mod is no suffix
    int mod_default;  // value that may be, and if mods[] has no name for it must be, written without suffix; -1: none
};

// NULL when there is no such opcode.
const struct isa_syntax *isa_syntax_of(uint32_t opcode);

// The bits of the word that its instruction uses; the others are zero in what the assembler makes.
uint64_t isa_syntax_used_bits(const struct isa_syntax *syntax, uint64_t word);

#endif
