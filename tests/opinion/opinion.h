// OpenCL C programs, built and run by Tandem and by another implementation (PoCL), for comparing what kernels write.
#ifndef TANDEM_TESTS_OPINION_H
#define TANDEM_TESTS_OPINION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A kernel with the arguments (__global const T *in, __global T *out, uint n) and perhaps a fourth, a pointer to local
// memory; in and out may point to any type.
struct opinion_job {
    const char *name;  // of the kernel
    uint32_t dimensions, global[3], local[3];
    uint32_t local_bytes;  // that the fourth argument points to, 0: there are three
    const uint32_t *in;
    size_t in_words;
    uint32_t *out;  // zeroed before, read back after
    size_t out_words;
    uint32_t n;
};

// A program that Tandem's compiler has made (an ELF code object), on a fresh device of the driver (model:small, ..).
// False: error says what failed.
bool tandem_opinion(const void *elf, size_t elf_size, const char *device, const struct opinion_job *job, char *error,
                    size_t error_size);

struct other;  // the other implementation's device
// NULL with one line in error when there is none on this machine. The caller owns it: other_close().
struct other *other_open(char *error, size_t error_size);
const char *other_name(const struct other *other);
struct other_program;
// Compiles; NULL with the messages in error. The caller owns it: other_free(), before the device is closed.
struct other_program *other_build(struct other *other, const char *text, const char *options, char *error,
                                  size_t error_size);
bool other_run(struct other_program *program, const struct opinion_job *job, char *error, size_t error_size);
void other_free(struct other_program *program);
void other_close(struct other *other);

#endif
