// What second-opinion can do, and its options.
#ifndef TANDEM_TESTS_OPINION_RUNS_H
#define TANDEM_TESTS_OPINION_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/jobs.h"
#include "common/text_file.h"
#include "compare.h"

struct options {
    const char *device, *out, *cache;
    uint64_t count, seed, jobs, features, tries, batch;
    uint64_t times;   // not 0: processor time is told
    uint64_t errors;  // not 0: so is how far each kernel with a limit is from the other's
    uint64_t ways;    // other ways of compiling each program
    uint64_t way;     // the first of them, 0: each program its own
    char **files;
    int file_count;
};

// All: 0 when all is well, else 1; what is wrong has been told.
int run_random_kernels(const struct options *options);
int run_files(const struct options *options, const char *other);
int run_ways(const struct options *options);

void tell_times(const struct spent *spent);

#endif
