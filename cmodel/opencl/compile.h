// One call of the compiler, with what it is given and what it makes.
#ifndef TANDEM_OPENCL_COMPILE_H
#define TANDEM_OPENCL_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/options/options.h"
#include "opencl/build_options.h"

struct compile_input {
    const void *source;  // OpenCL C, or bitcode
    size_t size;
    const struct compiler_bitcode *more;  // further parts of the program
    size_t more_count;
    bool full_profile;
    const char *config;  // the device's configuration, which says how many registers a thread can have; NULL: none
    bool front_only;     // bitcode is made, in the place of a code object
    struct build_options *options;
};

struct compiled {
    void *code;  // the caller's, malloc'ed
    size_t size;
    char *log;  // the caller's; may be NULL
};

// False: it failed, the log says why.
bool compile(const struct compile_input *input, struct compiled *to);

#endif
