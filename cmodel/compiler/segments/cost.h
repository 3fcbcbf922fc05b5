// Which segments are worth their start and end: see cost.c.
#ifndef TANDEM_COMPILER_SEGMENTS_COST_H
#define TANDEM_COMPILER_SEGMENTS_COST_H

#include "compiler/segments/chains.h"

// Whether segments must save something: they are there for shared rows, and the options do not ask for all.
bool cost_counts(const struct segments *segments);
// In a trial: these blocks would be a group of segments.
void cost_note(struct chooser *c, const bool *set);
// After it: which groups are left alone.
void cost_judge(struct chooser *c);
// Why the group of these blocks is left alone, or NULL.
const char *cost_reason(const struct chooser *c, const bool *set);
bool cost_is_reason(const char *reason);

#endif
