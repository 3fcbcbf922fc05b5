// The state of an SM, shared by the files of this folder; nobody outside reads it.
//
// The model executes an instruction whole when it is issued. What the RTL shows later, piece by piece (write-backs,
// tokens, memory requests, the end or the fault of the warp), is noted in struct due; in tandem each event crosses off
// its piece, alone everything is emitted at once. In tandem a warp goes on while results of lanes and memory are due;
// its older instructions are then kept (in_flight.c).
#ifndef TANDEM_SM_INTERNAL_H
#define TANDEM_SM_INTERNAL_H

#include "decode.h"
#include "execute.h"
#include "gen/isa.h"
#include "gen/registers.h"
#include "native.h"
#include "sm/backoff.h"
#include "sm/divergence_unit.h"
#include "sm/scalar_unit.h"
#include "sm/scoreboard.h"
#include "sm/shared_memory.h"
#include "sm/signature.h"
#include "sm/sm.h"
#include "sm/subvector.h"
#include "sm/token_mover.h"
#include "sm/trap.h"
#include "sm/warp_scheduler.h"

#define WARPS_MAX 64u
#define TOKEN_PLACES_MAX 65536u         // of a warp's queue
#define PROGRAM_COUNTER_MASK 0x3FFFFFu  // 22 bits
#define DECODE_ENTRIES 1024u
#define LAUNCHES_MAX 8u
#define REGISTERS_PER_ACCESS_MAX 4u
#define REGISTERS_MAX 255u
#define IN_FLIGHT_MAX 24u  // instructions of a warp: the RTL counts 15, results of some more may be on their way

struct due {
    uint64_t exec;  // of the instruction
    uint64_t
        shared;  // of a generic access: those of its threads that shared memory has served, whose results come first
    bool clock;  // the result of S2R CLOCK_*: a time, taken from the RTL
    uint32_t rd;
    uint32_t registers;                     // that the instruction writes, rd on
    uint64_t wb[REGISTERS_PER_ACCESS_MAX];  // of register rd + i: threads whose write-back is due
    uint64_t pwb[8];                        // of predicate p: threads whose write-back is due
    bool order;                             // SVSTART: which order, then the rest of it
    uint64_t word;                          // of the SVSTART
    bool swb, swb_pair;                     // the write of scalar register swb_rd (and swb_rd + 1) is due
    uint32_t swb_rd;
    uint32_t swb_trap;  // what it is, of a register of a trap
    uint32_t token;     // the first of divergence.moves that is due
    uint32_t tokens;
    bool end;
    bool hold;
    bool fault;
    bool memory;  // of a memory instruction: the warp may go on before its fault
    uint32_t fault_code, fault_info;
    uint64_t fault_order;  // in tandem, of the request that faulted: of several the first handed over counts
};

// The memory instruction that a warp is at.
struct access {
    struct decoded decoded;
    uint64_t pending;    // threads that are in no request yet
    uint64_t in_flight;  // threads whose request has been handed over, not performed
    uint64_t failed;     // threads whose request was answered with a fault
    uint32_t address[WARP_THREADS_MAX];
    uint32_t region;       // that the loads count in (subvector.h), or SUBVECTOR_NONE
    const uint32_t *kept;  // its operands, when later instructions have been issued: in_flight.kept; else NULL
};

// An instruction that is not the warp's last one.
struct in_flight {
    uint32_t pc, serial;
    struct due due;
    struct access access;
    uint32_t kept[6 * WARP_THREADS_MAX];  // [row][thread]: rd to rd + 3, rb, rc
};

// Of a warp's last LAUNCH.
struct children {
    uint64_t left;     // threads whose child is not launched yet
    bool wait;         // the warp waits for their end
    uint32_t running;  // children that it waits for
    uint32_t number[WARP_THREADS_MAX];
};

// Where a program stands: of which channel, from which byte on, how many.
struct program {
    uint32_t channel, base, size;
};

struct warp {
    bool running;     // from WARP_START to WARP_END
    bool faulted;     // executes nothing more
    bool at_barrier;  // waits in BAR
    bool held;        // its token deque stands at a bound: software moves the tokens
    bool resume;      // its CTA comes back: it enters a trap before anything else
    uint32_t slot, cta, index;
    uint32_t pc;        // of the next instruction
    uint32_t instr_pc;  // of the last one
    uint64_t
        fetched_since;      // what the cache has held since then may be the next one: fetch_cache.time of the last one,
                            // or of the one before it, if the next one may be fetched before that is issued
    uint64_t fetched_last;  // fetch_cache.time of the last one
    struct program program;  // that of its task, kept when it has ended
    uint32_t row, rows;
    bool shares;             // it has shared rows
    uint32_t privates;       // registers below this are private, the others are shared by the portions
    uint32_t *registers;     // [register][thread], its part of sm.register_file
    uint64_t predicates[8];  // masks of threads
    struct scalar_unit scalar_unit;
    struct divergence divergence;
    struct due due;
    struct access access;
    struct children children;
    uint32_t serial;  // of the last instruction, to tell whose an answer is
    uint32_t older_count;
    struct in_flight *older[IN_FLIGHT_MAX];  // oldest first, then places that are free
};

struct cta {
    bool busy;
    uint32_t slot, x, y, z;
    uint32_t warps;  // that it has in all
    uint32_t started, ended;
    uint32_t waiting;                   // in BAR
    bool left;                          // a warp of it has ended by TLEAVE
    uint32_t record;                    // CTA_RECORD
    uint32_t shared_base, shared_room;  // its shared memory: whole rows, in bytes
};

// A CTA taken whose warps have not all started.
struct cta_launch {
    uint32_t slot, x, y, z;
    uint32_t warps, started;
    bool shares;   // its warps get shared rows
    bool resumed;  // it comes back
    uint32_t cta;  // from its first WARP_START on
};

// A request handed to the memory unit.
struct flight {
    struct mem_note note;  // whose it is
    bool counted;          // a load's, issued in a sub-vector region
    uint64_t with;         // note.order of the read of its line that it has joined, and is performed with; 0: none
    struct mem_request request;
};

// A read that was performed by the level 1 cache, and the one to memory that may still have to be answered for it.
#define JOINED 64u  // more than the requests that can be handed over while one of them is under way
struct joined {
    uint64_t with;  // note.order of that one; 0: none
    uint32_t addr;
    struct mem_note note;
};

#define FAILED_LINES 32u
struct failed_line {
    uint32_t channel, addr;
    bool valid;
};

// In tandem: a line of the RTL's instruction cache.
#define FETCH_GONE 64u  // lines remembered that have left it: more than can leave it while an instruction is on its way
#define FETCH_WORDS (FETCH_GONE + 1u)
#define FETCH_HELD UINT64_MAX
#define FETCH_READS 2u  // lines that are read at once
struct fetch_line {
    bool valid;
    uint32_t channel, addr;
    uint64_t until;  // when it left, by fetch_cache.time; FETCH_HELD: it is there
    uint8_t bytes[LINE_BYTES];
};
struct fetch_cache {
    uint64_t time;  // lines fetched and invalidations
    uint32_t lines;
    struct fetch_line *held;  // by address, a place each
    struct fetch_line gone[FETCH_GONE];
    uint32_t gone_next;
    // The ones of gone whose places the lines take that may be on their way, that of the later one first; FETCH_GONE: none.
    uint32_t leaving[FETCH_READS];
};

struct sm {
    struct run *run;
    struct mem *mem;
    struct sm_wires wires;
    unsigned number;
    const struct ppu_config *config;  // of the run
    uint32_t portions;
    uint64_t all_threads;
    struct warp *warps;  // config->warps of them
    struct cta *ctas;    // as many: a CTA has at least one warp
    struct cta_launch launches[LAUNCHES_MAX];
    uint32_t launch_count;
    struct flight *flights;  // oldest first
    uint32_t flight_count, flight_room;
    uint64_t requests;  // in tandem: handed over so far
    struct joined joined[JOINED];
    uint32_t joined_next;
    // In tandem: program lines that the memory answered with errors and no warp has faulted for; free: channel
    // UINT32_MAX.
    struct failed_line failed_lines[FAILED_LINES];
    uint32_t failed_next;
    struct fetch_cache fetch_cache;  // in tandem
    struct warp_scheduler scheduler;
    struct backoff backoff;
    uint32_t issued;               // instructions, since reset
    struct scoreboard scoreboard;  // in tandem
    struct subvector subvector;
    struct signature signature;
    uint64_t ready;                  // warps that can issue
    uint64_t held;                   // running warps that cannot: at a barrier, held or faulted
    struct token_mover token_mover;  // in tandem
    struct trap trap;
    uint32_t *register_file;    // REGISTERS_MAX registers of all threads for each warp
    uint8_t *shared_memory;     // config->shared_bytes
    struct shared_turns turns;  // of it, since reset
    struct decoded *decoded;    // DECODE_ENTRIES, by program counter; an entry is right while its word is
    native_function *native;    // the quick way on this machine
};

static inline bool sm_records(const struct sm *sm) {  // somebody wants every event
    return sm->run->following || RUN_TRACING(sm->run);
}
static inline const struct task_slot *sm_slot(const struct sm *sm, uint32_t slot) {
    return sm->wires.slot[slot];
}
static inline const struct task_slot *warp_slot(const struct sm *sm, const struct warp *warp) {
    return sm_slot(sm, warp->slot);
}
static inline uint64_t portion_mask(const struct sm *sm, uint32_t portion) {
    const uint64_t lanes = sm->config->lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << sm->config->lanes) - 1;
    return lanes << (portion * sm->config->lanes);
}

// ---- fetch.c ----
// The words that may stand at the warp's program counter: alone the one in memory, in tandem those that the cache held
// since the warp's last instruction, the newest first. 0: the warp faults with *code, *info; FAULT_NONE: not fetched yet.
unsigned fetch(const struct sm *sm, const struct warp *warp, uint64_t words[FETCH_WORDS], uint32_t *code,
               uint32_t *info);
// Memory would refuse the line now, with *code, *info.
bool fetch_refused(const struct sm *sm, const struct warp *warp, uint32_t *code, uint32_t *info);
bool fetch_init(struct fetch_cache *cache, uint32_t lines);  // of zeros; false: no memory
void fetch_free(struct fetch_cache *cache);
void fetch_fill(struct fetch_cache *cache, const struct mem *mem, uint32_t channel, uint32_t addr);  // read now
void fetch_failed(struct fetch_cache *cache, uint32_t channel, uint32_t addr);  // the read was answered with an error
void fetch_invalidate(struct fetch_cache *cache);
// A write was answered with an error: memory is as it was before it.
void fetch_restored(struct fetch_cache *cache, const struct mem *mem, const struct mem_record *record);
// A line that the fetch unit may read now: part of the program of a running warp. The channel it belongs to in
// *channel.
bool fetch_line_legal(const struct sm *sm, uint32_t addr, uint32_t *channel);

// ---- register_file.c ----
bool register_file_is_free(const struct sm *sm, uint32_t row, uint32_t rows);
bool register_file_find(const struct sm *sm, uint32_t rows, uint32_t *row);  // the lowest place that is free
uint32_t register_file_room(const struct sm *sm, uint32_t rows);             // how many pieces of so many rows are free
void register_file_give(struct sm *sm, struct warp *warp, uint32_t row, uint32_t rows, uint32_t registers);  // zeroed
// These registers have been written for these threads: of shared ones every portion sees the same.
void register_file_share(const struct sm *sm, const struct warp *warp, uint32_t first, uint32_t count,
                         uint64_t threads);

// ---- cta_launcher.c ----
// Starts the next warp of the oldest launch; event: filled in unless NULL.
void cta_launcher_start(struct sm *sm, uint32_t warp, uint32_t cta, uint32_t row, uint32_t shared,
                        struct trace_event *event);
uint32_t cta_launcher_rows(const struct sm *sm, uint32_t slot, bool shares);  // of a warp of the task
// Frees it, and the CTA after its last one. killed: its task was stopped; else, if it is in a trap, it leaves.
void cta_launcher_warp_ended(struct sm *sm, uint32_t warp, bool killed);
// R2S to a register that is the CTA's: CTA_RECORD, CTA_X, CTA_YZ.
void cta_launcher_write(struct cta *cta, uint32_t number, uint32_t value);

// ---- shared_memory.c ----
// What a CTA of the task takes of the shared memory: its size in whole rows, in bytes.
uint32_t shared_memory_need(const struct sm *sm, uint32_t slot);
bool shared_memory_is_free(const struct sm *sm, uint32_t base, uint32_t bytes);  // and inside, and begins with a row
bool shared_memory_find(const struct sm *sm, uint32_t bytes, uint32_t *base);    // the lowest place that is free
void shared_memory_give(struct sm *sm, struct cta *cta, uint32_t base, uint32_t bytes);  // cleared
// The whole instruction. False: *code, *info of the fault, and nothing has been done.
bool shared_memory_execute(struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec, uint32_t *code,
                           uint32_t *info);

// ---- barrier.c ----
void barrier_arrive(struct sm *sm, uint32_t warp);
bool barrier_complete(const struct cta *cta);  // all warps that have not ended wait
void barrier_release(struct sm *sm, uint32_t cta);

// ---- child_launch.c ----
void child_launch_begin(const struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec);
// Launches the child of the lowest thread left; event: filled in. False: none is left, or the task unit has no room.
bool child_launch_next(struct sm *sm, uint32_t warp, struct trace_event *event);

// ---- load_store.c ----
// Addresses and checks of the memory instruction d; of a generic one, due.shared: threads whose address is in shared
// memory, for which nothing is begun. False: *code, *info of the fault.
bool load_store_begin(const struct sm *sm, struct warp *warp, const struct decoded *d, uint64_t exec, uint32_t *code,
                      uint32_t *info);
// The threads of the next request when portions go in ascending order.
uint64_t load_store_next(const struct sm *sm, const struct warp *warp);
// Hands over the request of these pending threads, which are of one portion and one line (atomic: one thread).
void load_store_request(const struct sm *sm, struct warp *warp, uint64_t threads, struct mem_request *request);
// The answer: registers are written, what is due is noted.
void load_store_answer(const struct sm *sm, struct warp *warp, uint64_t threads, const struct mem_request *request,
                       const struct mem_response *response, unsigned inject);
uint32_t load_store_line(const struct warp *warp,
                         unsigned thread);  // address of a thread's request: its line, or word of an atomic

// Where byte `offset` of a thread's local memory lies in the channel's space.
uint32_t load_store_local(const struct sm *sm, const struct task_slot *slot, uint32_t warp, uint32_t thread,
                          uint32_t offset);

// ---- load_store_fast.c ----
// Performs the whole instruction at once, with the result of one request after the other. False and nothing done: some
// thread is outside the space, so that the order of requests matters.
bool load_store_all(const struct sm *sm, struct warp *warp);

// ---- issue.c ----
// What the next instruction of the warp is, which is this word. False: it faults with *code, *info before it is issued.
bool issue_look(struct sm *sm, const struct warp *warp, uint64_t word, const struct decoded **d, uint32_t *code,
                uint32_t *info);
uint64_t issue_exec(const struct warp *warp, const struct decoded *d);
// A BRA.NTH that all active threads take, executed as the YIELD.NTH in front of its label.
bool issue_branch_yields(const struct warp *warp, const struct decoded *d, uint64_t exec);
// A YIELD, or such a branch, that does no more than count, or nothing.
bool issue_only_counts(const struct warp *warp, const struct decoded *d, uint64_t exec);
// Executes it and notes what is due; memory instructions are only begun.
void issue_execute(struct sm *sm, uint32_t warp, const struct decoded *d, uint64_t exec);
// SVSTART goes on; event: SV_MODE, filled in.
void issue_order(struct sm *sm, uint32_t warp, struct trace_event *event);
void warp_fault(struct sm *sm, uint32_t warp, uint32_t code, uint32_t info, uint32_t pc);
void warp_update_ready(struct sm *sm, uint32_t warp);
void issue_write_trap(struct sm *sm, uint32_t number, uint32_t reg, uint32_t value);  // R2S to a register of a trap
// A TRAP, while a warp is in one. That of a part of the warp does not wait: it faults.
bool issue_trap_waits(const struct sm *sm, const struct warp *warp, const struct decoded *d, uint64_t exec);
bool warp_killed(const struct sm *sm, const struct warp *warp);  // its task is being stopped

// ---- warp_stop.c ----
bool warp_stops(const struct sm *sm, const struct warp *warp);     // it has to enter a trap, and does nothing before
bool warp_can_stop(const struct sm *sm, const struct warp *warp);  // .. which it can now
void warp_stop(struct sm *sm, uint32_t warp, struct trace_event *event);  // does; event: filled in unless NULL

// ---- special.c ----
void special_value(const struct sm *sm, const struct warp *warp, uint32_t number, uint32_t *result);

// ---- in_flight.c ----
bool in_flight_init(struct warp *warp);  // false: no memory
void in_flight_free(struct warp *warp);
// Before the next instruction is issued: keeps the last one if anything of it is due. False: too many.
bool in_flight_keep(struct warp *warp);
typedef bool in_flight_test(const struct in_flight *older, const void *what);
struct in_flight *in_flight_find(const struct warp *warp, in_flight_test *test,
                                 const void *what);  // the oldest, or NULL
// The older instruction changes places with the warp's last one, and back; when nothing is due of it it is forgotten.
// NULL: nothing happens.
void in_flight_exchange(struct warp *warp, struct in_flight *older);
void in_flight_return(struct warp *warp, struct in_flight *older);

// ---- events.c ----
// Each fills in the event that is due and crosses it off.
void event_instr(const struct warp *warp, uint32_t number, const struct decoded *d, uint64_t exec,
                 struct trace_event *event);
// True: the whole portion has been written, and not only the part of it that shared memory has served.
bool event_wb(const struct sm *sm, uint32_t number, uint32_t reg, uint32_t portion, struct trace_event *event);
void event_pwb(const struct sm *sm, uint32_t number, uint32_t pred, uint32_t portion, struct trace_event *event);
void event_swb(const struct sm *sm, uint32_t number, struct trace_event *event);
void event_token(const struct sm *sm, uint32_t number, struct trace_event *event);
void event_mem_req(uint32_t number, uint64_t threads, const struct mem_request *request, struct trace_event *event);
void event_fetch(uint32_t port, const struct mem_request *request, uint32_t fault, struct trace_event *event);
// Names the first event that is due for the warp; false: nothing is.
bool due_first(const struct sm *sm, uint32_t number, struct why why);
bool due_anything(const struct warp *warp);
bool due_of(const struct due *due, const struct access *access);  // of one instruction

// ---- follow.c, follow_requests.c ----
// Each follows one event; false: refused.
bool follow_running_warp(const struct sm *sm, uint32_t number, const char *event, struct why why);  // the event's warp
bool follow_mem_req(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why);
bool follow_perform(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why);
bool follow_l1_hit(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why);

// ---- failed_requests.c ----
// Does the warp's next instruction stand in a line that was answered with an error? Then that is used up.
bool bus_error_take(struct sm *sm, const struct warp *warp, uint32_t *info);

// ---- sm.c ----
// Alone: the SM's events come this way.
void sm_emit(struct sm *sm, const struct trace_event *event);

// ---- soft_deque.c ----
// The warp is held from now on, the CPU is told.
void warp_hold(struct sm *sm, uint32_t warp);

// ---- inject.c ----
// Deliberate defects of the SM (README.md lists them).
enum sm_defect {
    DEFECT_CARRY = 101,
    DEFECT_TOKEN_FLAG = 102,
    DEFECT_LANE_MASK = 103,
    DEFECT_UMAX_SIGNED = 104,
    DEFECT_ATOMIC_NEW = 105,
    DEFECT_SHIFT_AMOUNT = 106,
    DEFECT_STORE_STROBE = 107,
    DEFECT_TOKEN_ADDRESS = 108,
    DEFECT_SHARED_STORE = 119,
};
void inject_alu(unsigned inject, const struct decoded *d, const struct execute_state *state, const uint32_t *a,
                const uint32_t *b);
void inject_tokens(unsigned inject, struct warp *warp);
void inject_store(unsigned inject, struct mem_request *request);

#endif
