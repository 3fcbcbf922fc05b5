// Inside the model: how the units reach each other. Each unit owns its state in a struct of its own (host/host.h,
// task/task.h, sm/sm.h, mem/mem.h) and exposes actions; nobody reaches into another unit's struct.
//
// An action fills in the event that it is (all fields) and returns true, or returns false with the reason in `why` when
// it is not legal now. ppu_follow() calls the action that belongs to the RTL's event; ppu_step() picks one that is
// legal.
#ifndef TANDEM_CMODEL_PPU_INTERNAL_H
#define TANDEM_CMODEL_PPU_INTERNAL_H

#include "ppu.h"

struct host;
struct task;
struct sm;
struct mem;

// Ports of the memory unit (rtl/mem/README.md).
enum mem_port {
    MEM_PORT_HOST = 0,
    MEM_PORT_SEMAPHORE = 1,
    MEM_PORT_TASK = 2,
    MEM_PORT_SM = 3,
    MEM_PORTS = 35  // of 16 SMs
};                  // + 2s fetch, + 2s + 1 load/store
enum mem_op { MEM_READ = 0, MEM_WRITE = 1, MEM_ATOMIC = 2 };

#define LINE_BYTES 32u

struct ppu {
    struct ppu_config config;
    struct mem *mem;
    struct host *host;
    struct task *task;
    struct sm **sm;  // config.sms of them
    ppu_trace_sink *sink;
    void *sink_context;
    uint64_t cycles;  // steps done alone; in tandem the cycle of the last event
    uint64_t random;  // state of the schedule's generator
    unsigned inject;
    bool following;  // in tandem, from the first ppu_follow() on: what is computed waits for its event
    struct ppu_counters counters;
};

// Reports an event of the model running alone; no cost when nobody listens.
#define PPU_TRACING(ppu) ((ppu)->sink != NULL)
void ppu_emit(struct ppu *ppu, const struct trace_event *event);

// The next number of the schedule's generator (seed of ppu_create).
uint64_t ppu_random(struct ppu *ppu);

// printf into the reason buffer; returns false, so that an action can `return ppu_refuse(...)`.
struct why {
    char *text;
    size_t size;
};
bool ppu_refuse(struct why why, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- mem/ : address spaces and the performing of requests ----
// A request as the memory unit sees it; see the table in rtl/mem/README.md.
struct mem_request {
    enum mem_op op;
    uint32_t atom;     // table atom, for MEM_ATOMIC
    uint32_t channel;  // whose address space
    uint32_t addr;     // line address, or word address for MEM_ATOMIC
    uint32_t wstrb;
    uint8_t wdata[LINE_BYTES];  // MEM_ATOMIC: bytes 0-3 operand, 4-7 new value of CAS
};
struct mem_response {
    uint8_t data[LINE_BYTES];  // MEM_ATOMIC: bytes 0-3 old word
    uint32_t fault;            // 0, 1 outside the space, 2 bus error
    uint64_t order;            // later requests have higher numbers
};
// In tandem: whose a request is, for the case that the memory answers it with an error. What is written here means
// something to the unit on the port only.
struct mem_note {
    uint32_t what, number, serial, pc;
    uint64_t threads;
};
struct mem_record;
struct mem *mem_create(size_t bytes);
void mem_destroy(struct mem *mem);
uint8_t *mem_bytes(struct mem *mem);
size_t mem_size(const struct mem *mem);
// Performs a request now, in the space of its channel (host_space()). Never fails: the fault is in the response.
void mem_perform(struct ppu *ppu, const struct mem_request *request, struct mem_response *response);
// Of the request that was performed last on the port.
void mem_note(struct ppu *ppu, uint32_t port, const struct mem_note *note);
// Alone: emits what follows the PERFORM event that has just been emitted, if its request failed.
void mem_emit_error(struct ppu *ppu);
// Alone: a part of memory answers with errors (ppu_set_bus_errors).
bool mem_may_fail(const struct ppu *ppu);
// The pure part of an atomic: the word after the operation.
uint32_t atomic_unit_result(uint32_t atom, uint32_t old, uint32_t operand, uint32_t swap);
// Physical address of [addr, addr + size) in the channel's space; false when any of it is outside.
bool address_space_translate(const struct ppu *ppu, uint32_t channel, uint32_t addr, uint32_t size, uint64_t *physical);

// ---- host/
// ----------------------------------------------------------------------------------------------------------------
struct host *host_create(const struct ppu_config *config);
void host_destroy(struct host *host);
uint32_t host_reg_read(struct ppu *ppu, uint32_t offset);
// The same in tandem: a counter that is only the same while no task is outstanding (check = idle) is the RTL's while
// one is.
uint32_t host_reg_follow(struct ppu *ppu, uint32_t offset, uint32_t rtl);
void host_reg_write(struct ppu *ppu, uint32_t offset, uint32_t value);
bool host_irq(const struct host *host);
void host_space(const struct host *host, uint32_t channel, uint32_t *base, uint32_t *size);
bool host_deque_serve(const struct host *host);      // DEQUE_CONTROL.SERVE
uint32_t host_yield_seed(const struct host *host);   // YIELD_SEED
uint32_t host_warp_policy(const struct host *host);  // WARP_POLICY
uint32_t host_sv_order(const struct host *host);
uint32_t host_sv_threshold(const struct host *host);
bool host_round_robin(const struct host *host);  // TASK_SCHEDULE.ROUND_ROBIN
void host_warp_held(struct ppu *ppu);            // raises its interrupt
bool host_channel_halted(const struct host *host, uint32_t channel);
// Tells the host of a fault found by the task unit or a warp; the first fault of a channel is kept, event FAULT then is
// due.
void host_fault(struct ppu *ppu, uint32_t channel, uint32_t code, uint32_t info, uint32_t pc);
// Alone: one action of the host on some channel (seeded choice, priorities obeyed). False: nothing to do.
bool host_step(struct ppu *ppu);
// In tandem: events REG_WRITE, REG_READ, GP_ENTRY, METHOD, SEMAPHORE, GP_GET, FAULT, INTERRUPT, and PERFORM on ports 0
// and 1.
bool host_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why);
// In tandem: the memory has answered a request of the host (ports 0 and 1) with an error.
void host_bus_error(struct ppu *ppu, uint32_t port, const struct mem_request *request);
bool host_quiescent(const struct ppu *ppu, struct why why);
void host_describe_channel(const struct ppu *ppu, unsigned channel, char *to, size_t size);

// ---- task/
// ---------------------------------------------------------------------------------------------------------------- What
// SMs read of a running task (flat outputs slot_* of the work distributor).
struct task_slot {
    bool busy;
    bool kill;
    uint32_t channel, region, code_base, code_size;
    uint32_t ntid[3], grid[3], threads;
    uint32_t registers, shared_rows, shared_bytes, tmd;
    uint32_t local, local_bytes;  // where local memory begins; bytes of a thread
    uint32_t const_valid, const_addr[8], const_size[8];
};
struct task *task_create(const struct ppu_config *config);
void task_destroy(struct task *task);
bool task_can_launch(const struct task *task);  // room for one more launch that waits to be taken in
// region, local: the channel's program region and base of local memory.
void task_launch(struct ppu *ppu, uint32_t channel, uint32_t tmd, uint32_t region, uint32_t local);
// A child of the task in the slot: its TMD is at number * 256. wait: the warp of the SM is told when it has ended.
void task_launch_child(struct ppu *ppu, uint32_t slot, uint32_t number, bool wait, uint32_t sm, uint32_t warp);
bool task_channel_idle(const struct task *task, uint32_t channel);
uint32_t task_outstanding(const struct task *task, uint32_t channel);
const struct task_slot *task_get_slot(const struct task *task, uint32_t slot);
void task_cta_done(struct ppu *ppu, uint32_t sm, uint32_t slot);  // called by the SM; event CTA_END
void task_warp_fault(struct ppu *ppu, uint32_t slot, uint32_t code, uint32_t info,
                     uint32_t pc);  // passes on to host_fault, kills the slot
bool task_step(struct ppu *ppu);
// Events TASK_TAKE, TASK_EVICT, TASK_START, CTA_LAUNCH, CTA_END, TASK_END, TASK_PENDING, TASK_STUCK, TASK_DROP,
// TASK_REFUSED, and PERFORM on port 2.
bool task_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why);
// In tandem: the memory has answered a request of the task unit with an error.
void task_bus_error(struct ppu *ppu, const struct mem_note *note);
bool task_quiescent(const struct ppu *ppu, struct why why);

// ---- sm/
// ------------------------------------------------------------------------------------------------------------------
struct sm *sm_create(const struct ppu_config *config, unsigned number);
void sm_destroy(struct sm *sm);
// Could the SM take a CTA of this task now (warps, register rows and shared memory free)?
bool sm_can_take_cta(const struct ppu *ppu, unsigned sm, uint32_t slot);
// Takes it (CTA_LAUNCH has been done); its warps start by event WARP_START, or at once when alone.
void sm_take_cta(struct ppu *ppu, unsigned sm, uint32_t slot, uint32_t x, uint32_t y, uint32_t z);
// A child task of the channel has ended that a warp waits for.
void sm_child_ended(struct ppu *ppu, unsigned sm, uint32_t warp, uint32_t channel);
bool sm_waiting(const struct ppu *ppu, unsigned sm);  // a warp waits for its children
bool sm_stuck(const struct ppu *ppu, unsigned sm);    // every warp does, or stands at a barrier
bool sm_step(struct ppu *ppu, unsigned sm);           // alone: one instruction of one ready warp
// Events WARP_START, INSTR, SV_MODE, CHILD_LAUNCH, MEM_REQ, L1_HIT, WB, PWB, TOKEN, BARRIER, WARP_FAULT, WARP_END, and
// PERFORM on ports 3 + 2s (fetch: accepted as legal) and 4 + 2s.
bool sm_follow(struct ppu *ppu, unsigned sm, const struct trace_event *rtl, struct trace_event *model, struct why why);
// In tandem: the memory has answered a request of the SM with an error.
bool sm_bus_error(struct ppu *ppu, unsigned sm, bool fetched, const struct mem_record *record, struct why why);
bool sm_quiescent(const struct ppu *ppu, unsigned sm, struct why why);
// What software does with the token deque of a held warp (registers DEQUE_*).
bool sm_warp_held(const struct ppu *ppu, unsigned sm, unsigned warp);
uint32_t sm_issued(const struct ppu *ppu, unsigned sm);                      // instructions since reset
uint32_t sm_deque_ends(const struct ppu *ppu, unsigned sm, unsigned warp);   // head 15:0, tail 31:16
void sm_deque_token(const struct ppu *ppu, unsigned sm, uint32_t words[4]);  // loaded last
// SHARED_PASSES, SHARED_CONFLICTS.
void sm_shared_counters(const struct ppu *ppu, unsigned sm, uint32_t *passes, uint32_t *conflicts);
void sm_deque_load(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t entry);
void sm_deque_store(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t entry);
void sm_deque_move(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t head);
void sm_deque_resume(struct ppu *ppu, unsigned sm, unsigned warp);
void sm_describe_warp(const struct ppu *ppu, unsigned sm, unsigned warp, char *to, size_t size);
void sm_warp_registers(struct ppu *ppu, unsigned sm, unsigned warp, uint32_t *pc, uint64_t *mask,
                       uint32_t *state);  // WARP_PC, ..

#endif
