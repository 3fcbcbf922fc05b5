// From places in a function to stretches of the program.
#ifndef TANDEM_COMPILER_OUTPUT_DEBUG_SPANS_H
#define TANDEM_COMPILER_OUTPUT_DEBUG_SPANS_H

#include "compiler/machine/places.h"

// The function has been put into words: block layout[k] begins at word start[layout[k]], the last one ends at `end`.
void debug_spans(const struct machine_function *function, const uint32_t *layout, size_t count, const size_t *start,
                 size_t end);

#endif
