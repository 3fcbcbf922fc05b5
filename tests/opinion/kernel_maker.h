// Random OpenCL C kernels whose result the language defines to the last bit.
#ifndef TANDEM_TESTS_KERNEL_MAKER_H
#define TANDEM_TESTS_KERNEL_MAKER_H

#include <stdint.h>

#define KERNEL_MAKER_NAME "random_kernel"
#define KERNEL_MAKER_OUT 32u  // words of `out` that each work-item may write

enum kernel_feature {
    FEATURE_FLOAT = 1,
    FEATURE_WIDE = 2,  // 64-bit integers
    FEATURE_VECTOR = 4,
    FEATURE_LOCAL = 8,     // local memory and barriers
    FEATURE_PRIVATE = 16,  // private arrays and structures
    FEATURE_FUNCTION = 32,
    FEATURE_ALL = 63,
};

// The source of a program with the kernel random_kernel(__global const uint *in, __global uint *out, uint n), for n
// work-items in groups of *local; each reads in[0..n) and writes its KERNEL_MAKER_OUT words of out. The same seed and
// features give the same program. Malloc'ed, the caller frees; NULL when memory is short.
char *kernel_make(uint64_t seed, unsigned features, uint32_t *local);

#endif
