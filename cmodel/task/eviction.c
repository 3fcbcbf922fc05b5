// Who is evicted, and when: the twin of rtl/task/eviction.sv.
#include "task/task_internal.h"

// An event is told in the cycle that it belongs to; that a warp does not rest any more the unit hears a little later.
#define REST_LAG 4u

// Those that can step aside go first, since they leave at once; then the lowest level.
static uint32_t eviction_order(const struct running_task *r) {
    return (r->task.save ? 0 : TASK_LEVELS) + r->task.group;
}

// Can it be made to leave? When all of its CTAs are out only if these can step aside. Of those that can one leaves at a
// time, of the others none while another leaves.
static bool evictable(const struct task *task, const struct running_task *r) {
    if (!r->task.slot.busy || r->evicted || !(work_distributor_has_ctas(r) || (r->task.save && r->running != 0)))
        return false;
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        if (task->slots[k].evicted && (task->slots[k].task.save || !r->task.save)) return false;
    }
    return true;
}

static bool no_slot_free(const struct task *task) {
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        if (!task->slots[k].task.slot.busy) return false;
    }
    return true;
}

// Is another slot's CTA to go out?
static bool other_waits(const struct task *task, uint32_t slot, uint32_t above) {
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        if (k != slot && work_distributor_may_launch(task, &task->slots[k]) && task->slots[k].task.group >= above)
            return true;
    }
    return false;
}

// Every warp of the slot waits for children or is at a barrier, at least one for children.
static bool rests(const struct task *task, uint32_t slot) {
    bool waits = false;
    for (uint32_t s = 0; s < task->config->sms; s++) {
        if (!sm_slot_rests(task->sms[s], slot)) return false;
        waits = waits || sm_slot_waits(task->sms[s], slot);
    }
    return waits;
}

// Five reasons to evict: the channel is suspended; a task of a higher level is pending, and no slot is free; a CTA of a
// higher level finds no place on an SM; what rests is in the way of others; its slice is over and others of its level
// wait. The last three only of tasks that can step aside.
enum reason { SUSPENDED, HIGHER_PENDING, HIGHER_CTA, RESTS, SLICE, REASONS };
#define SLICE_CYCLES 1024u

static bool can_step_aside(const struct running_task *r) {
    return r->task.save && r->running != 0;
}

// The first of the order that are below the level and can go, but for killed ones, or config->task_slots.
static uint32_t victim(const struct task *task, uint32_t level, bool steps_aside) {
    const uint32_t slots = task->config->task_slots;
    uint32_t first = slots;
    for (uint32_t k = 0; k < slots; k++) {
        const struct running_task *r = &task->slots[k];
        if (r->task.slot.kill || r->task.group >= level || !evictable(task, r)) continue;
        if (steps_aside && !can_step_aside(r)) continue;
        if (first == slots || eviction_order(r) < eviction_order(&task->slots[first])) first = k;
    }
    return first;
}

static void evict(struct task *task, uint32_t slot, struct trace_event *model) {
    struct running_task *r = &task->slots[slot];
    r->evicted = true;
    r->task.slot.stop = r->task.save;
    task_event(task, TRACE_TASK_EVICT, model);
    model->task_evict.slot = slot;
    model->task_evict.channel = r->task.slot.channel;
    model->task_evict.tmd = r->task.slot.tmd;
}

// Is its slice over, and does a task of its level wait, or of any when the levels take turns?
static bool slice_over(const struct task *task, uint32_t slot) {
    const struct running_task *r = &task->slots[slot];
    const bool any = *task->wires.round_robin;
    uint32_t channel, level;
    if (*task->wires.slice == 0 || !can_step_aside(r) ||
        task->run->cycles < r->begun + (uint64_t)*task->wires.slice * SLICE_CYCLES)
        return false;
    if (task_management_pick(task, &channel, &level) && no_slot_free(task) && (any || level == r->task.group))
        return true;
    return other_waits(task, slot, any ? 0 : r->task.group);
}

// Is there this reason to evict the task of the slot before others? A task that is being killed may be evicted, or not:
// a choice of timing.
static bool reason_holds(const struct task *task, uint32_t slot, enum reason reason) {
    const struct running_task *r = &task->slots[slot];
    uint32_t channel, level = 0;
    const bool pending = task_management_pick(task, &channel, &level) && no_slot_free(task);
    if (reason == SUSPENDED) return task_suspended(task, r->task.slot.channel);
    if (reason == SLICE) return slice_over(task, slot);
    if (reason == RESTS) {
        const bool rested = rests(task, slot) || task->run->cycles <= r->woken + REST_LAG;
        return can_step_aside(r) && rested && (pending || other_waits(task, slot, 0));
    }
    if (*task->wires.round_robin) return false;
    const bool cta = reason == HIGHER_CTA;
    if (cta && !(can_step_aside(r) && other_waits(task, slot, r->task.group + 1))) return false;
    if (!cta && (!pending || r->task.group >= level)) return false;
    const uint32_t first = victim(task, cta ? TASK_LEVELS : level, cta);
    return first == task->config->task_slots || eviction_order(r) <= eviction_order(&task->slots[first]);
}

bool eviction_follow(struct task *task, const struct trace_event *rtl, struct trace_event *model, struct why why) {
    const uint32_t slot = rtl->task_evict.slot;
    if (slot >= task->config->task_slots || !evictable(task, &task->slots[slot]))
        return why_refuse(why, "the task of slot %u is evicted, which cannot leave, or not now", slot);
    enum reason reason = SUSPENDED;
    while (reason != REASONS && !reason_holds(task, slot, reason))
        reason++;
    if (reason == REASONS)
        return why_refuse(why, "the task of slot %u is evicted, but nobody waits for it, or another should go", slot);
    evict(task, slot, model);
    return true;
}

// Alone nothing is waited for: what rests goes as soon as it is in the way.
static uint32_t step_victim(const struct task *task) {
    const uint32_t slots = task->config->task_slots, best = work_distributor_next(task);
    const bool round_robin = *task->wires.round_robin, full = no_slot_free(task);
    const bool crowded = best != slots && work_distributor_room(task, best) == task->config->sms;
    uint32_t channel, level, first = slots;
    for (uint32_t k = 0; k < slots; k++) {
        const struct running_task *r = &task->slots[k];
        if (task_suspended(task, r->task.slot.channel) && !r->task.slot.kill && evictable(task, r)) return k;
    }
    const bool pending = task_management_pick(task, &channel, &level) && full;
    if (pending && !round_robin) first = victim(task, level, false);
    if (first == slots && crowded && !round_robin) first = victim(task, task->slots[best].task.group, true);
    for (uint32_t l = 0; l < TASK_LEVELS && first == slots && (pending || crowded); l++) {
        for (uint32_t k = 0; k < slots && first == slots; k++) {
            const struct running_task *r = &task->slots[k];
            if (r->task.group != l || !can_step_aside(r) || r->task.slot.kill || !evictable(task, r)) continue;
            if ((pending || other_waits(task, k, 0)) && rests(task, k)) first = k;
        }
    }
    for (uint32_t k = 0; k < slots && first == slots && *task->wires.slice != 0; k++) {
        const struct running_task *r = &task->slots[k];
        if (evictable(task, r) && !r->task.slot.kill && (pending || crowded) && slice_over(task, k)) first = k;
    }
    return first;
}

bool eviction_step(struct task *task) {
    struct trace_event event;
    // The time in traps is no part of a slice.
    for (uint32_t i = 0; i < task->config->task_slots * task->config->sms && *task->wires.slice != 0; i++) {
        struct running_task *r = &task->slots[i / task->config->sms];
        if (sm_slot_trapped(task->sms[i % task->config->sms], i / task->config->sms)) r->begun = task->run->cycles;
    }
    const uint32_t slot = step_victim(task);
    if (slot == task->config->task_slots) return false;
    evict(task, slot, &event);
    mem_emit(task->mem, &event);
    return true;
}
