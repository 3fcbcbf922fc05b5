// What somebody outside sees of a device at work: counters, and the events of a model that runs alone.
#ifndef TANDEM_BASE_OBSERVER_H
#define TANDEM_BASE_OBSERVER_H

#include <stdint.h>

#include "gen/trace.h"  // struct trace_event: generated from tb/trace_events.tbl

// Counters of work done, since creation.
struct ppu_counters {
    uint64_t warp_instructions;
    uint64_t thread_instructions;      // sum of threads of exec
    uint64_t local_accesses;           // of them LDL and STL
    uint32_t resident, resident_peak;  // warps now, and the most since the last write of WARPS_RESIDENT
    uint64_t tasks, ctas, warps;
    uint64_t gp_entries, methods, semaphores;
    uint64_t memory_requests;
};

typedef void ppu_trace_sink(void *context, const struct trace_event *event);

#endif
