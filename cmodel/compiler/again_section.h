// What a code object keeps, in its section .tandem.again, so that the program can be compiled once more: the bitcode as
// the front end made it, and the options that the back end looks at.
#ifndef TANDEM_COMPILER_AGAIN_SECTION_H
#define TANDEM_COMPILER_AGAIN_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/options/options.h"

struct again_section {
    struct compiler_options options;
    char target[16];  // of options.subvector, which points to it once again_section_read() is done
    char *name;       // of the source
    const void *bitcode;
    size_t bitcode_size;
};

// The section's bytes, which the caller frees. NULL: memory is short.
void *again_section_make(const struct compiler_options *options, const char *name, const void *bitcode,
                         size_t bitcode_size, size_t *size);
// False: these bytes are no such section. to->bitcode lies inside the bytes; to->name is the caller's, free().
bool again_section_read(const void *bytes, size_t size, struct again_section *to);

#endif
