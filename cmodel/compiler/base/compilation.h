// What all parts of the compiler share inside the child process: options, diagnostics, memory, the end.
//
// The child serves one compilation and then ends, so nothing is freed piece by piece; whoever cannot go on calls
// compilation_end(), which sends what there is to the parent and ends the process.
#ifndef TANDEM_COMPILER_BASE_COMPILATION_H
#define TANDEM_COMPILER_BASE_COMPILATION_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/compiler.h"

struct text {
    char *data;  // always ends in a 0 once something was added
    size_t size, capacity;
};

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

// A place in the source; line 0: none known.
struct location {
    const char *file;
    unsigned line, column;
};

// Zeroed memory; ends the compilation with a message when there is none.
void *take(size_t count, size_t size);
// Makes room for one more element: returns the array, moved if need be.
void *grow(void *array, size_t count, size_t *capacity, size_t element);

void text_add(struct text *to, const char *data, size_t size);
void text_format(struct text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

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

// clang.c: runs clang over the source; the bitcode is the caller's. Does not return when clang finds errors.
void frontend_run(struct compilation *compilation, void **bitcode, size_t *size);

// bitcode.c: the source is no text but bitcode of LLVM, which some front end has made for this target.
bool bitcode_given(const void *source, size_t size);
// Takes it, in place of frontend_run(). From here on the child is careful with memory: a damaged file may ask for any.
void bitcode_take(struct compilation *compilation, void **bitcode, size_t *size);

// child.c: the compilation from bitcode on: everything the child does. Returns when all is done.
void compilation_run(struct compilation *compilation);

#endif
