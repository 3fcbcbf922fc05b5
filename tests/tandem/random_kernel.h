// Random kernels: every built instruction, divergence nested and not, accesses that race. They always end, by
// construction: loops count in registers that nothing else writes.
#ifndef TANDEM_TESTS_TANDEM_RANDOM_KERNEL_H
#define TANDEM_TESTS_TANDEM_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANDOM_WINDOW 1024u  // bytes at "in" that the kernel reads and writes

// The same seed gives the same kernel, named "random", in an ELF image (malloc'ed: the caller frees *elf). False with
// one line in error.
bool random_kernel_make(uint64_t seed, void **elf, size_t *size, char *error, size_t error_size);

#endif
