// What a caller asks of a compilation: plain data, no LLVM.
#ifndef TANDEM_COMPILER_OPTIONS_OPTIONS_H
#define TANDEM_COMPILER_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/options/alias.h"
#include "compiler/options/subvector.h"
#include "compiler/options/yield.h"

// Which functions stay calls; the others are expanded where they are called.
enum compiler_calls {
    COMPILER_CALLS_AUTO,   // those marked noinline, and those whose expansion would make a kernel much longer
    COMPILER_CALLS_NEVER,  // none
    COMPILER_CALLS_ALWAYS  // all that can
};

// Bitcode of LLVM 19, as front_only makes it.
struct compiler_bitcode {
    const void *data;
    size_t size;  // bytes
};

// Zero-initialize, then set what differs: all-zero means the defaults.
struct compiler_options {
    const char
        *clang_options;  // clBuildProgram's options ("-DX=1 -I dir -cl-std=CL1.2"), split at white space; NULL: none
    const char *const *arguments;  // further options for clang, one each, NULL-terminated; NULL: none
    const char *clang;             // the front end's executable; NULL: clang-19, found on PATH
    const char *libclc;            // path of the math library's bitcode; NULL: where Debian has it
    unsigned time_limit;           // seconds of processor time, the front end's with it, until it is given up; 0: 60
    unsigned register_limit;  // vector registers that a kernel may use, 1 to 255; further values go to memory; 0: 255
    bool keep_ir, keep_asm;   // fill in ir / asm of the result
    bool no_tokens;           // leave reconvergence out (slow; for measuring and for tests)
    bool no_yields;           // no YIELD in loops without a bound (those of the device library keep theirs)
    struct yield_options yield;           // of loops that ask for none by tandem_yield() and the like
    bool yields_everywhere;               // a YIELD in bounded loops too (for measuring what it costs)
    bool front_only;                      // the result is LLVM bitcode, in the place of the code object
    const struct compiler_bitcode *more;  // further parts of the program, linked with the first; NULL: none
    size_t more_count;
    enum compiler_calls calls;
    bool without_kernels;  // a program without a kernel is none the worse for it
    bool once;             // the code object keeps nothing for a second compile (with metadata it never does)
    // Facts about the arguments, NULL: none. The code is right only for launches of which they are true.
    const struct alias_metadata *metadata;
    // The CTAs of its kernels can step aside (isa/save_handler.h): the text begins with the handler, which has the first
    // bytes of local memory. Not together with shared rows.
    bool saves;
    struct subvector_options subvector;  // which parts run in sub-vector order; all-zero: none
};

#endif
