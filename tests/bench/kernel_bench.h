// What the parts of build/kernel-bench share: the kernels of the set, and one run of one of them.
#ifndef TANDEM_TESTS_BENCH_KERNEL_BENCH_H
#define TANDEM_TESTS_BENCH_KERNEL_BENCH_H

#include "sm_bench.h"

// What a kernel's useful work is measured by.
enum kernel_floor {
    FLOOR_LANES,  // operations that the result needs, at LANES of an SM each cycle
    FLOOR_PORT,   // bytes that have to come in or go out, whichever are more, at the memory port's width each cycle
    FLOOR_NONE    // cycles alone
};

struct kernel_run {
    struct bench_device device;  // with the program
    const char *kernel;
    uint32_t n;     // of matrices, 0: the usual one
    double useful;  // operations or bytes
    struct bench_figures figures;
};

// tests/bench/hand/<kernel>_<configuration>.s or <kernel>.s is the same by hand, where there is one.
struct kernel_job {
    const char *name;
    const char *file, *kernel;  // OpenCL C, in the project's folder
    enum kernel_floor floor;
    bool (*run)(struct kernel_run *run);  // makes the input, launches, compares
};

extern const struct kernel_job kernel_jobs[];
extern const size_t kernel_job_count;

// Edge of the tiles of one work-item for each element: as large as the register files let groups be.
static inline uint32_t kernel_tile(const struct ppu_config *config) {
    return config->threads == 64 ? 16 : 8;
}
// Work-items of sgemm_blocks in a column.
static inline uint32_t kernel_rows(const struct ppu_config *config) {
    return config->warps < 4 ? 4 : 8;
}

#endif
