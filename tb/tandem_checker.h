// The tandem check: the RTL leads, the model follows. Every event of the RTL goes to ppu_follow(); what the model
// computes is compared; what the model computed and the RTL never showed is missed at the next idle point; the memories
// are compared. The checker stops at the first difference and writes a report. It knows nothing of Verilator: whoever
// has events can check them.
#ifndef TANDEM_TB_TANDEM_CHECKER_H
#define TANDEM_TB_TANDEM_CHECKER_H

#include <stdio.h>

#include "ppu.h"

struct image;
struct tandem_checker;

struct tandem_checker_options {
    struct ppu *model;      // in its reset state, like the RTL; the caller's, outlives the checker
    const char *device;     // the device name as the user gave it, for the report; copied
    uint64_t seed;          // for the report
    const char *replay;     // a command that repeats the run, for the report; NULL: TANDEM_REPLAY or the device; copied
    uint64_t first_cycle;   // of the run from here on: what was before is no silence
    uint64_t quiet_cycles;  // silence of the RTL after which everything must have been told; 0: TANDEM_QUIET_CYCLES
    // The RTL's memory as it stands, ppu_mem_size(model) bytes; called only while no atomic holds a line open. NULL:
    // not compared.
    const uint8_t *(*rtl_memory)(void *context);
    // Writes what the RTL's own debug registers say (text, for the report); may be NULL.
    void (*describe_rtl)(void *context, FILE *to);
    void *context;
};

#define TANDEM_QUIET_CYCLES 20000u
#define TANDEM_HISTORY 64u  // events that a report shows

enum tandem_verdict {
    VERDICT_AGREED,
    VERDICT_DIFFERS,  // a field of an event differs
    VERDICT_ILLEGAL,  // the RTL did what the model says is not allowed now
    VERDICT_MISSING,  // the model computed something that the RTL never showed
    VERDICT_STUCK,    // the RTL is silent while work is outstanding
    VERDICT_MEMORY,   // the memories differ
    VERDICT_BROKEN,   // the RTL broke a rule of its own (an assertion) or of its bus
};

// NULL when memory is short. The caller owns it.
struct tandem_checker *tandem_checker_create(const struct tandem_checker_options *options);
void tandem_checker_destroy(struct tandem_checker *self);

// An event of the RTL, in the order of the contract. False: there is a verdict (now or before); later events are
// ignored.
bool tandem_checker_event(struct tandem_checker *self, const struct trace_event *event);

// Tells that the RTL has come to the end of `cycle`; call it now and then, between cycles and with no atomic holding a
// line open. When the RTL has made no headway for quiet_cycles: idle point (all told? memory alike?) or stuck. False:
// there is a verdict.
bool tandem_checker_cycle(struct tandem_checker *self, uint64_t cycle);

// True when the model waits for nothing more from the RTL.
bool tandem_checker_told_all(const struct tandem_checker *self);
// The RTL has had its time to tell all (the device is being closed after a silence): is anything missing? False: there
// is a verdict.
bool tandem_checker_idle(struct tandem_checker *self);

// The RTL (or whoever watches its bus) says that a rule is broken: a verdict with this text.
void tandem_checker_broken(struct tandem_checker *self, const char *what);

// The CPU's side. Reading compares what the RTL's memory gave (bytes of [addr, addr + size)) with the model's; writing
// performs the write in the model. False: there is a verdict, or the range is not inside.
bool tandem_checker_cpu_read(struct tandem_checker *self, uint64_t addr, const void *rtl, size_t size);
bool tandem_checker_cpu_write(struct tandem_checker *self, uint64_t addr, const void *from, size_t size);
// Compares the pages written since the last call; all: the whole memory. False: there is a verdict.
bool tandem_checker_compare_memory(struct tandem_checker *self, bool all);

enum tandem_verdict tandem_checker_verdict(const struct tandem_checker *self);
const char *tandem_verdict_name(enum tandem_verdict verdict);

// Once there is a verdict, between cycles: writes the report (once) to tandem-mismatch-<pid>-<n>.txt in the folder that
// the environment variable TANDEM_REPORTS names, or the current one. Calls describe_rtl, which may clock the RTL: its
// events are ignored.
void tandem_checker_report(struct tandem_checker *self);
// NULL while all is well; else one line that says what differed and, after tandem_checker_report(), where the report
// is.
const char *tandem_checker_failed(const struct tandem_checker *self);

// The report, to a file of the caller's, as often as wanted; nothing while all is well.
void tandem_checker_write_report(struct tandem_checker *self, FILE *to);

// What the verdict is about: the event of both sides, and the first field that differs. The model's is zeroed when it
// has none.
struct tandem_difference {
    struct trace_event rtl, model;
    int field;        // -1: no field of an event
    uint64_t number;  // of the event, from 0
};
// False: the verdict is not about an event.
bool tandem_checker_difference(const struct tandem_checker *self, struct tandem_difference *to);

// For a checkpoint (base/image.h), while there is no verdict; the model is not of it.
void tandem_checker_image(struct tandem_checker *self, struct image *image);

uint64_t tandem_checker_compared(const struct tandem_checker *self);  // events handed over and found equal
uint64_t tandem_checker_compared_of(const struct tandem_checker *self, enum trace_kind kind);

#endif
