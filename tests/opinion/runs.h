// The two ways to run second-opinion, and their options.
#ifndef TANDEM_TESTS_OPINION_RUNS_H
#define TANDEM_TESTS_OPINION_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare.h"

#define JOBS_MAX 64u

struct options {
    const char *device, *out, *cache;
    uint64_t count, seed, jobs, features, tries, batch;
    uint64_t times;  // not 0: processor time is told
    char **files;
    int file_count;
};

// Both: 0 when all is well, else 1; what is wrong has been told.
int run_random(const struct options *options);
int run_files(const struct options *options, const char *other);

// Runs job(context, 0) to job(context, jobs - 1), each in a process of its own. True when all return 0.
bool in_processes(uint64_t jobs, int (*job)(void *context, uint64_t number), void *context);

void tell_times(const struct spent *spent);

#endif
