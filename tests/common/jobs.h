// Several processes that share some work: for programs that run very many cases, each of which may break down.
#ifndef TANDEM_TESTS_JOBS_H
#define TANDEM_TESTS_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOBS_MAX 64u

// One thing to do: the number of the job, 0 to jobs - 1, tells it which part of the work is its own. Returns 0 when all
// is well; it becomes the exit status of a process.
typedef int job_function(void *context, uint64_t job);
// A job's process has ended by a signal.
typedef void job_died(void *context, uint64_t job, int signal);

// Runs job(context, 0) to job(context, jobs - 1), at most JOBS_MAX, each in a process of its own, and waits for all of
// them. died may be NULL. True when all have returned 0. What they tell one another is in memory of jobs_memory().
bool jobs_run(uint64_t jobs, job_function *job, job_died *died, void *context);

// `count` elements of `size` bytes, all zero, that the processes started later share with this one. NULL when there is
// no memory. The caller gives it back with jobs_memory_free() and the same sizes.
void *jobs_memory(size_t count, size_t size);
void jobs_memory_free(void *memory, size_t count, size_t size);

#endif
