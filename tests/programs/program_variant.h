// Variants of a program: the same file with instructions left out or exchanged (README.md has the format).
#ifndef TANDEM_TESTS_PROGRAMS_PROGRAM_VARIANT_H
#define TANDEM_TESTS_PROGRAMS_PROGRAM_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#define PROGRAM_VARIANTS_MAX 8u
#define PROGRAM_VARIANT_NAME_MAX 32u

// A line `variant NAME: ..`, what stands behind the word `variant`.
struct program_variant {
    char name[PROGRAM_VARIANT_NAME_MAX];
    char put[64];   // what is put in place of the mnemonic; empty: the instruction is left out
    char from[64];  // mnemonics, with a blank behind each
};

// False: the line is none.
bool program_variant_parse(const char *line, struct program_variant *to);

// The names of a file's variants, in its order; *count of them. False: it cannot be read, or has a malformed line
// `variant`, or too many.
bool program_variants(const char *path, char names[PROGRAM_VARIANTS_MAX][PROGRAM_VARIANT_NAME_MAX], size_t *count);

// Changes the instructions in `text` (a whole file) as the variant says; lines stay where they are. Returns the new
// text, which the caller frees, or NULL when memory is short. *changed: how many instructions.
char *program_variant_apply(const struct program_variant *variant, const char *text, unsigned *changed);

#endif
