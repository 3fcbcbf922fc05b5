// The task unit as the rest of the model sees it: the twin of rtl/task/task_unit.sv.
#ifndef TANDEM_CMODEL_TASK_H
#define TANDEM_CMODEL_TASK_H

#include "base/fault.h"
#include "base/run.h"
#include "base/why.h"
#include "mem/mem.h"
#include "sm/sm.h"

// In tandem what a register says counts for the task unit from the cycle behind that of its write on.
struct task_suspend {
    bool on, before;
    uint64_t since;  // the cycle of the write
};

// What comes from the host interface, and how it is told of a fault: signals of rtl/task/task_unit.sv. Whoever owns
// what is pointed to outlives the unit's use.
struct task_wires {
    const bool *channel_halt;            // of each channel: it stands faulted
    const bool *round_robin;             // TASK_SCHEDULE.ROUND_ROBIN
    const uint32_t *slice;               // TASK_SCHEDULE.SLICE, in 1024 cycles, 0: none
    const struct task_suspend *suspend;  // CONTROL.SUSPEND of each channel
    fault_action *fault;                 // of a TMD, of a release, or of a warp; the host keeps the first of a channel
    void *context;                       // of the action
};

// sms: run->config.sms of them. run, mem and sms must outlive it. NULL: memory is short. The caller owns it:
// task_destroy.
struct task;
struct task *task_create(struct run *run, struct mem *mem, struct sm *const *sms);
void task_connect(struct task *task, const struct task_wires *wires);  // before the first launch
void task_destroy(struct task *task);

// ---- the host interface's side
bool task_can_launch(const struct task *task);  // room for one more launch that waits to be taken in
// region, local: the channel's program region and base of local memory.
void task_launch(struct task *task, uint32_t channel, uint32_t tmd, uint32_t region, uint32_t local);
bool task_channel_idle(const struct task *task, uint32_t channel);
// No task of the channel is in the task table or on its way there.
bool task_settled(const struct task *task, uint32_t channel);
uint32_t task_outstanding(const struct task *task, uint32_t channel);
// The channel stands faulted from now on: its tasks are stopped.
void task_halt(struct task *task, uint32_t channel);

// ---- the SMs' side
const struct task_slot *const *task_slots(const struct task *task);       // of each slot; they stay where they are
void task_launch_child(struct task *task, const struct sm_child *child);  // when task_can_launch()
// Event CTA_END is due. left: its state is in memory, it comes back.
void task_cta_done(struct task *task, uint32_t sm, uint32_t slot, bool left);
// Kills the slot's task and passes the fault on.
void task_warp_fault(struct task *task, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc);

void task_image(struct task *task, struct image *image);  // as mem_image()

// ---- running
bool task_step(struct task *task);  // alone: one action. False: nothing to do
// In tandem: events TASK_TAKE, TASK_EVICT, TASK_START, CTA_LAUNCH, CTA_END, TASK_FREED, TASK_END, TASK_PENDING,
// TASK_PARKED, TASK_STUCK, TASK_DROP, TASK_REFUSED, and PERFORM on port 2.
bool task_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why);
// In tandem: the memory has answered a request of the task unit with an error.
void task_bus_error(struct task *task, const struct mem_note *note);
// False: a task has not ended; why names its channel.
bool task_quiescent(const struct task *task, struct why why);

#endif
