// The same OpenCL C kernel, run by Tandem and by another implementation (PoCL), for comparing what they write.
#ifndef TANDEM_TESTS_OPINION_H
#define TANDEM_TESTS_OPINION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/compiler.h"

// A kernel with the arguments (__global const uint *in, __global uint *out, uint n); in and out may point to any type.
struct opinion_job {
    const char *text, *name;  // source of the program, name of the kernel
    uint32_t global, local;   // work-items, of a work-group
    const uint32_t *in;
    size_t in_words;
    uint32_t *out;  // zeroed before, read back after
    size_t out_words;
    uint32_t n;
};

enum opinion_result {
    OPINION_RAN,
    OPINION_REFUSED,  // the source does not compile; error has the messages
    OPINION_FAILED,   // it compiled, but a call failed or the kernel faulted
};

// On a device of the driver (model:small, tandem:nano, ..).
enum opinion_result tandem_opinion(const struct opinion_job *job, const char *device,
                                   const struct compiler_options *options, char *error, size_t error_size);

struct other;  // the other implementation's device
// NULL with one line in error when there is none on this machine. The caller owns it: other_close().
struct other *other_open(char *error, size_t error_size);
const char *other_name(const struct other *other);
enum opinion_result other_opinion(struct other *other, const struct opinion_job *job, const char *build_options,
                                  char *error, size_t error_size);
void other_close(struct other *other);

#endif
