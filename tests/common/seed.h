// The seed of a random test that was given none: what TANDEM_SEED says (scripts/run-tests sets it), else a fresh one.
// Whoever takes it prints it. And how many times as long a random test runs: TANDEM_LAPS, for `make long`. C17 and C++11.
#ifndef TANDEM_TESTS_SEED_H
#define TANDEM_TESTS_SEED_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t seed_from_environment(void) {
    const char *given = getenv("TANDEM_SEED");
    if (given != NULL && given[0] != '\0') return strtoull(given, NULL, 0);
    return (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
}

// TANDEM_LAPS times as many as usual.
static inline unsigned laps_from_environment(unsigned usual) {
    const char *times = getenv("TANDEM_LAPS");
    return usual * (times != NULL ? (unsigned)strtoul(times, NULL, 10) : 1u);
}

#endif
