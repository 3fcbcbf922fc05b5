// The kernels of the fixed programs, encoded instruction by instruction: a code object that needs neither assembler nor
// compiler, so that a fault of those cannot hide one of the PPU.
#ifndef TANDEM_TESTS_TANDEM_KERNELS_H
#define TANDEM_TESTS_TANDEM_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

// All kernels in one ELF image, malloc'ed: the caller frees *elf. nops (0 to 100): length of a kernel of that name,
// which comes first, so that two images put different code at one address. False with one line in error.
bool kernels_make(unsigned nops, void **elf, size_t *size, char *error, size_t error_size);

#endif
