// Between the two halves of the assembler: a cursor on a line, and the parsing of one instruction.
#ifndef TANDEM_ISA_ASSEMBLER_INTERNAL_H
#define TANDEM_ISA_ASSEMBLER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASSEMBLER_WORD_MAX 256u  // longest name, with the final 0

struct cursor {
    const char *at, *end;  // of the line, without its comment
    char *error;           // what is wrong, without file and line
    size_t error_size;
};

bool cursor_fail(struct cursor *cursor, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cursor_skip_blanks(struct cursor *cursor);
bool cursor_at_end(struct cursor *cursor);
// Takes the character if it is the next one that is not blank.
bool cursor_take(struct cursor *cursor, char wanted);
bool cursor_expect(struct cursor *cursor, char wanted);
// Takes letters, digits, _ . and $; false with no message when there are none, with one when there are too many.
bool cursor_word(struct cursor *cursor, char word[ASSEMBLER_WORD_MAX]);
// Takes a number, decimal or 0x.., with - or + before it, within low..high; what: its name in messages.
bool cursor_number(struct cursor *cursor, int64_t low, int64_t high, const char *what, int64_t *value);
bool cursor_finish(struct cursor *cursor);  // nothing may be left

// An instruction whose target is a label that must be put in later.
struct instruction {
    uint64_t word;
    bool has_label, absolute;
    char label[ASSEMBLER_WORD_MAX];
    unsigned registers;  // vector registers it needs: 1 + the highest that it names
};

// Guard, mnemonic and operands, up to the end of the line.
bool parse_instruction(struct cursor *cursor, struct instruction *to);

#endif
