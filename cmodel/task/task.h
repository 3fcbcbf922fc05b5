// The task unit of the model: the twin of rtl/task, with the same rooms.
//
//   task_launch -> launch queue -> fetch of 8 lines -> tmd_check -> pending list, sorted -> a slot of the task table ->
//   CTAs -> releases
//
// In tandem the RTL's events do not tell when a checked task goes from the launch queue to the pending list: the model
// leaves it in the queue and lets it over, in order, as soon as an event shows that the RTL has
// (task_management_admit). The result is the same, because a task's place in the list does not depend on when the front
// is taken away.
#ifndef TANDEM_CMODEL_TASK_H
#define TANDEM_CMODEL_TASK_H

#include "ppu_internal.h"
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
    struct task_release release[2];
};

// A task in the launch queue.
struct launch {
    uint32_t channel, tmd, region, local;
    uint32_t lines;  // of the TMD that have been read
    uint32_t fault;  // of the first line that failed: 0, 1 outside, 2 bus error
    uint32_t words[TMD_WORDS];
    uint32_t code, info;  // of the check, once all lines are there
    struct checked_task checked;
};

// A slot of the task table.
struct running_task {
    struct checked_task task;
    uint32_t next[3];  // the next CTA
    bool launched;     // all CTAs are out
    bool faulted;      // by a warp or a release of its own; task.slot.kill also when its channel stands faulted
    uint32_t running;  // CTAs that are out and have not ended
    bool release_left[2];
    uint32_t release_code, release_info;  // of a release that failed; told to the host when the task ends
};

struct task {
    struct ppu_config config;
    struct launch *queue;  // config.pending_tasks of them
    uint32_t queued;
    struct checked_task *list;  // as many, sorted, [0] is the front
    uint32_t listed;
    struct running_task *slots;   // config.task_slots
    uint32_t *done;               // [sm * task_slots + slot]: CTAs that the SM has ended, event CTA_END still due
    uint32_t *outstanding;        // [channel]
    uint32_t last_slot, last_sm;  // round robin, alone
    uint64_t last_time;           // of a 16-byte release
    uint32_t turn;                // alone: which action is tried first
};

// ---- tmd_check.c
// -------------------------------------------------------------------------------------------------------------- Checks
// launch->words and fills in launch->code, info (the first fault in the order that tmd_check.sv gives) and, without a
// fault, checked.
void tmd_check(const struct ppu_config *config, uint32_t space_size, struct launch *launch);

// ---- task_management.c
// -------------------------------------------------------------------------------------------------------- Reads the
// next line of the first launch that is not complete; fills in the PERFORM event. False: nothing is to be read.
bool task_management_fetch(struct ppu *ppu, struct trace_event *model);
// Puts the first launch, complete and good, into the pending list. False: it is not, or there is none.
bool task_management_admit(struct task *task);
// Ends the first launch, or an entry of the list, as refused.
bool task_management_follow_refused(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why);
bool task_management_follow_start(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                  struct why why);
bool task_management_step_intake(struct ppu *ppu);
bool task_management_step_start(struct ppu *ppu);

// ---- work_distributor.c
// ------------------------------------------------------------------------------------------------------- Puts a task
// into a free slot; fills in TASK_START.
void work_distributor_start(struct ppu *ppu, uint32_t slot, const struct checked_task *task, struct trace_event *model);
bool work_distributor_follow_launch(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why);
bool work_distributor_follow_cta_end(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                     struct why why);
bool work_distributor_follow_task_end(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                      struct why why);
bool work_distributor_follow_release(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                     struct why why);
bool work_distributor_step_launch(struct ppu *ppu);
bool work_distributor_step_cta_end(struct ppu *ppu);
bool work_distributor_step_ending(struct ppu *ppu);

// An event of the task unit, zeroed but for its kind and cycle.
void task_event(const struct ppu *ppu, enum trace_kind kind, struct trace_event *event);

#endif
