// A recorded run (backend/recording.h) gone over again from its checkpoint, without the program.
#ifndef TANDEM_DRIVER_RESUME_H
#define TANDEM_DRIVER_RESUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct resume_options {
    bool rtl_alone;                       // of a run of tandem: its RTL, which nobody checks
    const char *wave, *trace, *timeline;  // files to be written, or NULL
    uint64_t until;                       // cycle in which it stops, UINT64_MAX: where the record ends
    uint64_t beyond;                      // cycles that it goes on there
    const char *command;                  // that is doing this, for the report of a mismatch, or NULL
};

enum resume_status {
    RESUME_DONE,
    RESUME_FILE,     // it is no recorded run, of another release, or damaged; nothing or not all was done
    RESUME_OPTIONS,  // the device does not take them
    RESUME_FAILED,   // the device has failed: it differs from the model, or broke its rules
    RESUME_DIFFERS,  // it answers another way than it did: the run cannot be gone over
};

struct resume_result {
    char device[512];    // as the program named it
    uint64_t from, to;   // cycles
    uint64_t calls;      // of the CPU, done again
    bool cut_off;        // the program did not close the device: it had ended before
    char message[1024];  // one line, unless DONE
};

enum resume_status resume(const char *path, const struct resume_options *options, struct resume_result *result);

#endif
