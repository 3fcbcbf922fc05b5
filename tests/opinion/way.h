// Other ways of compiling the same program: whatever the options, it must compute the same.
#ifndef TANDEM_TESTS_OPINION_WAY_H
#define TANDEM_TESTS_OPINION_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/compiler.h"

struct way {
    struct compiler_options options;  // all but the time limit
    bool no_locks;                    // only for kernels that do not wait for one another: there are no YIELDs
    char text[200];                   // what it is, in words
};

// The way of this number, the same for the same number; never the plain one. target: the configuration to compile for,
// kept as the pointer.
void way_make(uint64_t number, const char *target, struct way *way);

#endif
