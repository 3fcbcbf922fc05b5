// The state of the task unit, shared by the files of this folder; nobody outside reads it.
//
//   task_launch -> launch queue ---> fetch of 8 lines -> tmd_check -> a slot of the task table -> CTAs -> releases
//          pending lists in memory --^                           \-> pending lists in memory
#ifndef TANDEM_CMODEL_TASK_INTERNAL_H
#define TANDEM_CMODEL_TASK_INTERNAL_H

#include "task/task.h"
#include "task/tmd.h"

#define TMD_LINES (TMD_BYTES / LINE_BYTES)

struct task_release {
    bool enable, reduce, is_signed, one_word;
    uint32_t op, addr, payload;
};

// A TMD that has passed its check.
struct checked_task {
    struct task_slot slot;  // what SMs read; busy and kill false
    uint32_t group;         // priority: 63 highest
    bool add_to_head, sequential;
    uint32_t parent;   // who waits for its end, as TANDEM_PARENT says
    uint32_t next[3];  // the CTA it begins with: where it was evicted
    bool save;         // its CTAs can step aside
    uint32_t saved;    // of them that come back
    bool launched;     // and no others are left
    bool queue;        // fed by a ring of slot.grid[0] entries of slot.grid[2] bytes, up to slot.grid[1] for a CTA
    bool open;         // of a queue: more entries may come
    uint32_t put;      // of a queue: entries appended so far, modulo 2^31; next[0]: entries done so far
    struct task_release release[2];
    bool waits;             // DEPENDENCE_COUNTER is not 0
    bool frees[2];          // DEPENDENT_QMD: a task waits for its end
    uint32_t frees_tmd[2];  // their addresses
};

#define TASK_LEVELS 64u
// Whom the end of a task frees, behind DEPENDENT_QMD0 and 1: its parent, if that has left.
#define PARENT 2u
#define NOBODY 3u
// TANDEM_STATE: {epoch 31:8, level 7:2, one of these}
#define TASK_PENDING 1u
#define TASK_EVICTED 2u
#define TASK_PARKED 3u  // evicted, in no list: its warps wait for children
// TANDEM_PARENT: {a warp waits 31, its task can step aside 30, the warp's place 29:24, its task's TMD / 256 23:0}
#define PARENT_WAITS (1u << 31)
#define PARENT_SAVES (1u << 30)
#define PARENT_PLACE_LOW 24u
#define PARENT_TMD 0xFFFFFFu
enum task_source { FROM_LAUNCH = 0, FROM_LIST = 1, FROM_SLOT = 2 };

// A task in the launch queue, and the one that is being taken.
struct launch {
    uint32_t channel, tmd, region, local;
    uint32_t parent;  // of a child task, as in struct checked_task
    bool beyond;      // of a child task whose address needs more than 32 bits
    bool freed;       // by the end of the last task that it waited for: region, local and parent are in its TMD
    // while it is taken
    uint32_t slot;  // it was evicted from
    bool listed;    // from the pending list of its channel and level; last: of one task
    bool last;
    bool evicted;           // from a slot
    bool resumed;           // listed or freed, and it was evicted
    uint32_t children;      // evicted: that its warps wait for
    uint32_t level, epoch;  // of its channel
    uint32_t lines;         // of the TMD that have been read
    uint32_t fault;         // of the first line that failed: enum answer_value
    uint32_t words[TMD_WORDS];
    uint32_t code, info;  // of the check, once all lines are there
    struct checked_task checked;
    uint32_t writes;       // into TMDs, that have been performed
    uint32_t write_fault;  // of the first that failed
    bool counted;          // its launch has been counted, as the last one that it waited for
    uint32_t counter;      // what its DEPENDENCE_COUNTER was then
};

// The tasks that are pending for a channel in a level, linked through their TMDs: addresses / 256.
struct pending_list {
    uint32_t head, tail, count;
};

// A slot of the task table.
struct running_task {
    struct checked_task task;
    uint32_t next[3];     // the next CTA; of a queue: [0] entries handed out so far
    uint32_t put, get;    // of a queue: OUTER_PUT as read last, OUTER_GET as written last
    uint32_t put_before;  // as read before the last time
    bool open;
    bool launched;      // all CTAs are out
    bool evicted;       // no more CTAs go out
    bool leaving;       // it is being put into its list
    bool stuck;         // it was told that its children cannot start
    bool faulted;       // by a warp or a release of its own; task.slot.kill also when its channel stands faulted
    uint32_t running;   // CTAs that are out and have not ended
    uint32_t saved;     // CTAs that have left and come back
    uint32_t children;  // that its warps wait for, of a task that can step aside
    uint64_t begun;     // cycle since which CTAs of it run
    uint64_t woken;     // cycle in which something last happened for which its warps may go on
    bool release_left[2];
    bool frees_left[3];  // [PARENT]: of its parent, which has left
    bool freeing;        // the task at freeing_tmd waits for nobody any more: to be handed to the launch queue
    uint32_t freeing_tmd;
    uint32_t release_code, release_info;  // of a release that failed; told to the host when the task ends
};

struct task {
    struct run *run;
    struct mem *mem;
    struct sm *const *sms;  // config->sms of them
    struct task_wires wires;
    const struct ppu_config *config;  // of the run
    struct launch *queue;             // config->pending_tasks of them
    uint32_t queued;
    bool taking;  // a task is being taken:
    struct launch taken;
    struct pending_list *lists;         // [channel * TASK_LEVELS + level]
    uint32_t pending;                   // tasks in all of them
    uint32_t *epoch;                    // [channel]: how many of its lists have been dropped, 24 bits
    uint32_t last_level, last_channel;  // that were served
    struct running_task *slots;         // config->task_slots
    const struct task_slot **slot;      // of each of them: what SMs read
    uint32_t (*done)[2];          // [sm * task_slots + slot][left]: CTAs that the SM has ended, event CTA_END still due
    uint32_t *outstanding;        // [channel]
    uint32_t last_slot, last_sm;  // round robin, alone
    uint64_t last_time;           // of a 16-byte release
    uint32_t turn;                // alone: which action is tried first
};

// Requests of the task unit, in struct mem_note; number: the slot, serial: the release, or of whom it frees: DEPENDENT_QMD, 2: its parent.
enum task_request {
    TASK_READS_TMD,
    TASK_WRITES_TMD,
    TASK_COUNTS,  // the launch of a task that waits for others
    TASK_READS_QUEUE,
    TASK_WRITES_QUEUE,
    TASK_RELEASES,
    TASK_FREES  // one that waits for the end of this one
};

// Bits of a number below count.
static inline uint32_t task_bits(uint32_t count) {
    uint32_t bits = 0;
    while ((UINT64_C(1) << bits) < count)
        bits++;
    return bits;
}

// ---- tmd_check.c ----
// Checks launch->words and fills in launch->code, info (the first fault in the order that tmd_check.sv gives) and,
// without a fault, checked.
void tmd_check(const struct ppu_config *config, uint32_t space_size, struct launch *launch);

// ---- task_management.c ----
// Reads the next line of the task that is being taken; fills in the PERFORM event. False: nothing is to be read.
bool task_management_fetch(struct task *task, struct trace_event *model);
// In tandem: the memory has answered a request of the task that is taken with an error. Likewise queue_feeder_failed,
// work_distributor_failed of one that runs (fault: of the answer).
void task_management_failed(struct task *task, bool write);
void task_management_count_failed(struct task *task);
// Does the event look like the next write (or count) into a TMD? Then performs it.
bool task_management_write(struct task *task, const struct trace_event *rtl, struct trace_event *model);
// The list that is served next, of channels that do not stand faulted. False: nothing is pending.
bool task_management_pick(const struct task *task, uint32_t *channel, uint32_t *level);
bool task_management_follow_take(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why);
bool task_management_follow_start(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                  struct why why);
bool task_management_follow_pending(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why);
// A task that has waited for others goes into the launch queue.
void task_management_free(struct task *task, uint32_t channel, uint32_t tmd);
bool task_management_follow_parked(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                   struct why why);
bool task_management_follow_drop(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why);
bool task_management_follow_refused(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why);
// Alone: drops a list, or takes a task from a list or from the launch queue and starts it, refuses it or makes it
// pending.
bool task_management_step(struct task *task);

// ---- queue_feeder.c ----
void queue_feeder_start(struct running_task *r);
// Does OUTER_GET in memory stand where the CTAs do? True for other tasks.
bool queue_feeder_synced(const struct running_task *r);
// Entries of the next CTA: 0 to slot.grid[1].
uint32_t queue_feeder_count(const struct running_task *r);
// A CTA has gone out.
void queue_feeder_next(struct running_task *r);
// Is the PERFORM event a read or write of a running queue's counters? Then performs it.
bool queue_feeder_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model);
bool queue_feeder_step(struct task *task);
void queue_feeder_failed(struct running_task *r, bool write);

// ---- work_distributor.c ----
// Puts a task into a free slot; fills in TASK_START.
void work_distributor_start(struct task *task, uint32_t slot, const struct checked_task *checked,
                            struct trace_event *model);
bool work_distributor_follow_launch(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why);
bool work_distributor_follow_cta_end(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                     struct why why);
bool work_distributor_follow_task_end(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                      struct why why);
bool work_distributor_follow_release(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                     struct why why);
// Is the PERFORM event that of a task which ends, on the counter of one that waits for it, or of its parent? Then performs it.
bool work_distributor_frees(struct task *task, const struct trace_event *rtl, struct trace_event *model);
bool work_distributor_follow_freed(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                   struct why why);
// Has it CTAs that are not out? May one go out?
bool work_distributor_has_ctas(const struct running_task *r);
bool work_distributor_may_launch(const struct task *task, const struct running_task *r);
// Alone: the slot whose CTA goes out next, or config->task_slots; the next SM that takes one of the slot, or
// config->sms.
uint32_t work_distributor_next(const struct task *task);
uint32_t work_distributor_room(const struct task *task, uint32_t slot);
// Has the evicted task of the slot no CTA running, so that it can leave?
bool work_distributor_can_leave(const struct running_task *r);
void work_distributor_failed(struct running_task *r, unsigned number, uint32_t fault);
void work_distributor_free_failed(struct running_task *r, unsigned number, uint32_t fault);
bool work_distributor_step_launch(struct task *task);
bool work_distributor_step_cta_end(struct task *task);
bool work_distributor_step_ending(struct task *task);

// ---- eviction.c ----
bool eviction_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why);
bool eviction_step(struct task *task);

// ---- stuck.c ----
bool stuck_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why);
bool stuck_step(struct task *task);

// ---- parents.c ----
// A child that a warp waits for is in the launch queue: its TANDEM_PARENT.
uint32_t parents_launch(struct task *task, const struct sm_child *child);
// Is the task's parent to be told of its end wherever that is?
bool parents_has(const struct running_task *child);
// Is the parent in a slot of the table? Else it has left.
bool parents_here(const struct task *task, const struct running_task *child);
// The child has ended: the warp that waits for it hears of it.
void parents_tell(struct task *task, const struct running_task *child);

// Is the channel suspended, as far as this unit knows?
bool task_suspended(const struct task *task, uint32_t channel);
// Tells the host interface of the channel's fault.
void task_tell_fault(const struct task *task, uint32_t channel, uint32_t code, uint32_t info);
// An event of the task unit, zeroed but for its kind and cycle.
void task_event(const struct task *task, enum trace_kind kind, struct trace_event *event);

#endif
