// One instruction: guard, mnemonic with suffixes, operands.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assembler.h"
#include "assembler_internal.h"
#include "isa_syntax.h"

#define IMMEDIATE_BIT 0x80u

bool cursor_fail(struct cursor *cursor, const char *format, ...) {
    if (cursor->error_size > 0) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(cursor->error, cursor->error_size, format, arguments);
        va_end(arguments);
    }
    return false;
}

void cursor_skip_blanks(struct cursor *cursor) {
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\r'))
        cursor->at++;
}

bool cursor_at_end(struct cursor *cursor) {
    cursor_skip_blanks(cursor);
    return cursor->at == cursor->end;
}

bool cursor_take(struct cursor *cursor, char wanted) {
    if (cursor_at_end(cursor) || *cursor->at != wanted) return false;
    cursor->at++;
    return true;
}

// What stands at the cursor, for messages: one word or one character.
static const char *next_text(struct cursor *cursor, char text[32]) {
    if (cursor_at_end(cursor)) return "the end of the line";
    size_t length = 0;
    do {
        text[1 + length] = cursor->at[length];
        length++;
    } while (length < 28 && cursor->at + length < cursor->end && strchr(" \t\r,[]", cursor->at[length]) == NULL);
    text[0] = '\'';
    text[1 + length] = '\'';
    text[2 + length] = 0;
    for (size_t i = 1; i <= length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F) text[i] = '?';
    }
    return text;
}

bool cursor_expect(struct cursor *cursor, char wanted) {
    char text[32];
    return cursor_take(cursor, wanted) ||
           cursor_fail(cursor, "expected '%c', found %s", wanted, next_text(cursor, text));
}

bool cursor_finish(struct cursor *cursor) {
    char text[32];
    return cursor_at_end(cursor) || cursor_fail(cursor, "%s is more than this line can have", next_text(cursor, text));
}

static bool is_word_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
}

bool cursor_word(struct cursor *cursor, char word[ASSEMBLER_WORD_MAX]) {
    size_t length = 0;
    cursor_skip_blanks(cursor);
    word[0] = 0;
    while (cursor->at + length < cursor->end && is_word_character(cursor->at[length]))
        length++;
    if (length >= ASSEMBLER_WORD_MAX)
        return cursor_fail(cursor, "a name of more than %u characters", ASSEMBLER_WORD_MAX - 1);
    if (length == 0) return false;
    memcpy(word, cursor->at, length);
    word[length] = 0;
    cursor->at += length;
    return true;
}

bool cursor_number(struct cursor *cursor, int64_t low, int64_t high, const char *what, int64_t *value) {
    char word[ASSEMBLER_WORD_MAX], text[32];
    cursor_skip_blanks(cursor);
    struct cursor start = *cursor;
    bool negative = cursor_take(cursor, '-');
    if (!negative) cursor_take(cursor, '+');
    if (!cursor_word(cursor, word) || word[0] < '0' || word[0] > '9') {
        *cursor = start;
        return cursor_fail(cursor, "expected %s, found %s", what, next_text(cursor, text));
    }
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    char *end;
    errno = 0;
    unsigned long long number = strtoull(hex ? word + 2 : word, &end, hex ? 16 : 10);
    if (*end != 0 || end == word + 2 - (hex ? 0 : 2)) return cursor_fail(cursor, "'%.40s' is not a number", word);
    bool large = errno == ERANGE || number > INT64_MAX;
    int64_t result = large ? 0 : negative ? -(int64_t)number : (int64_t)number;
    if (large || result < low || result > high) {
        return cursor_fail(cursor, "%s %s%.40s is outside %lld..%lld", what, negative ? "-" : "", word, (long long)low,
                           (long long)high);
    }
    *value = result;
    return true;
}

// Reads a register name: prefix and number, or the prefix with its special letter. False when the word is none.
static bool register_number(const char *word, char prefix, unsigned count, char special, unsigned special_number,
                            unsigned *number) {
    if ((word[0] & ~0x20) != prefix || word[1] == 0) return false;
    if (special != 0 && (word[1] & ~0x20) == special && word[2] == 0) {
        *number = special_number;
        return true;
    }
    unsigned value = 0;
    for (const char *c = word + 1; *c != 0; c++) {
        if (*c < '0' || *c > '9' || c - word > 3 || (c == word + 2 && word[1] == '0')) return false;
        value = 10 * value + (unsigned)(*c - '0');
    }
    *number = value;
    return value < count;
}

static bool vector_register(const char *word, unsigned *number) {
    return register_number(word, 'R', 255, 'Z', ISA_RZ, number);
}

static bool scalar_register(const char *word, unsigned *number) {
    for (unsigned i = 0; i < 256; i++) {
        if (isa_scalar_names[i] == NULL) continue;
        *number = i;
        if (strcasecmp(word, isa_scalar_names[i]) == 0) return true;
    }
    return register_number(word, 'S', 254, 0, 0, number);
}

static bool parse_register(struct cursor *cursor, bool scalar, struct instruction *to, unsigned shift) {
    char word[ASSEMBLER_WORD_MAX], text[32];
    unsigned number;
    cursor_skip_blanks(cursor);
    struct cursor start = *cursor;
    if (!cursor_word(cursor, word) || !(scalar ? scalar_register(word, &number) : vector_register(word, &number))) {
        *cursor = start;
        return cursor_fail(cursor, "expected a register (%s), found %s",
                           scalar ? "S0..S15, EXEC_LO, EXEC_HI" : "R0..R254, RZ", next_text(cursor, text));
    }
    to->word |= (uint64_t)number << shift;
    if (!scalar && number != ISA_RZ && number + 1 > to->registers) to->registers = number + 1;
    return true;
}

static bool parse_predicate(struct cursor *cursor, bool may_negate, struct instruction *to, unsigned shift) {
    char word[ASSEMBLER_WORD_MAX], text[32];
    unsigned number;
    bool negated = may_negate && cursor_take(cursor, '!');
    cursor_skip_blanks(cursor);
    struct cursor start = *cursor;
    if (!cursor_word(cursor, word) || !register_number(word, 'P', 7, 'T', ISA_PT, &number)) {
        *cursor = start;
        return cursor_fail(cursor, "expected a predicate (P0..P6, PT), found %s", next_text(cursor, text));
    }
    to->word |= (uint64_t)(number | (negated ? 8u : 0u)) << shift;
    return true;
}

static bool parse_imm(struct cursor *cursor, int64_t low, int64_t high, const char *what, struct instruction *to) {
    int64_t value = 0;
    if (!cursor_number(cursor, low, high, what, &value)) return false;
    to->word |= (uint64_t)(uint32_t)value << 32;
    return true;
}

// A register, or a number, which makes it the immediate form.
static bool parse_register_or_imm(struct cursor *cursor, bool scalar, struct instruction *to) {
    cursor_skip_blanks(cursor);
    char first = cursor->at < cursor->end ? *cursor->at : 0;
    if (first == '-' || first == '+' || (first >= '0' && first <= '9')) {
        to->word |= IMMEDIATE_BIT;
        return parse_imm(cursor, INT32_MIN, UINT32_MAX, "a 32-bit number", to);
    }
    return parse_register(cursor, scalar, to, 32);
}

// A register, or a number in ext, which RZ in rb stands for.
static bool parse_register_or_ext(struct cursor *cursor, struct instruction *to) {
    int64_t value;
    cursor_skip_blanks(cursor);
    char first = cursor->at < cursor->end ? *cursor->at : 0;
    if (first != '+' && (first < '0' || first > '9')) return parse_register(cursor, false, to, 32);
    if (!cursor_number(cursor, 0, 0xFFFF, "a 16-bit number", &value)) return false;
    to->word |= (uint64_t)ISA_RZ << 32 | (uint64_t)value << 48;
    return true;
}

// Inside brackets: R1, R1 + 4, R1 - 4, or 4 alone (then the register is RZ).
static bool parse_address(struct cursor *cursor, int64_t low, int64_t high, struct instruction *to, int64_t *offset) {
    *offset = 0;
    cursor_skip_blanks(cursor);
    char first = cursor->at < cursor->end ? *cursor->at : 0;
    if (first == '-' || first == '+' || (first >= '0' && first <= '9')) {
        to->word |= (uint64_t)ISA_RZ << 20;
        if (!cursor_number(cursor, low, high, "an offset", offset)) return false;
    } else {
        if (!parse_register(cursor, false, to, 20)) return false;
        bool minus = cursor_take(cursor, '-');
        if (minus || cursor_take(cursor, '+')) {
            int64_t value = 0;
            if (!cursor_number(cursor, minus ? -high : low, minus ? -low : high, "an offset", &value)) return false;
            *offset = minus ? -value : value;
        }
    }
    return cursor_expect(cursor, ']');
}

static bool parse_constant(struct cursor *cursor, struct instruction *to) {
    char word[ASSEMBLER_WORD_MAX], text[32];
    int64_t bank = 0, offset = 0;
    cursor_skip_blanks(cursor);
    struct cursor start = *cursor;
    if (!cursor_word(cursor, word) || strcasecmp(word, "c") != 0) {
        *cursor = start;
        return cursor_fail(cursor, "expected c[bank][offset], found %s", next_text(cursor, text));
    }
    if (!cursor_expect(cursor, '[') || !cursor_number(cursor, 0, 15, "a constant bank", &bank) ||
        !cursor_expect(cursor, ']') || !cursor_expect(cursor, '[') || !parse_address(cursor, 0, 0xFFFF, to, &offset)) {
        return false;
    }
    to->word |= (uint64_t)offset << 32 | (uint64_t)bank << 48;
    return true;
}

static bool parse_special(struct cursor *cursor, struct instruction *to) {
    char word[ASSEMBLER_WORD_MAX], text[32];
    cursor_skip_blanks(cursor);
    struct cursor start = *cursor;
    if (cursor_word(cursor, word) && strncasecmp(word, "SR_", 3) == 0) {
        for (unsigned i = 0; i < 256; i++) {
            if (isa_special_names[i] == NULL || strcasecmp(word + 3, isa_special_names[i]) != 0) continue;
            to->word |= (uint64_t)i << 32;
            return true;
        }
    }
    *cursor = start;
    return cursor_fail(cursor, "expected a special register (SR_TID_X, ..), found %s", next_text(cursor, text));
}

static bool parse_target(struct cursor *cursor, bool absolute, struct instruction *to) {
    char text[32];
    cursor_skip_blanks(cursor);
    char first = cursor->at < cursor->end ? *cursor->at : 0;
    if (absolute && first >= '0' && first <= '9') return parse_imm(cursor, 0, UINT32_MAX, "an instruction index", to);
    if (!absolute && (first == '+' || first == '-')) return parse_imm(cursor, INT32_MIN, INT32_MAX, "a distance", to);
    if ((first >= '0' && first <= '9') || !cursor_word(cursor, to->label)) {
        return cursor_fail(cursor, "expected a label or %s, found %s",
                           absolute ? "an instruction index" : "a distance (+N, -N)", next_text(cursor, text));
    }
    to->has_label = true;
    to->absolute = absolute;
    return true;
}

static bool parse_operand(struct cursor *cursor, enum isa_operand operand, struct instruction *to) {
    int64_t offset;
    switch (operand) {
        case OPERAND_RD: return parse_register(cursor, false, to, 12);
        case OPERAND_RA: return parse_register(cursor, false, to, 20);
        case OPERAND_RB: return parse_register(cursor, false, to, 32);
        case OPERAND_RC:
        case OPERAND_RC_OF_CAS: return parse_register(cursor, false, to, 40);
        case OPERAND_SD: return parse_register(cursor, true, to, 12);
        case OPERAND_SB: return parse_register(cursor, true, to, 32);
        case OPERAND_B: return parse_register_or_imm(cursor, false, to);
        case OPERAND_SB_OR_IMM: return parse_register_or_imm(cursor, true, to);
        case OPERAND_PD: return parse_predicate(cursor, false, to, 12);
        case OPERAND_PA: return parse_predicate(cursor, true, to, 20);
        case OPERAND_PB: return parse_predicate(cursor, true, to, 32);
        case OPERAND_PM: return parse_predicate(cursor, true, to, 28);
        case OPERAND_CARRY: return parse_predicate(cursor, false, to, 28);
        case OPERAND_RB_OR_EXT: return parse_register_or_ext(cursor, to);
        case OPERAND_IMM7: return parse_imm(cursor, 0, 127, "a mask of predicates", to);
        case OPERAND_OPTIONAL_IMM: return parse_imm(cursor, INT32_MIN, UINT32_MAX, "a 32-bit number", to);
        case OPERAND_SPECIAL: return parse_special(cursor, to);
        case OPERAND_CONSTANT: return parse_constant(cursor, to);
        case OPERAND_MEMORY:
            if (!cursor_expect(cursor, '[') || !parse_address(cursor, INT32_MIN, UINT32_MAX, to, &offset)) return false;
            to->word |= (uint64_t)(uint32_t)offset << 32;
            return true;
        case OPERAND_MEMORY_EXT:
            if (!cursor_expect(cursor, '[') || !parse_address(cursor, INT16_MIN, INT16_MAX, to, &offset)) return false;
            to->word |= (uint64_t)(uint16_t)offset << 48;
            return true;
        case OPERAND_RELATIVE:
        case OPERAND_OPTIONAL_RELATIVE: return parse_target(cursor, false, to);
        case OPERAND_ABSOLUTE: return parse_target(cursor, true, to);
    }
    return cursor_fail(cursor, "unknown operand");
}

// The opcode of a mnemonic; of two the register form, whose operand makes it the immediate form if it is a number.
static bool find_opcode(const char *mnemonic, uint32_t *opcode) {
    for (uint32_t i = 0; i < 256; i++) {
        if (isa_table[i].mnemonic != NULL && strcasecmp(isa_table[i].mnemonic, mnemonic) == 0) {
            *opcode = i;
            return true;
        }
    }
    return false;
}

static bool parse_suffix(struct cursor *cursor, const struct isa_syntax *syntax, const char *mnemonic,
                         const char *suffix, struct instruction *to) {
    if (syntax->mods == NULL) {
        return suffix == NULL || cursor_fail(cursor, "%s takes no suffix, found '.%.40s'", mnemonic, suffix);
    }
    if (suffix == NULL) {
        if (syntax->mod_default < 0) {
            return cursor_fail(cursor, "%s needs a suffix (%s.%s, ..)", mnemonic, mnemonic, syntax->mods[0]);
        }
        to->word |= (uint64_t)(unsigned)syntax->mod_default << 28;
        return true;
    }
    for (unsigned i = 0; i < 16; i++) {
        if (syntax->mods[i] == NULL || strcasecmp(suffix, syntax->mods[i]) != 0) continue;
        to->word |= (uint64_t)i << 28;
        const uint32_t opcode = isa_opcode(to->word);
        if (!isa_word_by_word(opcode) || i <= SIZE_32) return true;
        return cursor_fail(cursor, "%s takes 8, 16 or 32 bits: local memory is word by word", mnemonic);
    }
    return cursor_fail(cursor, "%s has no suffix '.%.40s'", mnemonic, suffix);
}

// Wide accesses name the registers behind rd as well.
static void count_wide(struct instruction *to) {
    uint32_t opcode = isa_opcode(to->word);
    enum isa_format format = isa_table[opcode].format;
    if (format != FORMAT_LD && format != FORMAT_ST && format != FORMAT_LDC) return;
    unsigned more = isa_mod(to->word) == SIZE_128 ? 3 : isa_mod(to->word) == SIZE_64 ? 1 : 0;
    unsigned rd = isa_rd(to->word);
    if (rd != ISA_RZ && rd + more + 1 > to->registers) to->registers = rd + more + 1;
}

bool parse_instruction(struct cursor *cursor, struct instruction *to) {
    char word[ASSEMBLER_WORD_MAX], text[32];
    *to = (struct instruction){.word = 0};
    struct instruction guard = {.word = (uint64_t)ISA_PT << 8};
    if (cursor_take(cursor, '@')) {
        guard.word = 0;
        if (!parse_predicate(cursor, true, &guard, 8)) return false;
    }
    if (!cursor_word(cursor, word))
        return cursor_fail(cursor, "expected an instruction, found %s", next_text(cursor, text));
    char *suffix = strchr(word, '.');
    if (suffix != NULL) *suffix++ = 0;
    uint32_t opcode;
    if (!find_opcode(word, &opcode)) return cursor_fail(cursor, "unknown instruction '%.40s'", word);
    const struct isa_syntax *syntax = isa_syntax_of(opcode);
    to->word = opcode | guard.word;
    if (!parse_suffix(cursor, syntax, isa_table[opcode].mnemonic, suffix, to)) return false;
    bool first = true;
    for (const char *operand = syntax->operands; *operand != 0; operand++) {
        enum isa_operand kind = (enum isa_operand) * operand;
        if (kind == OPERAND_RC_OF_CAS && isa_mod(to->word) != ATOM_CAS) continue;
        if ((kind == OPERAND_OPTIONAL_IMM || kind == OPERAND_OPTIONAL_RELATIVE) && cursor_at_end(cursor)) continue;
        if (!first && !cursor_expect(cursor, ',')) return false;
        if (!parse_operand(cursor, kind, to)) return false;
        first = false;
    }
    count_wide(to);
    return cursor_finish(cursor);
}

bool assemble_instruction(const char *line, uint64_t *word, char *error, size_t error_size) {
    struct cursor cursor = {line, line + strlen(line), error, error_size};
    struct instruction instruction;
    if (!parse_instruction(&cursor, &instruction)) return false;
    if (instruction.has_label) return cursor_fail(&cursor, "a label cannot be used here: '%.40s'", instruction.label);
    *word = instruction.word;
    return true;
}
