// What all parts of the compiler share inside the child process: options, diagnostics, the pipe to the parent, the end.
//
// The child serves one compilation; whoever cannot go on calls compilation_end(), which sends what there is to the
// parent and ends the process.
#ifndef TANDEM_COMPILER_BASE_COMPILATION_H
#define TANDEM_COMPILER_BASE_COMPILATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/memory.h"
#include "compiler/base/text.h"
#include "compiler/options/options.h"

struct compilation {
    const struct compiler_options *options;
    const char *name;  // of the source
    const char *source;
    size_t source_size;
    int to_parent;  // pipe
    struct text messages;
    struct text loops;   // for the result: each loop's verdict, a line each
    struct text calls;   // the same: which functions stay calls
    struct text report;  // of second_compile.c
    unsigned errors;
    const char *stage;  // what is being done, for the message when it goes wrong
};

// NULL: threads take no turns.
static inline const struct alias_turns *turns_of(const struct compilation *compilation) {
    return compilation->options->metadata != NULL ? compilation->options->metadata->turns : NULL;
}

// A place in the source; line 0: none known.
struct location {
    const char *file;
    unsigned line, column;
};

// One line "file:line:column: error: ..." each. After 20 errors the compilation ends.
void report_error(struct compilation *compilation, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_warning(struct compilation *compilation, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// For errors that leave nothing to go on with.
_Noreturn void report_fatal(struct compilation *compilation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Frames of the pipe to the parent: a byte that says what, four bytes of length, the data.
enum frame {
    FRAME_MESSAGES = 'm',
    FRAME_ELF = 'e',
    FRAME_IR = 'i',
    FRAME_MACHINE = 'a',
    FRAME_LOOPS = 'l',
    FRAME_SEGMENTS = 's',
    FRAME_CALLS = 'c',
    FRAME_REPORT = 'r',
    FRAME_END = '.'
};
bool send_frame(int to, enum frame kind, const void *data, size_t size);
// Sends the messages and ends the process.
_Noreturn void compilation_end(struct compilation *compilation);

#endif
