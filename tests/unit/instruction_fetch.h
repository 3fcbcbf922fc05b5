// For tests in which a device follows the events of the model alone: that one has no instruction cache and tells of no
// fetches, so here are the fetches that an RTL would have made.
#ifndef TESTS_UNIT_INSTRUCTION_FETCH_H
#define TESTS_UNIT_INSTRUCTION_FETCH_H

#include "ppu_internal.h"

// Before event: the line of its instruction is fetched, when it has one, in the space of each channel. region: of all
// programs.
static inline void fetch_before(struct ppu *ppu, const struct trace_event *event, uint32_t region) {
    if (event->kind != TRACE_INSTR && event->kind != TRACE_WARP_FAULT) return;
    const uint32_t pc = event->kind == TRACE_INSTR ? event->instr.pc : event->warp_fault.pc;
    for (uint32_t channel = 0; channel < 2; channel++) {
        const struct trace_event fetch = {.kind = TRACE_PERFORM,
                                          .perform = {.port = MEM_PORT_SM + 2 * event->sm,
                                                      .channel = channel,
                                                      .addr = (region + 8 * pc) & ~(LINE_BYTES - 1u)}};
        struct trace_event model;
        char why[256];
        (void)ppu_follow(ppu, &fetch, &model, why, sizeof why);  // a line of no running program is refused
    }
}

#endif
