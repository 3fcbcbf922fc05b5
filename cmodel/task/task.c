// The task unit as the rest of the model sees it: the twin of rtl/task/task_unit.sv.
#include "task.h"

#include <stdlib.h>
#include <string.h>

struct task *task_create(const struct ppu_config *config) {
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL) return NULL;
    task->config = *config;
    task->queue = calloc(config->pending_tasks, sizeof task->queue[0]);
    task->lists = calloc((size_t)config->channels * TASK_LEVELS, sizeof task->lists[0]);
    task->epoch = calloc(config->channels, sizeof task->epoch[0]);
    task->slots = calloc(config->task_slots, sizeof task->slots[0]);
    task->done = calloc((size_t)config->sms * config->task_slots, sizeof task->done[0]);
    task->outstanding = calloc(config->channels, sizeof task->outstanding[0]);
    if (task->queue == NULL || task->lists == NULL || task->epoch == NULL || task->slots == NULL ||
        task->done == NULL || task->outstanding == NULL) {
        task_destroy(task);
        return NULL;
    }
    return task;
}

void task_destroy(struct task *task) {
    if (task == NULL) return;
    free(task->queue);
    free(task->lists);
    free(task->epoch);
    free(task->slots);
    free(task->done);
    free(task->outstanding);
    free(task);
}

bool task_channel_idle(const struct task *task, uint32_t channel) {
    return task->outstanding[channel] == 0;
}

uint32_t task_outstanding(const struct task *task, uint32_t channel) {
    return task->outstanding[channel];
}

const struct task_slot *task_get_slot(const struct task *task, uint32_t slot) {
    return &task->slots[slot].task.slot;
}

void task_event(const struct ppu *ppu, enum trace_kind kind, struct trace_event *event) {
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->cycle = ppu->cycles;
}

// A fault of a channel stops all of its tasks.
static void kill_halted(struct ppu *ppu) {
    struct task *task = ppu->task;
    for (uint32_t k = 0; k < task->config.task_slots; k++) {
        struct task_slot *slot = &task->slots[k].task.slot;
        if (slot->busy && !slot->kill && host_channel_halted(ppu->host, slot->channel)) slot->kill = true;
    }
}

typedef bool step(struct ppu *ppu);

bool task_step(struct ppu *ppu) {
    static step *const steps[] = {work_distributor_step_cta_end, work_distributor_step_launch,
                                  work_distributor_step_ending,  work_distributor_step_evict,
                                  task_management_step,          queue_feeder_step};
    const uint32_t count = sizeof steps / sizeof steps[0];
    struct task *task = ppu->task;
    kill_halted(ppu);
    // Who is tried first goes round, so that no kind of action waits for another kind to run dry.
    task->turn = (task->turn + 1) % count;
    for (uint32_t i = 0; i < count; i++) {
        if (steps[(task->turn + i) % count](ppu)) return true;
    }
    return work_distributor_step_stuck(ppu);
}

bool task_follow(struct ppu *ppu, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    kill_halted(ppu);
    switch (rtl->kind) {
        case TRACE_TASK_TAKE: return task_management_follow_take(ppu, rtl, model, why);
        case TRACE_TASK_EVICT: return work_distributor_follow_evict(ppu, rtl, model, why);
        case TRACE_TASK_START: return task_management_follow_start(ppu, rtl, model, why);
        case TRACE_TASK_PENDING: return task_management_follow_pending(ppu, rtl, model, why);
        case TRACE_TASK_STUCK: return work_distributor_follow_stuck(ppu, rtl, model, why);
        case TRACE_TASK_DROP: return task_management_follow_drop(ppu, rtl, model, why);
        case TRACE_TASK_REFUSED: return task_management_follow_refused(ppu, rtl, model, why);
        case TRACE_CTA_LAUNCH: return work_distributor_follow_launch(ppu, rtl, model, why);
        case TRACE_CTA_END: return work_distributor_follow_cta_end(ppu, rtl, model, why);
        case TRACE_TASK_END: return work_distributor_follow_task_end(ppu, rtl, model, why);
        case TRACE_PERFORM:
            if (rtl->perform.op == MEM_WRITE && task_management_write(ppu, rtl, model)) return true;
            if (queue_feeder_follow(ppu, rtl, model)) return true;
            if (rtl->perform.op != MEM_READ) return work_distributor_follow_release(ppu, rtl, model, why);
            if (task_management_fetch(ppu, model)) return true;
            return ppu_refuse(why, "the task unit reads 0x%x, but no TMD is to be fetched", rtl->perform.addr);
        default: return ppu_refuse(why, "%s is no event of the task unit", trace_kind_name(rtl->kind));
    }
}

void task_bus_error(struct ppu *ppu, const struct mem_note *note) {
    struct running_task *r = &ppu->task->slots[note->number];
    switch ((enum task_request)note->what) {
        case TASK_READS_TMD: task_management_failed(ppu, false); break;
        case TASK_WRITES_TMD: task_management_failed(ppu, true); break;
        case TASK_READS_QUEUE: queue_feeder_failed(r, false); break;
        case TASK_WRITES_QUEUE: queue_feeder_failed(r, true); break;
        case TASK_RELEASES: work_distributor_failed(r, note->serial, 2); break;
    }
}

bool task_quiescent(const struct ppu *ppu, struct why why) {
    const struct task *task = ppu->task;
    for (uint32_t c = 0; c < task->config.channels; c++) {
        if (task->outstanding[c] != 0) {
            ppu_refuse(why, "channel %u has %u tasks that have not ended", c, task->outstanding[c]);
            return false;
        }
    }
    return true;
}
