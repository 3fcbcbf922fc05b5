// The task unit as the rest of the model sees it: the twin of rtl/task/task_unit.sv.
#include <stdlib.h>
#include <string.h>

#include "task/task_internal.h"

struct task *task_create(struct run *run, struct mem *mem, struct sm *const *sms) {
    const struct ppu_config *config = &run->config;
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL) return NULL;
    task->run = run;
    task->mem = mem;
    task->sms = sms;
    task->config = config;
    task->queue = calloc(config->pending_tasks, sizeof task->queue[0]);
    task->lists = calloc((size_t)config->channels * TASK_LEVELS, sizeof task->lists[0]);
    task->epoch = calloc(config->channels, sizeof task->epoch[0]);
    task->slots = calloc(config->task_slots, sizeof task->slots[0]);
    task->slot = calloc(config->task_slots, sizeof task->slot[0]);
    task->done = calloc((size_t)config->sms * config->task_slots, sizeof task->done[0]);
    task->outstanding = calloc(config->channels, sizeof task->outstanding[0]);
    if (task->queue == NULL || task->lists == NULL || task->epoch == NULL || task->slots == NULL ||
        task->slot == NULL || task->done == NULL || task->outstanding == NULL) {
        task_destroy(task);
        return NULL;
    }
    for (uint32_t k = 0; k < config->task_slots; k++)
        task->slot[k] = &task->slots[k].task.slot;
    return task;
}

void task_connect(struct task *task, const struct task_wires *wires) {
    task->wires = *wires;
}

void task_destroy(struct task *task) {
    if (task == NULL) return;
    free(task->queue);
    free(task->lists);
    free(task->epoch);
    free(task->slots);
    free(task->slot);
    free(task->done);
    free(task->outstanding);
    free(task);
}

bool task_channel_idle(const struct task *task, uint32_t channel) {
    return task->outstanding[channel] == 0;
}

bool task_settled(const struct task *task, uint32_t channel) {
    if (task->queued != 0 || (task->taking && task->taken.channel == channel)) return false;
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        if (task->slot[k]->busy && task->slot[k]->channel == channel) return false;
    }
    return true;
}

bool task_suspended(const struct task *task, uint32_t channel) {
    const struct task_suspend *suspend = &task->wires.suspend[channel];
    return task->run->following && task->run->cycles <= suspend->since ? suspend->before : suspend->on;
}

uint32_t task_outstanding(const struct task *task, uint32_t channel) {
    return task->outstanding[channel];
}

const struct task_slot *const *task_slots(const struct task *task) {
    return task->slot;
}

void task_tell_fault(const struct task *task, uint32_t channel, uint32_t code, uint32_t info) {
    const struct fault_report fault = {.channel = channel, .code = code, .info = info};
    task->wires.fault(task->wires.context, &fault);
}

void task_event(const struct task *task, enum trace_kind kind, struct trace_event *event) {
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->cycle = task->run->cycles;
}

void task_halt(struct task *task, uint32_t channel) {
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        struct task_slot *slot = &task->slots[k].task.slot;
        if (slot->busy && slot->channel == channel) slot->kill = true;
    }
}

typedef bool step(struct task *task);

bool task_step(struct task *task) {
    static step *const steps[] = {work_distributor_step_cta_end, work_distributor_step_launch,
                                  work_distributor_step_ending,  eviction_step,
                                  task_management_step,          queue_feeder_step};
    const uint32_t count = sizeof steps / sizeof steps[0];
    // Who is tried first goes round, so that no kind of action waits for another kind to run dry.
    task->turn = (task->turn + 1) % count;
    for (uint32_t i = 0; i < count; i++) {
        if (steps[(task->turn + i) % count](task)) return true;
    }
    return stuck_step(task);
}

bool task_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    switch (rtl->kind) {
        case TRACE_TASK_TAKE: return task_management_follow_take(task, rtl, model, why);
        case TRACE_TASK_EVICT: return eviction_follow(task, rtl, model, why);
        case TRACE_TASK_START: return task_management_follow_start(task, rtl, model, why);
        case TRACE_TASK_PENDING: return task_management_follow_pending(task, rtl, model, why);
        case TRACE_TASK_PARKED: return task_management_follow_parked(task, rtl, model, why);
        case TRACE_TASK_FREED: return work_distributor_follow_freed(task, rtl, model, why);
        case TRACE_TASK_STUCK: return stuck_follow(task, rtl, model, why);
        case TRACE_TASK_DROP: return task_management_follow_drop(task, rtl, model, why);
        case TRACE_TASK_REFUSED: return task_management_follow_refused(task, rtl, model, why);
        case TRACE_CTA_LAUNCH: return work_distributor_follow_launch(task, rtl, model, why);
        case TRACE_CTA_END: return work_distributor_follow_cta_end(task, rtl, model, why);
        case TRACE_TASK_END: return work_distributor_follow_task_end(task, rtl, model, why);
        case TRACE_PERFORM:
            if (rtl->perform.op != MEM_READ && task_management_write(task, rtl, model)) return true;
            if (rtl->perform.op == MEM_ATOMIC && work_distributor_frees(task, rtl, model)) return true;
            if (queue_feeder_follow(task, rtl, model)) return true;
            if (rtl->perform.op != MEM_READ) return work_distributor_follow_release(task, rtl, model, why);
            if (task_management_fetch(task, model)) return true;
            return why_refuse(why, "the task unit reads 0x%x, but no TMD is to be fetched", rtl->perform.addr);
        default: return why_refuse(why, "%s is no event of the task unit", trace_kind_name(rtl->kind));
    }
}

void task_bus_error(struct task *task, const struct mem_note *note) {
    struct running_task *r = &task->slots[note->number];
    switch ((enum task_request)note->what) {
        case TASK_READS_TMD: task_management_failed(task, false); break;
        case TASK_WRITES_TMD: task_management_failed(task, true); break;
        case TASK_COUNTS: task_management_count_failed(task); break;
        case TASK_READS_QUEUE: queue_feeder_failed(r, false); break;
        case TASK_WRITES_QUEUE: queue_feeder_failed(r, true); break;
        case TASK_RELEASES: work_distributor_failed(r, note->serial, 2); break;
        case TASK_FREES: work_distributor_free_failed(r, note->serial, ANSWER_BUS_ERROR); break;
    }
}

bool task_quiescent(const struct task *task, struct why why) {
    for (uint32_t c = 0; c < task->config->channels; c++) {
        if (task->outstanding[c] != 0) {
            why_refuse(why, "channel %u has %u tasks that have not ended", c, task->outstanding[c]);
            return false;
        }
    }
    return true;
}
