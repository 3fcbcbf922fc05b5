// A streaming multiprocessor as the rest of the model sees it: the twin of rtl/sm/sm.sv.
#ifndef TANDEM_CMODEL_SM_H
#define TANDEM_CMODEL_SM_H

#include "base/look.h"
#include "base/run.h"
#include "base/why.h"
#include "mem/mem.h"

// What SMs read of a running task: flat outputs slot_* of the work distributor.
struct task_slot {
    bool busy;
    bool kill;
    bool stop;  // its warps have to leave: until none is there, or the slot is killed
    uint32_t channel, region, code_base, code_size;
    uint32_t ntid[3], grid[3], threads;
    uint32_t registers, shared_rows, shared_bytes, tmd;
    uint32_t local, local_bytes;  // where local memory begins; bytes of a thread
    uint32_t const_valid, const_addr[8], const_size[8];
};

// What SMs read of the registers of the host interface.
struct sm_settings {
    bool deque_serve;                 // DEQUE_CONTROL.SERVE
    uint32_t deque_size, deque_base;  // DEQUE_MEMORY
    uint32_t yield_seed;              // YIELD_SEED
    uint32_t warp_policy;             // WARP_POLICY
    uint32_t sv_order, sv_threshold;  // SV_ORDER, SV_THRESHOLD
};

// A child task that a thread launches: its TMD is at number * 256. wait: the warp is told when it has ended.
struct sm_child {
    uint32_t slot;  // of the parent
    uint32_t number, sm, warp;
    bool wait;
};

// What comes from above, and how an SM tells those above: signals of rtl/sm/sm.sv. Whoever owns what is pointed to
// outlives the SM's use.
struct sm_wires {
    const struct task_slot *const *slot;  // of each task slot
    const struct sm_settings *settings;
    void *context;  // of the actions
    bool (*can_launch_child)(const void *context);
    void (*launch_child)(void *context, const struct sm_child *child);  // when it can
    // left: its state is in memory, it will come back.
    void (*cta_done)(void *context, uint32_t sm, uint32_t slot, bool left);
    // A warp of the slot's task faulted; the task is to be killed.
    void (*warp_fault)(void *context, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc);
    void (*warp_held)(void *context);  // software is to serve its token deque
};

// number: of the SM in its device. run and mem must outlive it. NULL: memory is short. The caller owns it: sm_destroy.
struct sm;
struct sm *sm_create(struct run *run, struct mem *mem, unsigned number);
void sm_connect(struct sm *sm, const struct sm_wires *wires);  // before the first CTA
void sm_destroy(struct sm *sm);

// ---- the task unit's side
// Could the SM take a CTA of this task now (warps, register rows and shared memory free)?
bool sm_can_take_cta(const struct sm *sm, uint32_t slot);
// Takes it (CTA_LAUNCH has been done); its warps start by event WARP_START, or at once when alone. resumed: one that has
// left comes back (x, y, z are 0); its warps enter a trap before anything else.
void sm_take_cta(struct sm *sm, uint32_t slot, uint32_t x, uint32_t y, uint32_t z, bool resumed);
// A child task of the channel has ended that a warp waits for.
void sm_child_ended(struct sm *sm, uint32_t warp, uint32_t channel);
bool sm_waiting(const struct sm *sm);  // a warp waits for its children
bool sm_stuck(const struct sm *sm);    // every warp does, or stands at a barrier
// Of a task slot: no warp here can go on, nor is one about to start (each waits for children, or at a barrier; true
// without a warp). A warp here waits for children.
bool sm_slot_rests(const struct sm *sm, uint32_t slot);
bool sm_slot_waits(const struct sm *sm, uint32_t slot);
// Is a warp of the slot in a trap, or about to enter one since its CTA comes back?
bool sm_slot_trapped(const struct sm *sm, uint32_t slot);

// ---- checkpoints
void sm_image(struct sm *sm, struct image *image);  // as mem_image()
// It has run alone and will follow: nothing of what was done is due.
void sm_all_is_shown(struct sm *sm);

// ---- running
// Alone: chooses a ready warp, whose turn begins (run.turn) with one instruction. False: nothing to do.
bool sm_step(struct sm *sm);
// Alone: the turn of the warp chosen last goes on, for at most so many instructions. Returns those done, which it has
// counted in run.cycles; 0: the turn is over.
uint64_t sm_turn(struct sm *sm, uint64_t most);
// In tandem: events WARP_START, INSTR, WARP_STOP, SV_MODE, CHILD_LAUNCH, MEM_REQ, L1_HIT, WB, PWB, SWB, TOKEN_MOVE, TOKEN,
// BARRIER, WARP_HELD, WARP_FAULT, WARP_END, and PERFORM on ports 3 + 2s (fetch: accepted as legal), 4 + 2s and that of
// tokens.
bool sm_follow(struct sm *sm, const struct trace_event *rtl, struct trace_event *model, struct why why);
// In tandem: the memory has answered a request of the SM with an error. fetched: one of the fetch port.
bool sm_bus_error(struct sm *sm, bool fetched, const struct mem_record *record, struct why why);
void sm_token_error(struct sm *sm, const struct mem_record *record);  // likewise, one of the port of tokens
// In tandem: a write or atomic, of whomever, was answered with an error; memory is as it was before.
void sm_write_taken_back(struct sm *sm, const struct mem_record *record);
// False: something is due that the RTL has not told; why names it.
bool sm_quiescent(const struct sm *sm, struct why why);

// ---- the host interface's side: registers of the warp that WARP_SELECT names
bool sm_warp_held(const struct sm *sm, unsigned warp);
void sm_icache_invalidate(struct sm *sm);  // INVALIDATE_SHADER_CACHES: cached instructions are forgotten
uint32_t sm_issued(const struct sm *sm);   // instructions since reset
void sm_shared_counters(const struct sm *sm, uint32_t *passes, uint32_t *conflicts);      // SHARED_PASSES, _CONFLICTS
void sm_warp_registers(const struct sm *sm, unsigned warp, uint32_t *pc, uint64_t *mask,  // WARP_PC, ..
                       uint32_t *state);
// SIGNATURE, SIGNATURE_LIMIT; the registers that choose what counts in it.
uint32_t sm_signature(const struct sm *sm);
uint32_t sm_signature_limit(const struct sm *sm);
void sm_signature_write(struct sm *sm, uint32_t offset, uint32_t value);
// What software does with the token deque of a held warp (registers DEQUE_*).
uint32_t sm_deque_ends(const struct sm *sm, unsigned warp);  // as DEQUE_ENDS and DEQUE_KEPT show them
uint32_t sm_deque_kept(const struct sm *sm, unsigned warp);
void sm_deque_move(struct sm *sm, unsigned warp, int32_t places);
void sm_deque_resume(struct sm *sm, unsigned warp);

// For mismatch reports: the state of a warp as text, at most size bytes with the final 0.
void sm_describe_warp(const struct sm *sm, unsigned warp, char *to, size_t size);

// ---- for a debugger: looked at, nothing changes. warp: below config->warps.
void sm_look_place(const struct sm *sm, unsigned warp, struct warp_place *place);
// False, and only place is filled in: the warp does not run.
bool sm_look_warp(const struct sm *sm, unsigned warp, struct warp_look *look);
// Of a running warp. False: it has no such register, thread or token.
bool sm_look_register(const struct sm *sm, unsigned warp, unsigned thread, unsigned number, uint32_t *value);
bool sm_look_token(const struct sm *sm, unsigned warp, unsigned number, struct token_look *token);  // 0: the front
// Bytes of the shared memory of the warp's CTA. False: not all of them are inside.
bool sm_look_shared(const struct sm *sm, unsigned warp, uint32_t offset, void *to, uint32_t size);
// The address in the channel's space of a byte of a thread's local memory. False: it is outside.
bool sm_look_local(const struct sm *sm, unsigned warp, unsigned thread, uint32_t offset, uint32_t *address);

#endif
