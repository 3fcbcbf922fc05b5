// The compiler: OpenCL C to a code object for the PPU. No global state; compilations may run at the same time in
// several threads.
//
// Everything that uses LLVM happens in a child process of the call, so a fatal error inside LLVM becomes a diagnostic,
// never the end of the application. clang runs as a subprocess of that child.
#ifndef TANDEM_COMPILER_COMPILER_H
#define TANDEM_COMPILER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/options/options.h"
#include "isa/code_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the caller owns after compiler_compile(): compiler_result_free().
struct compiler_result {
    void *elf;        // the code object as an ELF file, NULL when the compilation failed
    size_t elf_size;  // bytes
    char
        *messages;  // diagnostics as text, one or more lines, "" when there are none; never NULL unless memory is short
    char *ir;       // with keep_ir: the LLVM IR that was selected from
    char *report;   // with metadata: what was allowed and what was done, a line each
    char *machine;  // with keep_asm: the machine code before emission, as text, with blocks, registers, tokens
    // A line for each loop of each kernel: "file:line: kernel k, loop of depth n: bounded: why", or "unbounded, YIELD:
    // why". NULL: there is none.
    char *loops;
    // With subvector: a line for each segment of each kernel (segments.h). NULL: there is none.
    char *segments;
    // A line for each function that stays a call, and each that is expanded although it is marked noinline, with the
    // reason. NULL: there is none.
    char *calls;
};

// Compiles one source text (size bytes, need not end in a 0), or the bitcode that LLVM 19 has for such a text (clang
// -target spir), known by its first four bytes. Bitcode that is damaged gives a message, whatever LLVM makes of it.
// name: for messages and the line table, and the folder for #include "..."; not opened. options may be NULL. True:
// result->elf is a code object that holds every kernel of the source; messages may hold warnings. False: messages say
// what is wrong, each with file, line and column where the source has one.
bool compiler_compile(const char *source, size_t size, const char *name, const struct compiler_options *options,
                      struct compiler_result *result);
// The same from a file (at most 64 MiB).
bool compiler_compile_file(const char *path, const struct compiler_options *options, struct compiler_result *result);
void compiler_result_free(struct compiler_result *result);

// The second compile of what a code object keeps (section .tandem.again), for the run-time: compiler_compile_again() of
// options/alias.h.

#ifdef __cplusplus
}
#endif

#endif
