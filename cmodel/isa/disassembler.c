// The disassembler, from the same syntax table as the assembler.
#include "disassembler.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disassembler_internal.h"
#include "isa_syntax.h"

#define IMMEDIATE_BIT 0x80u

struct writer {
    char *to;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...) {
    size_t room = DISASSEMBLY_MAX - writer->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(writer->to + writer->length, room, format, arguments);
    va_end(arguments);
    if (length > 0) writer->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void put_register(struct writer *writer, uint32_t number) {
    if (number == ISA_RZ) {
        put(writer, "RZ");
    } else {
        put(writer, "R%" PRIu32, number);
    }
}

static void put_scalar(struct writer *writer, uint32_t number) {
    if (isa_scalar_names[number] != NULL) {
        put(writer, "%s", isa_scalar_names[number]);
    } else {
        put(writer, "S%" PRIu32, number);
    }
}

static void put_predicate(struct writer *writer, uint32_t number) {
    if ((number & 8) != 0) put(writer, "!");
    if ((number & 7) == ISA_PT) {
        put(writer, "PT");
    } else {
        put(writer, "P%" PRIu32, number & 7);
    }
}

// Small numbers as people count, others as bits.
static void put_imm(struct writer *writer, uint32_t value) {
    int32_t number = (int32_t)value;
    if (number >= -65536 && number < 65536) {
        put(writer, "%" PRId32, number);
    } else {
        put(writer, "0x%" PRIX32, value);
    }
}

static void put_memory(struct writer *writer, uint32_t ra, int32_t offset) {
    put(writer, "[");
    put_register(writer, ra);
    if (offset != 0)
        put(writer, " %c %" PRId64, offset < 0 ? '-' : '+', offset < 0 ? -(int64_t)offset : (int64_t)offset);
    put(writer, "]");
}

static void put_target(struct writer *writer, uint32_t imm, bool absolute, const char *label) {
    if (label != NULL) {
        put(writer, "%s", label);
    } else if (absolute) {
        put(writer, "%" PRIu32, imm);
    } else {
        put(writer, "%+" PRId32, (int32_t)imm);
    }
}

static void put_operand(struct writer *writer, enum isa_operand operand, uint64_t word, const char *label) {
    bool immediate = (word & IMMEDIATE_BIT) != 0;
    switch (operand) {
        case OPERAND_RD: put_register(writer, isa_rd(word)); break;
        case OPERAND_RA: put_register(writer, isa_ra(word)); break;
        case OPERAND_RB: put_register(writer, isa_rb(word)); break;
        case OPERAND_RC:
        case OPERAND_RC_OF_CAS: put_register(writer, isa_rc(word)); break;
        case OPERAND_SD: put_scalar(writer, isa_rd(word)); break;
        case OPERAND_SB: put_scalar(writer, isa_rb(word)); break;
        case OPERAND_B:
            if (immediate) {
                put_imm(writer, isa_imm(word));
            } else {
                put_register(writer, isa_rb(word));
            }
            break;
        case OPERAND_SB_OR_IMM:
            if (immediate) {
                put_imm(writer, isa_imm(word));
            } else {
                put_scalar(writer, isa_rb(word));
            }
            break;
        case OPERAND_PD: put_predicate(writer, isa_rd(word)); break;
        case OPERAND_PA: put_predicate(writer, isa_ra(word)); break;
        case OPERAND_PB: put_predicate(writer, isa_rb(word)); break;
        case OPERAND_PM: put_predicate(writer, isa_mod(word)); break;
        case OPERAND_CARRY: put_predicate(writer, isa_mod(word) & 7u); break;
        case OPERAND_RB_OR_EXT:
            if (isa_rb(word) == ISA_RZ) {
                put(writer, "%u", (unsigned)isa_ext(word) & 0xFFFFu);
            } else {
                put_register(writer, isa_rb(word));
            }
            break;
        case OPERAND_IMM7: put(writer, "0x%02" PRIX32, isa_imm(word)); break;
        case OPERAND_OPTIONAL_IMM: put(writer, "%" PRIu32, isa_imm(word)); break;
        case OPERAND_SPECIAL: put(writer, "SR_%s", isa_special_names[isa_imm(word)]); break;
        case OPERAND_MEMORY: put_memory(writer, isa_ra(word), (int32_t)isa_imm(word)); break;
        case OPERAND_MEMORY_EXT: put_memory(writer, isa_ra(word), isa_ext(word)); break;
        case OPERAND_CONSTANT:
            put(writer, "c[%" PRIu32 "]", isa_imm(word) >> 16 & 0xF);
            put_memory(writer, isa_ra(word), (int32_t)(isa_imm(word) & 0xFFFF));
            break;
        case OPERAND_RELATIVE:
        case OPERAND_OPTIONAL_RELATIVE: put_target(writer, isa_imm(word), false, label); break;
        case OPERAND_ABSOLUTE: put_target(writer, isa_imm(word), true, label); break;
    }
}

// Guard, mnemonic and operands. False when the word has a number without a name.
static bool put_instruction(struct writer *writer, const struct isa_syntax *syntax, uint64_t word, const char *label) {
    const char *suffix = syntax->mods != NULL ? syntax->mods[isa_mod(word)] : NULL;
    if (isa_opcode(word) == OP_BRA && isa_mod(word) == BRA_PLAIN) suffix = NULL;  // a plain branch has none
    if (syntax->mods != NULL && suffix == NULL && (int)isa_mod(word) != syntax->mod_default) return false;
    if (isa_word_by_word(isa_opcode(word)) && isa_mod(word) > SIZE_32) return false;
    if (strchr(syntax->operands, OPERAND_SPECIAL) != NULL &&
        (isa_imm(word) > 255 || isa_special_names[isa_imm(word)] == NULL)) {
        return false;
    }
    if (isa_guard(word) != ISA_PT || isa_guard_neg(word)) {
        put(writer, "@");
        put_predicate(writer, isa_guard(word) | (isa_guard_neg(word) ? 8u : 0u));
        put(writer, " ");
    }
    put(writer, "%s%s%s", isa_table[isa_opcode(word)].mnemonic, suffix != NULL ? "." : "",
        suffix != NULL ? suffix : "");
    const char *separator = " ";
    for (const char *at = syntax->operands; *at != 0; at++) {
        enum isa_operand operand = (enum isa_operand) * at;
        if (operand == OPERAND_RC_OF_CAS && isa_mod(word) != ATOM_CAS) continue;
        if ((operand == OPERAND_OPTIONAL_IMM || operand == OPERAND_OPTIONAL_RELATIVE) && isa_imm(word) == 0) continue;
        put(writer, "%s", separator);
        put_operand(writer, operand, word, label);
        separator = ", ";
    }
    return true;
}

void disassemble_word(uint64_t word, const char *label, char to[DISASSEMBLY_MAX]) {
    struct writer writer = {.to = to};
    const struct isa_syntax *syntax = isa_syntax_of(isa_opcode(word));
    to[0] = 0;
    if (syntax == NULL) {
        put(&writer, ".word 0x%016" PRIX64 "  // unknown opcode 0x%02" PRIX32, word, isa_opcode(word));
        return;
    }
    uint64_t used = isa_syntax_used_bits(syntax, word);
    if ((word & ~used) == 0 && put_instruction(&writer, syntax, word, label)) return;
    writer.length = 0;
    put(&writer, ".word 0x%016" PRIX64 "  // ", word);
    size_t comment = writer.length;
    if (put_instruction(&writer, syntax, word & used, label)) {
        put(&writer, ", with unused bits set");
    } else {
        writer.length = comment;
        put(&writer, "%s with a number that has no name", isa_table[isa_opcode(word)].mnemonic);
    }
}

void disassemble_instruction(uint64_t word, char to[DISASSEMBLY_MAX]) {
    disassemble_word(word, NULL, to);
}
