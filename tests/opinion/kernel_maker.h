// Random OpenCL C kernels whose result the language defines to the last bit.
#ifndef TANDEM_TESTS_KERNEL_MAKER_H
#define TANDEM_TESTS_KERNEL_MAKER_H

#include <stddef.h>
#include <stdint.h>

#define KERNEL_MAKER_OUT 32u  // words of `out` that each work-item may write

enum kernel_feature {
    FEATURE_FLOAT = 1,
    FEATURE_WIDE = 2,  // 64-bit integers
    FEATURE_VECTOR = 4,
    FEATURE_LOCAL = 8,     // local memory: exchanges, atomics, locks; barriers
    FEATURE_PRIVATE = 16,  // private arrays
    FEATURE_FUNCTION = 32,
    FEATURE_STRUCT = 64,
    FEATURE_UNBOUNDED = 128,  // loops whose end the compiler cannot foresee
    FEATURE_ALL = 255,
};

struct made {
    char name[32];   // of the kernel: random_<seed>
    uint32_t local;  // work-items of a group
};

// The source of a program with one kernel (__global const uint *in, __global uint *out, uint n) for each seed, for any
// number of groups; each work-item reads in[0..n) and writes its KERNEL_MAKER_OUT words of out. A kernel does not
// depend on the others of its program: the same seed and features give the same text. Malloc'ed, the caller frees; NULL
// when memory is short.
char *kernel_program(const uint64_t *seeds, size_t count, unsigned features, struct made *made);

#endif
