// The standard streams of a program: closed ones do not become files of its own, and what could not be written is told.
#ifndef TANDEM_CLI_STREAMS_H
#define TANDEM_CLI_STREAMS_H

#include <stdbool.h>

// First of all: a stream that is closed gets a place that takes nothing, so that no file gets its number.
void streams_begin(void);
// Last of all. False after a line on standard error (`program` in front): standard output could not be written whole.
bool streams_end(const char *program);

#endif
