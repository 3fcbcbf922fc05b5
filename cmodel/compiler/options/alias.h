// What is known about the arguments of one launch, for a second compile that holds for launches like it only. Plain
// data, no LLVM: the run-time makes it (driver/regions.c), the compiler uses it (again/facts.c).
#ifndef TANDEM_COMPILER_OPTIONS_ALIAS_H
#define TANDEM_COMPILER_OPTIONS_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum alias_relation {
    ALIAS_UNKNOWN,  // nothing is known: no metadata
    ALIAS_SAME,     // exactly the same region: no metadata
    ALIAS_APART,    // no byte of one region is in the other
    ALIAS_OVERLAP,  // some bytes are shared
};

enum { ALIAS_ARGUMENTS_MAX = 32 };  // arguments of higher index get no facts

// Two pointer arguments of a kernel, by index, first < second.
struct alias_pair {
    uint32_t first, second;
    enum alias_relation relation;
    // ALIAS_OVERLAP: value of the second pointer less that of the first, in bytes, modulo 2^32.
    uint32_t distance;
};

// A work-group of more items than threads: each thread is several items, one after the other ("turns"). Or of as many,
// when only the registers of the first compile are too many. Item t * resident
// + thread of the group, in the order of local linear ids, is what the thread does at turn t.
struct alias_turns {
    uint32_t local[3];   // the launch's local size; its product is at least `resident`
    uint32_t resident;   // threads of a group, in x: whole warps, or as many as items
    uint32_t registers;  // vector registers that let so many threads be resident
};

struct alias_metadata {
    const char *kernel;  // the facts are about this kernel; others of the program are compiled as ever
    const struct alias_pair *pairs;
    size_t pair_count;
    // Of each pointer argument's value, in bytes: 2, 4, 8 or 16 when it is a multiple of that; 0 or 1: nothing is
    // known.
    uint8_t alignment[ALIAS_ARGUMENTS_MAX];
    // Of launches of this local size: then there are no other facts, and the code object has this kernel alone. NULL: each
    // thread is one item, and the launches are whole ranges, whose work-groups have one size.
    const struct alias_turns *turns;
};

// What a compile hands over; the receiver frees both with free().
struct alias_compiled {
    void *elf;        // the code object, NULL: it failed
    size_t elf_size;  // bytes
    char *text;       // messages when it failed, else the report; may be NULL
};
// Compiles a program once more, for launches of which the metadata is true (NULL: for all launches). program: what its
// code object keeps for that, section .tandem.again. How the run-time calls a compiler without standing on one. False:
// failed.
typedef bool alias_compile(void *context, const void *program, size_t size, const struct alias_metadata *metadata,
                           struct alias_compiled *result);
// The compiler's own (compiler/compiler.h); context is not looked at.
alias_compile compiler_compile_again;

#ifdef __cplusplus
}
#endif

#endif
