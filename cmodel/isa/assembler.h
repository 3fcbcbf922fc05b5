// The assembler: text to a code object. The language is described in README.md beside this file.
#ifndef TANDEM_ISA_ASSEMBLER_H
#define TANDEM_ISA_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>

#include "code_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// source: text of `size` bytes (need not end with 0). name: of the file, for messages and the line table. On success
// the caller owns *to: code_object_free(). On the first error: false, *to is empty, and error has one line "name:line:
// what".
bool assemble(const char *source, size_t size, const char *name, struct code_object *to, char *error,
              size_t error_size);
bool assemble_file(const char *path, struct code_object *to, char *error, size_t error_size);

// One instruction, in the syntax of a line without label; labels cannot be used as operands. For tests and tools.
bool assemble_instruction(const char *line, uint64_t *word, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
