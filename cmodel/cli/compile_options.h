// The options that say how OpenCL C is compiled: the same for every command that takes a source.
#ifndef TANDEM_CLI_COMPILE_OPTIONS_H
#define TANDEM_CLI_COMPILE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli.h"
#include "compiler/options/subvector.h"
#include "compiler/options/yield.h"

struct compile_options {
    uint64_t registers;   // most vector registers of a thread, 0: the command's default
    uint64_t time_limit;  // seconds of processor time for a compilation, 0: the compiler's default
    bool no_yields;       // no YIELD in any loop
    struct yield_options yield;
    bool once;           // nothing is kept for a second compile
    bool saves;          // CTAs can step aside
    bool tell_loops;     // print which loops are bounded, which functions stay calls
    bool tell_segments;  // print the report of segments in sub-vector order
    int calls;           // enum compiler_calls
    struct subvector_options subvector;
    const char **front;  // clBuildProgram's options, NULL-terminated: compile_options_free()
    size_t front_count;
};

// Takes argv[*i] (and its value, with which *i then stands) when it is such an option; *taken says whether. EXIT_OK, or
// another exit code after a complaint.
int compile_option(const struct command *command, int argc, char **argv, int *i, struct compile_options *options,
                   bool *taken);
void compile_options_free(struct compile_options *options);
void compile_options_help(FILE *to);

// Compiles a file; its messages go to standard error, what was asked for (tell_*, dump: "ir", "machine" or NULL) to
// standard output. *elf is the caller's. False after a complaint.
bool compile_file(const char *command, const char *path, const struct compile_options *options, const char *dump,
                  void **elf, size_t *size);

#endif
