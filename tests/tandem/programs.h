// The fixed programs of the tandem tests: small, and together they use every built instruction, every kind of event,
// both channels, faults. They run through the driver on any backend and check their results where order does not
// matter.
#ifndef TANDEM_TESTS_TANDEM_PROGRAMS_H
#define TANDEM_TESTS_TANDEM_PROGRAMS_H

#include "driver/tandem.h"

// Returns TANDEM_OK, or the status of the first call that failed, or TANDEM_BAD_CODE when a result is wrong; why has
// one line.
typedef enum tandem_status fixed_program(struct tandem_device *device, char *why, size_t why_size);

struct named_program {
    const char *name;
    fixed_program *run;
};
extern const struct named_program fixed_programs[];
extern const size_t fixed_program_count;

// One of them, which brings its own assembly.
enum tandem_status program_steps_aside(struct tandem_device *device, char *why, size_t why_size);

// Opens the device, runs all the programs on it (or the one of that name; NULL: all) and closes it.
enum tandem_status fixed_programs_run(const char *device_name, const char *only, char *why, size_t why_size);

#endif
