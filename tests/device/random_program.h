// Random assembly programs that end: arithmetic, predicates, memory of all sizes, atomics, constants, nested ifs and
// loops with several exits, calls, sub-vector sequences, early exits, barriers, YIELD, now and then a fault. What they
// compute means nothing; two devices must compute the same.
#ifndef TANDEM_TESTS_RANDOM_PROGRAM_H
#define TANDEM_TESTS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define RANDOM_PROGRAM_BUFFER 8192u  // bytes of the argument `data`

struct random_program {
    char *text;  // malloc'ed, the caller frees
    uint32_t grid, cta;
};

// The same seed gives the same program. threads: the most that a CTA may have.
void random_program_make(uint64_t seed, uint32_t threads, struct random_program *to);

// The same without races: each thread reads and writes only what is its own (registers, 16 bytes of `data`), so the
// memory afterwards does not depend on any order. threads: at most 128.
void random_program_make_free(uint64_t seed, uint32_t threads, struct random_program *to);

// The program of one of the two above (own: of the second) with TRAPs here and there, whose handler (trap_handler.h)
// changes nothing but time and local memory behind the program's own.
void random_program_make_trapped(uint64_t seed, uint32_t threads, bool own, struct random_program *to);

// The program of random_program_make_free() with the handler in front of it: its CTAs can step aside (`.saves`).
void random_program_make_saving(uint64_t seed, uint32_t threads, struct random_program *to);

#endif
