// A timeline of a run, for people: channels, semaphores, tasks, CTAs and warps as tracks of a trace file that Perfetto
// (and chrome://tracing) opens. Made from the trace events, so it is the same for the model, the RTL and both in
// tandem.
#ifndef TANDEM_DRIVER_TIMELINE_H
#define TANDEM_DRIVER_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/config.h"
#include "gen/trace.h"

struct timeline;

// Makes the file (Trace Event Format, JSON). Time is the event's cycle times ns_per_cycle of the configuration; the
// model alone counts steps of its schedule instead of cycles. NULL with one line in message when the file cannot be
// made. The caller owns it: timeline_close().
struct timeline *timeline_open(const char *path, const struct ppu_config *config, char *message, size_t message_size);
// Takes the next event, in the order of the run.
void timeline_event(struct timeline *timeline, const struct trace_event *event);
// Ends what is still open at the last event's time, and the file. False: the file could not be written whole. NULL is
// fine.
bool timeline_close(struct timeline *timeline);

#endif
