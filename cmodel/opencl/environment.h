// What the environment says, read once for the process.
#ifndef TANDEM_OPENCL_ENVIRONMENT_H
#define TANDEM_OPENCL_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A number of the environment, decimal; `otherwise` when it is not there. What is no number is told once and ignored.
uint64_t environment_number(const char *name, uint64_t otherwise);
// NULL: not there, or empty.
const char *environment_text(const char *name);
// Whether the word stands in TANDEM_LOG, between commas, blanks or its ends.
bool environment_logs(const char *word);

// A line to standard error, when TANDEM_LOG has "opencl" or always.
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tell_user(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The name under which the device number `index` of the process is opened: with the keys that the environment adds
// (TANDEM_TIMELINE, TANDEM_TRACE, TANDEM_WAVE; mem= and space= unless it is a board). False: too long.
bool environment_device_name(const char *name, unsigned index, char *to, size_t size);

#endif
