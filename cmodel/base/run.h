// What all units of one device share: its configuration, its time, the generator of its schedule, where its events go.
#ifndef TANDEM_BASE_RUN_H
#define TANDEM_BASE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/observer.h"
#include "gen/config.h"  // struct ppu_config: generated from rtl/configs.tbl

struct run {
    struct ppu_config config;
    ppu_trace_sink *sink;  // NULL: nobody listens
    void *sink_context;
    uint64_t cycles;  // steps done alone; in tandem the cycle of the last event
    uint64_t random;  // state of the schedule's generator
    // Alone: instructions that the warp chosen last may still execute before the schedule chooses again; its SM.
    uint32_t turn, turn_sm;
    bool native;      // alone: turns that nobody looks at go the quick way (sm/native.h)
    unsigned inject;  // the deliberate defect, or 0
    bool signing;     // something counts in the signatures of the SMs
    bool following;   // in tandem, from the first ppu_follow() on: what is computed waits for its event
    bool
        fetches_untold;  // in tandem: no event tells of fetches, each instruction is what memory holds when it is issued
    struct ppu_counters counters;
};

void run_init(struct run *run, const struct ppu_config *config, uint64_t seed);

// Reports an event of the model running alone; no cost when nobody listens. Events PERFORM go through mem_emit().
#define RUN_TRACING(run) ((run)->sink != NULL || (run)->signing)
void run_emit(const struct run *run, const struct trace_event *event);

// The next number of the schedule's generator.
uint64_t run_random(struct run *run);

#endif
