// Takes launches in and decides which task is scheduled next: the twin of rtl/task/task_management.sv.
#include <string.h>

#include "gen/registers.h"
#include "mem/mem.h"
#include "task.h"

// ---- the launch queue
// -----------------------------------------------------------------------------------------------------------
bool task_can_launch(const struct task *task) {
    return task->queued + task->listed < task->config.pending_tasks;
}

void task_launch(struct ppu *ppu, uint32_t channel, uint32_t tmd, uint32_t region, uint32_t local) {
    struct task *task = ppu->task;
    struct launch *launch = &task->queue[task->queued++];
    memset(launch, 0, sizeof *launch);
    launch->channel = channel;
    launch->tmd = tmd;
    launch->region = region;
    launch->local = local;
    task->outstanding[channel]++;
}

static void queue_remove(struct task *task, uint32_t at) {
    task->queued--;
    memmove(&task->queue[at], &task->queue[at + 1], (task->queued - at) * sizeof task->queue[0]);
}

static bool complete(const struct launch *launch) {
    return launch->lines == TMD_LINES;
}

bool task_management_fetch(struct ppu *ppu, struct trace_event *model) {
    struct task *task = ppu->task;
    uint32_t at = 0;
    while (at < task->queued && complete(&task->queue[at]))
        at++;
    if (at == task->queued) return false;
    struct launch *launch = &task->queue[at];
    struct mem_request request = {.op = MEM_READ, .channel = launch->channel};
    struct mem_response response;
    request.addr = (launch->tmd & ~(TMD_BYTES - 1)) + launch->lines * LINE_BYTES;
    mem_perform_event(ppu, MEM_PORT_TASK, &request, &response, model);
    if (launch->fault == 0) launch->fault = response.fault;
    memcpy((uint8_t *)launch->words + launch->lines * LINE_BYTES, response.data, LINE_BYTES);
    launch->lines++;
    if (complete(launch)) {
        uint32_t base, size;
        host_space(ppu->host, launch->channel, &base, &size);
        tmd_check(&task->config, size, launch);
    }
    return true;
}

// ---- the pending list
// ----------------------------------------------------------------------------------------------------------- Sorted by
// priority; within a level behind the others, or in front of them.
static void list_insert(struct task *task, const struct checked_task *checked) {
    uint32_t at = 0;
    while (at < task->listed &&
           (task->list[at].group > checked->group || (task->list[at].group == checked->group && !checked->add_to_head)))
        at++;
    memmove(&task->list[at + 1], &task->list[at], (task->listed - at) * sizeof task->list[0]);
    task->list[at] = *checked;
    task->listed++;
}

static void list_remove(struct task *task, uint32_t at) {
    task->listed--;
    memmove(&task->list[at], &task->list[at + 1], (task->listed - at) * sizeof task->list[0]);
}

bool task_management_admit(struct task *task) {
    if (task->queued == 0 || !complete(&task->queue[0]) || task->queue[0].code != FAULT_NONE) return false;
    list_insert(task, &task->queue[0].checked);
    queue_remove(task, 0);
    return true;
}

static uint32_t free_slot(const struct task *task) {
    uint32_t slot = 0;
    while (slot < task->config.task_slots && task->slots[slot].task.slot.busy)
        slot++;
    return slot;
}

bool task_management_follow_start(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                  struct why why) {
    struct task *task = ppu->task;
    const struct trace_task_start *event = &rtl->task_start;
    if (event->slot >= task->config.task_slots || task->slots[event->slot].task.slot.busy)
        return ppu_refuse(why, "a task starts in slot %u, which is not free", event->slot);
    for (;;) {
        const struct task_slot *front = &task->list[0].slot;
        if (task->listed != 0 && front->tmd == event->tmd && front->channel == event->channel) break;
        if (!task_management_admit(task)) break;
    }
    if (task->listed == 0) return ppu_refuse(why, "the task at 0x%x starts, but no task is pending", event->tmd);
    const struct checked_task front = task->list[0];
    list_remove(task, 0);
    work_distributor_start(ppu, event->slot, &front, model);
    return true;
}

// ---- refusals
// -------------------------------------------------------------------------------------------------------------------
static void refused_event(struct ppu *ppu, uint32_t channel, uint32_t tmd, uint32_t code, uint32_t info,
                          struct trace_event *model) {
    task_event(ppu, TRACE_TASK_REFUSED, model);
    model->task_refused.channel = channel;
    model->task_refused.tmd = tmd;
    model->task_refused.code = code;
    model->task_refused.info = info;
    ppu->task->outstanding[channel]--;
}

static void refuse_first(struct ppu *ppu, struct trace_event *model) {
    struct task *task = ppu->task;
    const struct launch launch = task->queue[0];
    queue_remove(task, 0);
    refused_event(ppu, launch.channel, launch.tmd, launch.code, launch.info, model);
    host_fault(ppu, launch.channel, launch.code, launch.info, 0);
}

// A task of a faulted channel is dropped from the list, or when it comes to the front of the queue, fetched or not.
static bool follow_dropped(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    struct task *task = ppu->task;
    const struct trace_task_refused *event = &rtl->task_refused;
    const uint32_t channel = event->channel;
    if (!host_channel_halted(ppu->host, channel))
        return ppu_refuse(why, "the task at 0x%x is dropped, but channel %u does not stand faulted", event->tmd,
                          channel);
    uint32_t any = UINT32_MAX;
    do {
        for (uint32_t i = 0; i < task->listed; i++) {
            if (task->list[i].slot.channel != channel) continue;
            if (any == UINT32_MAX) any = task->list[i].slot.tmd;
            if (task->list[i].slot.tmd != event->tmd) continue;
            list_remove(task, i);
            refused_event(ppu, channel, event->tmd, FAULT_NONE, 0, model);
            return true;
        }
    } while (task_management_admit(task));
    if (task->queued != 0 && task->queue[0].channel == channel) {
        const uint32_t tmd = task->queue[0].tmd;
        queue_remove(task, 0);
        refused_event(ppu, channel, tmd, FAULT_NONE, 0, model);
        return true;
    }
    if (any != UINT32_MAX)
        return ppu_refuse(why, "the task at 0x%x is dropped; channel %u has one at 0x%x", event->tmd, channel, any);
    return ppu_refuse(why, "the task at 0x%x is dropped, but channel %u has none pending", event->tmd, channel);
}

bool task_management_follow_refused(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why) {
    struct task *task = ppu->task;
    const struct trace_task_refused *event = &rtl->task_refused;
    if (event->channel >= task->config.channels) return ppu_refuse(why, "there is no channel %u", event->channel);
    if (event->code == FAULT_NONE) return follow_dropped(ppu, rtl, model, why);
    while (task_management_admit(task))
        continue;
    if (task->queued == 0 || !complete(&task->queue[0]))
        return ppu_refuse(why, "the task at 0x%x is refused with code %u, but no faulty TMD has been read", event->tmd,
                          event->code);
    refuse_first(ppu, model);
    return true;
}

// ---- alone
// ----------------------------------------------------------------------------------------------------------------------
static bool drop_halted(struct ppu *ppu) {
    struct task *task = ppu->task;
    struct trace_event event;
    for (uint32_t i = 0; i < task->listed; i++) {
        const struct task_slot slot = task->list[i].slot;
        if (!host_channel_halted(ppu->host, slot.channel)) continue;
        list_remove(task, i);
        refused_event(ppu, slot.channel, slot.tmd, FAULT_NONE, 0, &event);
        ppu_emit(ppu, &event);
        return true;
    }
    return false;
}

bool task_management_step_intake(struct ppu *ppu) {
    struct task *task = ppu->task;
    struct trace_event event;
    if (drop_halted(ppu)) return true;
    if (task->queued == 0) return false;
    const struct launch *launch = &task->queue[0];
    if (host_channel_halted(ppu->host, launch->channel)) {
        const uint32_t channel = launch->channel, tmd = launch->tmd;
        queue_remove(task, 0);
        refused_event(ppu, channel, tmd, FAULT_NONE, 0, &event);
        ppu_emit(ppu, &event);
        return true;
    }
    while (!complete(launch)) {
        (void)task_management_fetch(ppu, &event);
        ppu_emit(ppu, &event);
    }
    if (task_management_admit(task)) return true;
    refuse_first(ppu, &event);
    ppu_emit(ppu, &event);
    return true;
}

bool task_management_step_start(struct ppu *ppu) {
    struct task *task = ppu->task;
    struct trace_event event;
    const uint32_t slot = free_slot(task);
    if (task->listed == 0 || slot == task->config.task_slots) return false;
    const struct checked_task front = task->list[0];
    list_remove(task, 0);
    work_distributor_start(ppu, slot, &front, &event);
    ppu_emit(ppu, &event);
    return true;
}
