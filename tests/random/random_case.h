// One random program on one device, and making a failing one small.
#ifndef TANDEM_TESTS_RANDOM_CASE_H
#define TANDEM_TESTS_RANDOM_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random_case {
    const char *device;  // a device name; the case's seed is appended to it as the seed of schedule and memory timing
    uint64_t seed;       // also of the buffer's contents
    const char *text;    // assembly; its kernel is "random", with one global argument
    uint32_t grid, cta;
    uint64_t deadline;  // cycles
};

enum random_verdict {
    RANDOM_GOOD,       // ended, perhaps by a fault of its channel
    RANDOM_MISMATCH,   // model and RTL differ
    RANDOM_HANGS,      // no end before the deadline
    RANDOM_BROKEN,     // it could not be assembled, loaded or launched: the program is not a legal one
    RANDOM_NO_DEVICE,  // the device could not be opened: nothing is said of the program
};
// The name of the device that a case runs on: the case's seed of schedule and memory timing, and little memory, are
// appended to the given one.
void random_case_device(const struct random_case *c, char *name, size_t name_size);
const char *random_verdict_name(enum random_verdict verdict);

// memory: NULL, or RANDOM_PROGRAM_BUFFER bytes that get what the program left in its buffer (zero when it did not run).
// error: one line on everything but RANDOM_GOOD.
enum random_verdict random_case_run(const struct random_case *c, uint32_t *memory, char *error, size_t error_size);

// The smallest program found, by leaving out lines, that still gets the verdict of the whole one (which must not be
// RANDOM_GOOD). Labels are left out last. tries: at most so many runs. The text returned is malloc'ed, the caller frees
// it; NULL when memory is short.
char *random_case_shrink(const struct random_case *c, enum random_verdict verdict, unsigned tries);
// Lines of the text that are instructions.
unsigned random_case_instructions(const char *text);

#endif
