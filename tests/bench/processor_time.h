// Time of this process on a core: a busy machine does not lengthen it.
#ifndef TANDEM_TESTS_BENCH_PROCESSOR_TIME_H
#define TANDEM_TESTS_BENCH_PROCESSOR_TIME_H

#include <time.h>

static inline double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
