// libtandem-model: the golden model of the PPU as a library of its own. No driver, no compiler, no RTL.
//
// A device is made from the name of a configuration. It runs alone (tandem_model_step and its kin), or it follows what
// another implementation of the same device has committed, event by event, and says whether that was right
// (tandem_model_follow and its kin). Many devices may live in one process; two threads may use two devices, but not one
// of them at a time.
//
// Stability: what this header says holds for all releases with the same TANDEM_MODEL_MAJOR. Structs that the caller
// gives begin with their size, so that they may grow at their end; the caller sets it. Events and their fields are
// asked for by name: numbers of kinds and places of fields are those of this release (README.md).
#ifndef TANDEM_MODEL_H
#define TANDEM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TANDEM_MODEL_MAJOR 1
#define TANDEM_MODEL_MINOR 2

// MAJOR * 65536 + MINOR of the library that the program runs with.
uint32_t tandem_model_version(void);
// Changes when events, their fields or their widths do: the table's fingerprint, as files of events have it.
uint32_t tandem_model_events_version(void);

typedef enum tandem_model_status {
    TANDEM_MODEL_OK = 0,
    TANDEM_MODEL_INVALID = 1,    // an argument that cannot be
    TANDEM_MODEL_NO_MEMORY = 2,  // of the host
    TANDEM_MODEL_STATE = 3,      // not now: the device follows, or does not, or has found a difference
    TANDEM_MODEL_DIFFERS = 4,    // the other implementation and the model differ; it stays so
    TANDEM_MODEL_FILE = 5,       // a file cannot be read or written, or is not what it should be
    TANDEM_MODEL_IDLE = 6        // nothing can go on until registers or memory are written
} tandem_model_status;

typedef struct tandem_model tandem_model;

// ---- devices
// Names of the configurations ("nano", "small", ..), NULL past the last one.
const char *tandem_model_config_name(unsigned number);

// Memory of the caller's: either all its bytes, or two functions that are called for ranges inside of it. It must
// outlive the device. The functions must not call the device.
typedef struct tandem_model_memory {
    uint32_t size;  // sizeof(tandem_model_memory)
    uint8_t *bytes;
    void *context;
    void (*read)(void *context, uint64_t address, void *to, size_t bytes);
    void (*write)(void *context, uint64_t address, const void *from, size_t bytes);
} tandem_model_memory;

typedef struct tandem_model_options {
    uint32_t size;                      // sizeof(tandem_model_options)
    const char *config;                 // name
    uint64_t memory_bytes;              // multiple of 4096, at most 4 GiB - 4096; 0: 64 MiB
    uint64_t seed;                      // of the schedule of a device that runs alone
    const tandem_model_memory *memory;  // NULL: the device has its own, zeroed
} tandem_model_options;

// In its reset state. On failure *model is NULL and message (may be NULL) has one line. The caller owns the device.
tandem_model_status tandem_model_create(const tandem_model_options *options, tandem_model **model, char *message,
                                        size_t message_size);
void tandem_model_destroy(tandem_model *model);  // NULL is allowed
// One line about the last call on the device that did not return OK or IDLE; "" before there was one. The device's.
const char *tandem_model_message(const tandem_model *model);
// What the device is: "threads", "lanes", "warps", "sms", "channels", "memory_bytes", .., as rtl/configs.tbl names them.
tandem_model_status tandem_model_property(const tandem_model *model, const char *name, uint64_t *value);

// ---- what the CPU does
// Memory by physical address. A device that follows takes a write as one that was done to both.
tandem_model_status tandem_model_memory_read(tandem_model *model, uint64_t address, void *to, size_t bytes);
tandem_model_status tandem_model_memory_write(tandem_model *model, uint64_t address, const void *from, size_t bytes);
// Registers, by the numbers of the header that is installed beside this one; offset: a multiple of 4 below 1 MiB. A hole reads 0. Writing is refused while
// the device follows: there it comes by an event REG_WRITE.
tandem_model_status tandem_model_register_read(tandem_model *model, uint32_t offset, uint32_t *value);
tandem_model_status tandem_model_register_write(tandem_model *model, uint32_t offset, uint32_t value);
int tandem_model_interrupt(const tandem_model *model);  // 1: the interrupt line is high

// ---- events
#define TANDEM_MODEL_EVENT_WORDS 64
typedef struct tandem_model_event {
    uint32_t kind;                             // tandem_model_kind("INSTR")
    uint32_t sm;                               // of the SM, 0 for events of other units
    uint64_t cycle;                            // when; not compared
    uint32_t words[TANDEM_MODEL_EVENT_WORDS];  // the fields, each in as many words as its bits need, the lowest first
} tandem_model_event;

typedef struct tandem_model_field {
    uint32_t size;     // sizeof(tandem_model_field)
    const char *name;  // the library's
    uint32_t word;     // where it begins
    uint32_t bits;     // lanes as 32 of them
    uint32_t choice;   // 1: a decision that the model takes after a check that it is legal; 0: compared
} tandem_model_field;

#define TANDEM_MODEL_NO_KIND UINT32_MAX
uint32_t tandem_model_kind(const char *name);       // TANDEM_MODEL_NO_KIND: there is none
const char *tandem_model_kind_name(uint32_t kind);  // NULL: there is none; kinds are numbered from 0
unsigned tandem_model_field_count(uint32_t kind);
tandem_model_status tandem_model_field_of(uint32_t kind, unsigned number, tandem_model_field *field);
// A field of at most 64 bits by its name. INVALID: there is none, it is wider, or the value does not fit.
tandem_model_status tandem_model_event_get(const tandem_model_event *event, const char *field, uint64_t *value);
tandem_model_status tandem_model_event_set(tandem_model_event *event, const char *field, uint64_t value);
// The line of text of an event, as the files of traces have it; returns its whole length.
size_t tandem_model_event_print(const tandem_model_event *event, char *to, size_t bytes);
tandem_model_status tandem_model_event_parse(const char *line, tandem_model_event *event, char *message,
                                             size_t message_size);

// ---- running alone
// Where events go; NULL: nowhere, which is faster. The function must not call the device.
typedef void tandem_model_listener(void *context, const tandem_model_event *event);
tandem_model_status tandem_model_listen(tandem_model *model, tandem_model_listener *listener, void *context);
// Up to so many steps, each about one instruction of one warp; *done (may be NULL): those done. IDLE: fewer than asked.
tandem_model_status tandem_model_step(tandem_model *model, uint64_t steps, uint64_t *done);
// Until nothing can go on. OK: most steps have been done, and it goes on; IDLE: it came to rest.
tandem_model_status tandem_model_run_until_idle(tandem_model *model, uint64_t most, uint64_t *done);
// Until after the step in which an event of this kind happens; OK: *event is the first of them. IDLE: it came to rest
// before; STATE: most steps have been done.
tandem_model_status tandem_model_run_until_event(tandem_model *model, uint32_t kind, uint64_t most,
                                                 tandem_model_event *event);

// ---- following
typedef struct tandem_model_follow_options {
    uint32_t size;          // sizeof(tandem_model_follow_options)
    const char *name;       // of the other implementation, for reports; NULL: none
    const char *replay;     // the command that repeats the run, for reports; NULL: none
    uint64_t quiet_cycles;  // silence after which everything must have been told; 0: 20000
    uint32_t no_fetches;    // 1: no events tell what an instruction cache reads; an instruction is what memory holds
} tandem_model_follow_options;

// From now on the device follows, from where it stands: in its reset state, after it has run alone, or as a checkpoint
// has it. NULL: all as 0.
tandem_model_status tandem_model_follow_begin(tandem_model *model, const tandem_model_follow_options *options);
// The next event that the other implementation has committed, in the order of time, within a cycle in the order of
// kinds. OK: it is what the model computed. DIFFERS: it is not, or was not legal; later events are not looked at.
tandem_model_status tandem_model_follow(tandem_model *model, const tandem_model_event *event);
// The other implementation has come to the end of this cycle; tell now and then, so that silence is noticed.
tandem_model_status tandem_model_follow_cycle(tandem_model *model, uint64_t cycle);
// It has had its time to tell all. DIFFERS: something that the model computed was never told.
tandem_model_status tandem_model_follow_end(tandem_model *model);
// The other implementation's memory: is it the model's? As it stands after the last event.
tandem_model_status tandem_model_follow_memory(tandem_model *model, uint64_t address, const void *theirs, size_t bytes);
uint64_t tandem_model_followed(const tandem_model *model);  // events found equal

typedef struct tandem_model_difference {
    uint32_t size;        // sizeof(tandem_model_difference)
    const char *verdict;  // "differs", "illegal", "missing", "stuck", "memory"; the library's
    int32_t about_event;  // 1: of an event, which follows
    uint64_t number;      // of the event, from 0
    const char *field;    // that differs; NULL: none, the event was not legal
    tandem_model_event theirs, model;
} tandem_model_difference;
// STATE: there is none. tandem_model_message() has it in one line.
tandem_model_status tandem_model_difference_of(const tandem_model *model, tandem_model_difference *difference);
// The whole report (both sides, the last 64 events, all warps and channels of the model, the replay line) to a file.
tandem_model_status tandem_model_report(tandem_model *model, const char *path);

// ---- checkpoints (since 1.1)
// The whole device in a file: memory, registers, warps, tasks, its schedule. Between two calls, alone or following.
tandem_model_status tandem_model_save(tandem_model *model, const char *path);
// The device of a file: it goes on as the one that was saved would have. memory: as in the options, NULL: its own; all of
// it is written. One that was following goes on after tandem_model_follow_begin(). FILE with one line in message: no
// checkpoint, cut off, damaged, or of another release (tandem_model_save writes its structs as they are).
tandem_model_status tandem_model_load(const char *path, const tandem_model_memory *memory, tandem_model **model,
                                      char *message, size_t message_size);

// ---- files of events
typedef struct tandem_model_check_options {
    uint32_t size;          // sizeof(tandem_model_check_options)
    const char *config;     // name; NULL: as the file says
    uint64_t memory_bytes;  // 0: as the file says, else 64 MiB
    const char *replay;     // for the report; NULL: none
    uint32_t running;       // 1: the file may end in the middle of the run
    uint32_t report;        // 1: a difference is reported as devices tandem: do, in tandem-mismatch-PID-N.txt
} tandem_model_check_options;

typedef struct tandem_model_check_result {
    uint32_t size;    // sizeof(tandem_model_check_result)
    uint64_t events;  // found equal
    uint64_t bytes;   // of memory found equal
    uint64_t cycle;   // of the last event
} tandem_model_check_result;

// Checks the file of a trace, text or binary, from its first event to the first difference or its end. OK: all of it is
// right. DIFFERS: message has the difference in one line. FILE: it cannot be read, is damaged, cut off or foreign.
// options and result may be NULL.
tandem_model_status tandem_model_check_file(const char *path, const tandem_model_check_options *options,
                                            tandem_model_check_result *result, char *message, size_t message_size);

// ---- a unit alone (since 1.2)
// The token deque of one warp, for whoever builds only that.
typedef struct tandem_model_deque tandem_model_deque;
typedef struct tandem_model_move {
    uint32_t size;       // sizeof(tandem_model_move)
    uint32_t full;       // 1: a bound is in the way, nothing was done
    uint32_t op;         // as event TOKEN has it: a merge has become 4 (merged) or 1 (pushed at the back)
    uint64_t low, high;  // the token, as event TOKEN has it
} tandem_model_move;
// threads: 32 or 64; entries: a power of two from 2 to 65536. The caller owns it.
tandem_model_status tandem_model_deque_create(uint32_t threads, uint32_t entries, tandem_model_deque **deque);
void tandem_model_deque_destroy(tandem_model_deque *deque);
// op: 0 push at the front (not of kind YIELD), 1 push at the back, 2 pop and use, 3 pop and throw away, 4 merge with the
// yield token of the address, wherever it stands, or push at the back, 5 reset (move is all 0). INVALID: the deque is
// empty, a push at the back of an address that a yield token has already (no machine does that: it merges), or an
// operation, kind, mask or address that cannot be; nothing was done.
tandem_model_status tandem_model_deque_do(tandem_model_deque *deque, uint32_t op, uint32_t kind, uint64_t mask,
                                          uint32_t address, tandem_model_move *move);
// The front token as event TOKEN would have it. IDLE: it is empty.
tandem_model_status tandem_model_deque_front(const tandem_model_deque *deque, uint64_t *low, uint64_t *high);

// ---- state
// The state of a warp or a channel in words, several lines; at most bytes with the final 0.
void tandem_model_describe_warp(const tandem_model *model, unsigned sm, unsigned warp, char *to, size_t bytes);
void tandem_model_describe_channel(const tandem_model *model, unsigned channel, char *to, size_t bytes);
// Work done: "steps", "warp_instructions", "thread_instructions", "tasks", "ctas", "warps", "gp_entries", "methods",
// "semaphores", "memory_requests".
tandem_model_status tandem_model_counter(const tandem_model *model, const char *name, uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif
