// The three ways to put a stretch of the program into sub-vector order: see ways.c.
#ifndef TANDEM_COMPILER_SEGMENTS_WAYS_H
#define TANDEM_COMPILER_SEGMENTS_WAYS_H

#include "compiler/segments/pressure.h"

// Why such a set, as below, has not one way in and one way out; NULL: it has.
const char *segment_may(struct machine_function *function, const struct pressure *pressure, const bool *set,
                        size_t known, uint32_t entry);
// A set of blocks (known entries; later blocks are outside), entered through `entry` alone. Returns why not, and
// nothing is changed; NULL: done.
const char *segment_place(struct machine_function *function, const struct pressure *pressure, const bool *set,
                          size_t known, uint32_t entry);

#endif
