// An assembly program with what it is launched with and what must come out, both told in its comments (README.md has
// the format). Runs on any device of the driver.
#ifndef TANDEM_TESTS_PROGRAMS_PROGRAM_H
#define TANDEM_TESTS_PROGRAMS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/tandem.h"
#include "isa/code_object.h"

#define PROGRAM_ARGUMENTS_MAX 8u
#define PROGRAM_EXPECTS_MAX 16u

struct program_words {
    uint32_t *words;
    size_t count;
};

struct program_argument {
    char name[64];
    bool global;
    uint32_t value;               // of a value argument
    uint32_t local;               // bytes of a pointer to local memory, else 0
    struct program_words buffer;  // what a global argument holds before the launch
};

struct program_expect {
    char name[64];
    uint32_t threads, lanes;  // only for warps of so many threads, for so many lanes; 0: for all
    struct program_words words;
    unsigned line;
};

struct program {
    char path[512];
    struct code_object object;
    uint32_t grid[3], cta[3];
    struct program_argument arguments[PROGRAM_ARGUMENTS_MAX];
    size_t argument_count;
    struct program_expect expects[PROGRAM_EXPECTS_MAX];
    size_t expect_count;
    uint64_t deadline;  // cycles
    bool hangs;         // must not end before the deadline
    char fault[64];     // name of the fault that must come, or empty
    bool has_info, has_pc;
    uint32_t info, pc;           // of the fault; pc: instruction index in the program
    struct program_words *last;  // the list that a line `more` goes on with
    char shows[256];             // requirement IDs
};

// Reads and assembles. path: a file, "file.s", or a variant that it has, "file.s:variant". False: error has one line
// with file and line.
bool program_read(const char *path, struct program *to, char *error, size_t error_size);
void program_free(struct program *program);

// Runs it on the device and compares. False: error has one line that says what differs. *hanging: NULL, or the channel
// of a program that hangs: the device must then be closed, after it this channel.
bool program_run(const struct program *program, struct tandem_device *device, struct tandem_channel **hanging,
                 char *error, size_t error_size);

// Opens the device of that name, runs the program of that path, closes.
bool program_run_file(const char *path, const char *device_name, char *error, size_t error_size);

#endif
