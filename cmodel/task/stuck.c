// Nothing can go on, since tasks wait for children that cannot start: the twin of rtl/task/stuck.sv.
#include "gen/registers.h"
#include "task/task_internal.h"

static bool is_stuck(const struct task *task) {
    bool waiting = false;
    // Children of a channel that is suspended start later.
    for (uint32_t c = 0; c < task->config->channels; c++) {
        if (task_suspended(task, c)) return false;
    }
    // Somebody may append to a queue, or close it.
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        const struct checked_task *running = &task->slots[k].task;
        if (running->slot.busy && running->queue && !running->slot.kill) return false;
        if (running->slot.stop && !running->slot.kill) return false;  // it is about to leave
    }
    for (uint32_t s = 0; s < task->config->sms; s++) {
        if (!sm_stuck(task->sms[s])) return false;
        waiting = waiting || sm_waiting(task->sms[s]);
    }
    return waiting;
}

static void tell_stuck(struct task *task, uint32_t slot, struct trace_event *model) {
    const struct task_slot *holder = &task->slots[slot].task.slot;
    task_event(task, TRACE_TASK_STUCK, model);
    task->slots[slot].stuck = true;
    model->task_stuck.slot = slot;
    model->task_stuck.channel = holder->channel;
    model->task_stuck.tmd = holder->tmd;
    task_tell_fault(task, holder->channel, FAULT_CHILD_DEADLOCK, holder->tmd);
}

bool stuck_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t slot = rtl->task_stuck.slot;
    if (slot >= task->config->task_slots || !task->slots[slot].task.slot.busy || task->slots[slot].running == 0)
        return why_refuse(why, "the task of slot %u is said to hold up its children, but none runs there", slot);
    if (!is_stuck(task) || task->queued != 0 || task->slots[slot].stuck)
        return why_refuse(why, "the task of slot %u is said to hold up its children, but something can go on", slot);
    tell_stuck(task, slot, model);
    return true;
}

bool stuck_step(struct task *task) {
    const uint32_t slots = task->config->task_slots;
    uint32_t holder = slots;
    struct trace_event event;
    if (task->queued != 0 || !is_stuck(task)) return false;
    for (uint32_t k = 0; k < slots; k++) {
        const struct running_task *r = &task->slots[k];
        if (!r->task.slot.busy || r->task.slot.kill || r->running == 0 || r->stuck) continue;
        if (holder == slots || r->task.group < task->slots[holder].task.group) holder = k;
    }
    if (holder == slots) return false;
    tell_stuck(task, holder, &event);
    mem_emit(task->mem, &event);
    return true;
}
