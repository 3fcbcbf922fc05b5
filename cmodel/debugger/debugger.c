// Watching a device until it should stop. After every step of the model all warps are looked at: one that stands before
// an instruction with a breakpoint stops everything, and that instruction has not been executed yet.
#include "debugger/debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debugger_internal.h"
#include "driver/inspect.h"
#include "gen/registers.h"

#define SILENCE_CYCLES 100000u  // in which no warp has executed anything: the RTL's clock goes on for ever

static void look(void *context, uint64_t cycle);

struct debugger *debugger_create(const struct debugger_options *options, char *why, size_t why_size) {
    struct debugger *debugger = calloc(1, sizeof *debugger);
    const struct ppu *ppu = tandem_watch(options->device, NULL, NULL);
    if (debugger != NULL && ppu != NULL) {
        debugger->options = *options;
        debugger->ppu = ppu;
        debugger->config = ppu_get_config(ppu);
        debugger->marks = calloc(options->object->text_words + 1, 1);
        debugger->told = calloc((size_t)debugger->config->sms * debugger->config->warps, sizeof *debugger->told);
        if (debugger->marks != NULL && debugger->told != NULL) {
            (void)tandem_watch(options->device, look, debugger);
            return debugger;
        }
    }
    debugger_destroy(debugger);
    (void)debugger_refuse(why, why_size, "%s",
                          ppu != NULL
                              ? "the host has no memory for the debugger"
                              : "this device has no model to look at; use model: or tandem:, whose model follows "
                                "the same hardware, without checkpoint=FILE");
    return NULL;
}

void debugger_destroy(struct debugger *debugger) {
    if (debugger == NULL) return;
    if (debugger->ppu != NULL) (void)tandem_watch(debugger->options.device, NULL, NULL);
    if (debugger->marks != NULL) debugger_delete_all(debugger);
    free(debugger->marks);
    free(debugger->told);
    free(debugger);
}

const struct ppu *debugger_ppu(const struct debugger *debugger) {
    return debugger->ppu;
}

void debugger_interrupt(struct debugger *debugger) {
    debugger->interrupted = 1;
}

const char *debugger_fault_name(uint32_t code) {
    return fault_name(code);
}

static struct told *told_of(struct debugger *debugger, unsigned sm, unsigned warp) {
    return &debugger->told[sm * debugger->config->warps + warp];
}

// What the warp stands at now is known to the caller.
static void tell(struct debugger *debugger, unsigned sm, unsigned warp) {
    struct warp_place place;
    struct told *told = told_of(debugger, sm, warp);
    *told = (struct told){0};
    if (!ppu_look_place(debugger->ppu, sm, warp, &place)) return;
    *told = (struct told){.valid = true, .serial = place.serial, .pc = place.pc, .fault = place.faulted};
}

static unsigned breakpoint_at(struct debugger *debugger, uint32_t word) {
    for (unsigned n = 0; n < DEBUGGER_BREAKPOINTS_MAX; n++) {
        struct breakpoint *breakpoint = &debugger->breakpoints[n];
        for (size_t i = 0; i < breakpoint->count; i++) {
            if (breakpoint->words[i] != word) continue;
            breakpoint->hits++;
            return n + 1;
        }
    }
    return 0;
}

// True: the warp stops everything where it stands.
static bool warp_stops(struct debugger *debugger, unsigned sm, unsigned warp, struct debugger_stop *stop) {
    struct warp_place place;
    struct told *told = told_of(debugger, sm, warp);
    if (!ppu_look_place(debugger->ppu, sm, warp, &place)) {
        told->valid = false;
        return false;
    }
    if (place.faulted && !(told->valid && told->fault)) {
        *stop = (struct debugger_stop){.event = DEBUGGER_FAULT, .sm = sm, .warp = warp};
        return true;
    }
    if (place.faulted || place.killed || debugger->marked == 0) return false;
    if (place.pc >= debugger->options.object->text_words || debugger->marks[place.pc] == 0) return false;
    if (told->valid && told->serial == place.serial && told->pc == place.pc) return false;
    *stop = (struct debugger_stop){.event = DEBUGGER_BREAKPOINT, .sm = sm, .warp = warp};
    stop->breakpoint = breakpoint_at(debugger, place.pc);
    return true;
}

static bool any_warp(const struct debugger *debugger, unsigned *sm, unsigned *warp) {
    struct warp_place place;
    for (*sm = 0; *sm < debugger->config->sms; ++*sm)
        for (*warp = 0; *warp < debugger->config->warps; ++*warp)
            if (ppu_look_place(debugger->ppu, *sm, *warp, &place)) return true;
    return false;
}

static bool anything_stops(struct debugger *debugger, struct debugger_stop *stop) {
    for (unsigned sm = 0; sm < debugger->config->sms; sm++)
        for (unsigned warp = 0; warp < debugger->config->warps; warp++)
            if (warp_stops(debugger, sm, warp, stop)) return true;
    return false;
}

static uint64_t instructions(const struct debugger *debugger) {
    struct ppu_counters counters;
    ppu_get_counters(debugger->ppu, &counters);
    return counters.warp_instructions;
}

static bool reached(struct debugger *debugger, struct debugger_stop *stop) {
    struct aim *aim = &debugger->aim;
    struct warp_place now;
    if (aim->goal == DEBUGGER_CONTINUE) return false;
    stop->event = DEBUGGER_STEPPED;
    if (aim->waits) return any_warp(debugger, &stop->sm, &stop->warp);
    if (!ppu_look_place(debugger->ppu, aim->who.sm, aim->who.warp, &now)) {
        stop->event = DEBUGGER_WARP_ENDED;
        return true;
    }
    if (now.serial == aim->place.serial && now.pc == aim->place.pc) return false;
    const bool active = (aim->place.active >> aim->who.thread & 1u) != 0;
    aim->place = now;
    if (aim->goal == DEBUGGER_THREAD) return active;
    if (aim->goal == DEBUGGER_INSTRUCTION) return true;
    const uint32_t line = debugger_line(debugger, 8 * now.pc);
    return line != 0 && line != aim->line;
}

// Nothing is executed any more, though the clock goes on.
static bool silent(struct debugger *debugger, uint64_t cycle) {
    struct aim *aim = &debugger->aim;
    unsigned sm, warp;
    if (cycle - aim->quiet_from < SILENCE_CYCLES) return false;
    const uint64_t now = instructions(debugger);
    const bool stands = now == aim->quiet_instructions && any_warp(debugger, &sm, &warp);
    aim->quiet_from = cycle;
    aim->quiet_instructions = now;
    return stands;
}

// The watcher of the device.
static void look(void *context, uint64_t cycle) {
    struct debugger *debugger = context;
    struct aim *aim = &debugger->aim;
    if (aim->goal == DEBUGGER_LEAVE) return;
    if (!aim->begun) {
        aim->begun = true;
        aim->from = aim->quiet_from = cycle;
        aim->quiet_instructions = instructions(debugger);
    }
    struct debugger_stop stop = {.sm = aim->who.sm, .warp = aim->who.warp};
    bool stops = anything_stops(debugger, &stop) || reached(debugger, &stop);
    if (!stops && debugger->interrupted) {
        stop.event = DEBUGGER_INTERRUPTED;
        stops = true;
    } else if (!stops && cycle - aim->from >= aim->most) {
        stop.event = DEBUGGER_LIMIT;
        stops = true;
    } else if (!stops && silent(debugger, cycle)) {
        stop.event = DEBUGGER_STANDS;
        stops = true;
    }
    if (!stops) return;
    stop.cycles = cycle - aim->from;
    debugger->interrupted = 0;
    tell(debugger, stop.sm, stop.warp);
    debugger->options.stopped(debugger->options.context, &stop);
    // What has been chosen goes on from here.
    aim->begun = true;
    aim->from = aim->quiet_from = cycle;
    aim->quiet_instructions = instructions(debugger);
}

void debugger_go(struct debugger *debugger, enum debugger_goal goal, const struct debugger_thread *who,
                 uint64_t cycles) {
    unsigned sm, warp;
    struct aim *aim = &debugger->aim;
    *aim = (struct aim){.goal = goal, .who = *who, .most = cycles, .waits = !any_warp(debugger, &sm, &warp)};
    if (ppu_look_place(debugger->ppu, who->sm, who->warp, &aim->place))
        aim->line = debugger_line(debugger, 8 * aim->place.pc);
    tell(debugger, who->sm, who->warp);
    if (goal == DEBUGGER_LEAVE) tandem_interrupt(debugger->options.device);
}
