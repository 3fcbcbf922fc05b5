// The task table: CTAs out, tasks end, releases: the twin of rtl/task/work_distributor.sv.
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "task/task_internal.h"

#define DEFECT_CTA_ORDER 123u

void work_distributor_start(struct task *task, uint32_t slot, const struct checked_task *checked,
                            struct trace_event *model) {
    struct running_task *r = &task->slots[slot];
    memset(r, 0, sizeof *r);
    r->task = *checked;
    r->task.slot.busy = true;
    r->task.slot.kill = task->wires.channel_halt[checked->slot.channel];
    memcpy(r->next, checked->next, sizeof r->next);
    for (unsigned i = 0; i < 2; i++)
        r->release_left[i] = checked->release[i].enable, r->frees_left[i] = checked->frees[i];
    r->frees_left[PARENT] = parents_has(r);
    r->saved = checked->saved;
    r->launched = checked->launched;
    queue_feeder_start(r);
    task->run->counters.tasks++;
    task_event(task, TRACE_TASK_START, model);
    model->task_start.slot = slot;
    model->task_start.channel = checked->slot.channel;
    model->task_start.tmd = checked->slot.tmd;
    model->task_start.pc = (checked->slot.code_base - checked->slot.region) >> 3;
}

// ---- CTAs out ----
// Has it CTAs that are not out?
bool work_distributor_has_ctas(const struct running_task *r) {
    return !r->launched || r->saved != 0;
}

bool work_distributor_may_launch(const struct task *task, const struct running_task *r) {
    return r->task.slot.busy && work_distributor_has_ctas(r) && !r->evicted &&
           !task_suspended(task, r->task.slot.channel) && (!r->task.sequential || r->running == 0) &&
           (!r->task.queue || queue_feeder_count(r) != 0);
}

// x fastest, then y, then z, which ends as the grid's.
static void next_cta(const struct task *task, struct running_task *r) {
    const uint32_t *grid = r->task.slot.grid;
    if (r->task.queue) {
        queue_feeder_next(r);
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (task->run->inject == DEFECT_CTA_ORDER && i == 1 && r->next[1] + 1 < grid[1]) return;
        if (++r->next[i] < grid[i]) return;
        if (i < 2) r->next[i] = 0;
    }
    r->launched = true;
}

static void launch_event(struct task *task, uint32_t slot, uint32_t sm, struct trace_event *model) {
    const struct running_task *r = &task->slots[slot];
    task_event(task, TRACE_CTA_LAUNCH, model);
    model->cta_launch.slot = slot;
    model->cta_launch.sm = sm;
    model->cta_launch.resumed = r->saved != 0;
    if (r->saved != 0) return;
    model->cta_launch.x = r->next[0];
    model->cta_launch.y = r->task.queue ? queue_feeder_count(r) : r->next[1];
    model->cta_launch.z = r->next[2];
}

// One of those that have left comes back first.
static void launch(struct task *task, uint32_t slot, uint32_t sm) {
    struct running_task *r = &task->slots[slot];
    if (r->running == 0) r->begun = task->run->cycles;
    r->running++;
    r->woken = task->run->cycles;
    if (r->saved != 0) {
        r->saved--;
        sm_take_cta(task->sms[sm], slot, 0, 0, 0, true);
        return;
    }
    sm_take_cta(task->sms[sm], slot, r->next[0], r->task.queue ? queue_feeder_count(r) : r->next[1], r->next[2], false);
    task->run->counters.ctas++;
    next_cta(task, r);
}

bool work_distributor_follow_launch(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why) {
    const uint32_t slot = rtl->cta_launch.slot, sm = rtl->cta_launch.sm;
    if (slot >= task->config->task_slots || !task->slots[slot].task.slot.busy)
        return why_refuse(why, "a CTA of slot %u is launched, in which no task runs", slot);
    if (sm >= task->config->sms) return why_refuse(why, "a CTA is launched on SM %u of %u", sm, task->config->sms);
    if (!work_distributor_has_ctas(&task->slots[slot]))
        return why_refuse(why, "a CTA of slot %u is launched after its last one", slot);
    if (task->slots[slot].task.queue && queue_feeder_count(&task->slots[slot]) == 0)
        return why_refuse(why, "a CTA of slot %u is launched without an entry in its queue", slot);
    if (task_suspended(task, task->slots[slot].task.slot.channel))
        return why_refuse(why, "a CTA of slot %u is launched, whose channel is suspended", slot);
    if (!work_distributor_may_launch(task, &task->slots[slot]))
        return why_refuse(why, "a CTA of slot %u is launched while another of this sequential task runs", slot);
    if (!sm_can_take_cta(task->sms[sm], slot))
        return why_refuse(why, "a CTA of slot %u is launched on SM %u, which has no room for it", slot, sm);
    launch_event(task, slot, sm, model);
    launch(task, slot, sm);
    return true;
}

// The slot whose CTA goes out next, or config->task_slots: of the highest level, round robin among equals.
uint32_t work_distributor_next(const struct task *task) {
    const uint32_t slots = task->config->task_slots;
    uint32_t best = slots;
    for (uint32_t i = 1; i <= slots; i++) {
        const uint32_t k = (task->last_slot + i) % slots;
        const struct running_task *r = &task->slots[k];
        if (!work_distributor_may_launch(task, r) || r->task.slot.kill) continue;
        if (best == slots || r->task.group > task->slots[best].task.group) best = k;
    }
    return best;
}

// The next SM that takes a CTA of the slot, or config->sms.
uint32_t work_distributor_room(const struct task *task, uint32_t slot) {
    const uint32_t sms = task->config->sms;
    for (uint32_t i = 1; i <= sms; i++) {
        const uint32_t sm = (task->last_sm + i) % sms;
        if (sm_can_take_cta(task->sms[sm], slot)) return sm;
    }
    return sms;
}

bool work_distributor_can_leave(const struct running_task *r) {
    return r->task.slot.busy && r->evicted && work_distributor_has_ctas(r) && !r->leaving && r->running == 0 &&
           queue_feeder_synced(r);
}

// ---- CTAs that end ----
void task_cta_done(struct task *task, uint32_t sm, uint32_t slot, bool left) {
    task->done[sm * task->config->task_slots + slot][left]++;
}

static void cta_end(struct task *task, uint32_t sm, uint32_t slot, bool left, struct trace_event *model) {
    struct running_task *r = &task->slots[slot];
    task->done[sm * task->config->task_slots + slot][left]--;
    r->running--;
    if (left) r->saved++;
    task_event(task, TRACE_CTA_END, model);
    model->cta_end.sm = sm;
    model->cta_end.slot = slot;
    model->cta_end.left = left;
}

bool work_distributor_follow_cta_end(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                     struct why why) {
    const uint32_t sm = rtl->cta_end.sm, slot = rtl->cta_end.slot;
    const bool left = rtl->cta_end.left != 0;
    if (sm >= task->config->sms || slot >= task->config->task_slots ||
        task->done[sm * task->config->task_slots + slot][left] == 0)
        return why_refuse(why, "a CTA of slot %u %s SM %u, where none has", slot, left ? "leaves" : "ends on", sm);
    cta_end(task, sm, slot, left, model);
    return true;
}

// ---- releases ----
static uint32_t reduction(const struct task_release *release) {
    switch (release->op) {
        case TMD_RELEASE_RED_OP_ADD: return ATOM_ADD;
        case TMD_RELEASE_RED_OP_MIN: return release->is_signed ? ATOM_MIN : ATOM_UMIN;
        case TMD_RELEASE_RED_OP_MAX: return release->is_signed ? ATOM_MAX : ATOM_UMAX;
        case TMD_RELEASE_RED_OP_INC: return ATOM_INC;
        case TMD_RELEASE_RED_OP_DEC: return ATOM_DEC;
        case TMD_RELEASE_RED_OP_AND: return ATOM_AND;
        case TMD_RELEASE_RED_OP_OR: return ATOM_OR;
        default: return ATOM_XOR;
    }
}

// The second word of an operand, which no reduction looks at, says whose it is: the slot + 1; REDUCES: a release.
#define REDUCES 0x100u

static uint32_t slot_word(const struct task *task, const struct running_task *r) {
    return (uint32_t)(r - task->slots) + 1;
}

static void release_request(const struct task *task, const struct running_task *r, unsigned number, uint64_t time,
                            struct mem_request *request) {
    const struct task_release *release = &r->task.release[number];
    memset(request, 0, sizeof *request);
    request->channel = r->task.slot.channel;
    if (release->reduce) {
        const uint32_t words[2] = {release->payload, REDUCES + slot_word(task, r)};
        request->op = MEM_ATOMIC;
        request->atom = reduction(release);
        request->addr = release->addr;
        memcpy(request->wdata, words, sizeof words);
        return;
    }
    const uint32_t at = release->addr % LINE_BYTES;
    request->op = MEM_WRITE;
    request->addr = release->addr - at;
    request->wstrb = (release->one_word ? 0xFu : 0xFFFFu) << at;
    memcpy(request->wdata + at, &release->payload, 4);
    if (!release->one_word) memcpy(request->wdata + at + 8, &time, 8);
}

// The release that is due in a slot: 0 or 1; 2: none.
static unsigned due_release(const struct running_task *r) {
    if (!r->task.slot.busy || work_distributor_has_ctas(r) || r->running != 0 || r->faulted || !queue_feeder_synced(r))
        return 2;
    return r->release_left[0] ? 0 : r->release_left[1] ? 1 : 2;
}

static void perform_release(struct task *task, struct running_task *r, unsigned number, uint64_t time,
                            struct trace_event *model) {
    struct mem_request request;
    struct mem_response response;
    release_request(task, r, number, time, &request);
    const uint32_t slot = (uint32_t)(r - task->slots);
    mem_perform_event(task->mem, MEM_PORT_TASK, &request, &response, model);
    mem_note(task->mem, MEM_PORT_TASK, &(struct mem_note){.what = TASK_RELEASES, .number = slot, .serial = number});
    r->release_left[number] = false;
    if (response.fault != 0) work_distributor_failed(r, number, response.fault);
}

void work_distributor_failed(struct running_task *r, unsigned number, uint32_t fault) {
    r->faulted = true;
    r->task.slot.kill = true;
    r->release_code = fault == ANSWER_OUTSIDE ? FAULT_SEMAPHORE_ADDRESS : FAULT_BUS_ERROR;
    r->release_info = r->task.release[number].addr;
}

// Does the RTL's event look like this task's release? (Time and bytes without a strobe aside.)
static bool release_fits(const struct task *task, const struct running_task *r, const struct trace_perform *event) {
    const unsigned number = due_release(r);
    if (number == 2) return false;
    struct mem_request request;
    release_request(task, r, number, 0, &request);
    const bool reduces = request.op == MEM_ATOMIC;
    const uint32_t at = reduces ? 0 : r->task.release[number].addr % LINE_BYTES;
    return request.addr == event->addr && request.channel == event->channel && (uint32_t)request.op == event->op &&
           request.wstrb == event->wstrb && memcmp(request.wdata + at, event->wdata + at, reduces ? 8 : 4) == 0;
}

// Alike in what they do to memory; fields that do not matter may differ. Reductions say whose they are.
static bool same_release(const struct task_release *a, const struct task_release *b) {
    return !a->reduce && !b->reduce && a->addr == b->addr && a->payload == b->payload && a->one_word == b->one_word;
}

// The release of a task that was performed last, or 2.
static unsigned last_release(const struct running_task *r) {
    if (!r->task.slot.busy) return 2;
    for (unsigned i = 2; i-- > 0;) {
        if (r->task.release[i].enable && !r->release_left[i]) return i;
    }
    return 2;
}

// The events do not name the slot of a release that writes. When two tasks at their end release alike, the model may have taken one
// for the other: then the release that `from` did last was really the one that is due in `to`. False: they are not
// alike.
static bool shift_release(const struct task *task, struct running_task *to, struct running_task *from) {
    const unsigned due = due_release(to), last = last_release(from);
    if (due == 2 || last == 2 || to->task.slot.channel != from->task.slot.channel) return false;
    for (unsigned i = 0; i < 2; i++) {
        if (from->task.frees[i] && !from->frees_left[i]) return false;  // its releases went before
    }
    if (parents_has(from) && !from->frees_left[PARENT]) return false;
    if (!same_release(&to->task.release[due], &from->task.release[last])) return false;
    if (from->faulted && from->release_code == FAULT_NONE) return false;  // a fault of a warp: it has not released
    to->release_left[due] = false;
    from->release_left[last] = true;
    if (from->faulted) {
        to->faulted = to->task.slot.kill = true;
        to->release_code = from->release_code;
        to->release_info = from->release_info;
        from->faulted = false;
        from->task.slot.kill = task->wires.channel_halt[from->task.slot.channel];
        from->release_code = from->release_info = 0;
    }
    return true;
}

// The task whose release it is. The RTL brings one task to its end before it looks at the next: so first one that has
// begun.
static struct running_task *find_release(struct task *task, const struct trace_perform *event) {
    const uint32_t slots = task->config->task_slots;
    struct running_task *found = NULL;
    for (uint32_t k = 0; k < slots; k++) {
        struct running_task *r = &task->slots[k];
        if (release_fits(task, r, event) && (found == NULL || last_release(r) != 2)) found = r;
    }
    for (uint32_t i = 0; i < slots * slots && found == NULL; i++) {
        struct running_task *to = &task->slots[i / slots], *from = &task->slots[i % slots];
        if (to == from || !shift_release(task, to, from)) continue;
        if (release_fits(task, to, event)) {
            found = to;
        } else {
            shift_release(task, from, to);
        }
    }
    // Nothing fits: the version of a task that has a release due is told, and differs.
    for (uint32_t k = 0; k < slots && found == NULL; k++) {
        if (due_release(&task->slots[k]) != 2) found = &task->slots[k];
    }
    return found;
}

bool work_distributor_follow_release(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                     struct why why) {
    struct running_task *r = find_release(task, &rtl->perform);
    if (r == NULL)
        return why_refuse(why, "a release to 0x%x is performed, but no task is at its end", rtl->perform.addr);
    const unsigned number = due_release(r);
    const struct task_release *release = &r->task.release[number];
    uint64_t time = 0;
    if (!release->reduce && !release->one_word) {
        memcpy(&time, rtl->perform.wdata + release->addr % LINE_BYTES + 8, 8);
        if (time < task->last_time)
            return why_refuse(why, "the timestamp of the release to 0x%x runs backwards", rtl->perform.addr);
        task->last_time = time;
    }
    perform_release(task, r, number, time, model);
    return true;
}

// ---- tasks that wait for the end of another ----
// Who is to be freed next of a slot: DEPENDENT_QMD0 or 1, PARENT or NOBODY.
static unsigned due_free(const struct task *task, const struct running_task *r) {
    if (!r->task.slot.busy || work_distributor_has_ctas(r) || r->running != 0 || r->faulted || r->freeing ||
        !queue_feeder_synced(r) || due_release(r) != 2)
        return NOBODY;
    for (unsigned i = 0; i < 2; i++) {
        if (r->frees_left[i]) return i;
    }
    return r->frees_left[PARENT] && !parents_here(task, r) ? PARENT : NOBODY;
}

static uint32_t freed_tmd(const struct running_task *r, unsigned number) {
    return number == PARENT ? (r->task.parent & PARENT_TMD) * TMD_BYTES : r->task.frees_tmd[number];
}

static void free_fails(struct running_task *r, unsigned number, uint32_t code) {
    r->faulted = true;
    r->task.slot.kill = true;
    r->release_code = code;
    r->release_info = freed_tmd(r, number);
}

void work_distributor_free_failed(struct running_task *r, unsigned number, uint32_t fault) {
    r->freeing = false;
    free_fails(r, number, fault == ANSWER_OUTSIDE ? FAULT_TMD_DEPENDENT_QMD : FAULT_BUS_ERROR);
}

static void free_request(const struct task *task, const struct running_task *r, unsigned number,
                         struct mem_request *request) {
    const uint32_t words[2] = {UINT32_MAX, slot_word(task, r)};
    memset(request, 0, sizeof *request);
    request->channel = r->task.slot.channel;
    request->op = MEM_ATOMIC;
    request->atom = ATOM_ADD;
    request->addr = freed_tmd(r, number) + TMD_DEPENDENCE_COUNTER_WORD * 4;
    memcpy(request->wdata, words, sizeof words);
}

static void perform_free(struct task *task, struct running_task *r, unsigned number, struct trace_event *model) {
    const uint32_t slot = (uint32_t)(r - task->slots);
    struct mem_request request;
    struct mem_response response;
    uint32_t before;
    free_request(task, r, number, &request);
    mem_perform_event(task->mem, MEM_PORT_TASK, &request, &response, model);
    mem_note(task->mem, MEM_PORT_TASK, &(struct mem_note){.what = TASK_FREES, .number = slot, .serial = number});
    memcpy(&before, response.data, 4);
    r->frees_left[number] = false;
    if (response.fault != 0) {
        work_distributor_free_failed(r, number, response.fault);
    } else if (before == 0) {
        free_fails(r, number, FAULT_TMD_DEPENDENCE_COUNTER);
    } else if (before == 1) {
        r->freeing = true;
        r->freeing_tmd = freed_tmd(r, number);
    }
}

bool work_distributor_frees(struct task *task, const struct trace_event *rtl, struct trace_event *model) {
    const uint32_t slots = task->config->task_slots;
    uint32_t words[2];
    memcpy(words, rtl->perform.wdata, sizeof words);
    if (words[1] == 0 || words[1] > slots) return false;
    struct running_task *r = &task->slots[words[1] - 1];
    // The releases go before it: another task's may have been taken for them.
    for (uint32_t k = 0; k < 2 * slots && due_release(r) != 2; k++) {
        if (&task->slots[k % slots] != r) (void)shift_release(task, r, &task->slots[k % slots]);
    }
    const unsigned number = due_free(task, r);
    if (number == NOBODY) return false;
    perform_free(task, r, number, model);
    return true;
}

static void hand_over(struct task *task, uint32_t slot, struct trace_event *model) {
    struct running_task *r = &task->slots[slot];
    task_event(task, TRACE_TASK_FREED, model);
    model->task_freed.slot = slot;
    model->task_freed.channel = r->task.slot.channel;
    model->task_freed.tmd = r->freeing_tmd;
    r->freeing = false;
    task_management_free(task, r->task.slot.channel, r->freeing_tmd);
}

bool work_distributor_follow_freed(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                   struct why why) {
    const uint32_t slot = rtl->task_freed.slot;
    if (slot >= task->config->task_slots || !task->slots[slot].freeing)
        return why_refuse(why,
                          "the end of the task of slot %u frees the one at 0x%x, which waits, or does not wait for it",
                          slot, rtl->task_freed.tmd);
    if (!task_can_launch(task))
        return why_refuse(why, "the task at 0x%x is launched, but the launch queue is full", rtl->task_freed.tmd);
    hand_over(task, slot, model);
    return true;
}

// ---- tasks that end ----
void task_warp_fault(struct task *task, uint32_t slot, uint32_t code, uint32_t info, uint32_t pc) {
    struct running_task *r = &task->slots[slot];
    r->faulted = true;
    r->task.slot.kill = true;
    const struct fault_report fault = {.channel = r->task.slot.channel, .code = code, .info = info, .pc = pc};
    task->wires.fault(task->wires.context, &fault);
}

static void task_end(struct task *task, uint32_t slot, bool killed, struct trace_event *model) {
    struct running_task *r = &task->slots[slot];
    const uint32_t channel = r->task.slot.channel, code = r->release_code, info = r->release_info;
    task_event(task, TRACE_TASK_END, model);
    model->task_end.slot = slot;
    model->task_end.channel = channel;
    model->task_end.tmd = r->task.slot.tmd;
    model->task_end.killed = killed;
    task->outstanding[channel]--;
    parents_tell(task, r);
    memset(r, 0, sizeof *r);
    if (code != FAULT_NONE) task_tell_fault(task, channel, code, info);
}

// May the task of the slot end like this? *killed: what the model says.
static bool may_end(const struct task *task, const struct running_task *r, bool rtl_killed, bool *killed) {
    const bool complete =
        !work_distributor_has_ctas(r) && queue_feeder_synced(r) && due_release(r) == 2 && due_free(task, r) == NOBODY;
    // Whether the fault of the channel came before the end is a choice of timing; a fault of its own is not.
    *killed = r->faulted || (rtl_killed && task->wires.channel_halt[r->task.slot.channel]);
    return !r->freeing && (*killed || complete);
}

bool work_distributor_follow_task_end(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                      struct why why) {
    const uint32_t slot = rtl->task_end.slot, slots = task->config->task_slots;
    const bool rtl_killed = rtl->task_end.killed != 0;
    if (slot >= slots || !task->slots[slot].task.slot.busy)
        return why_refuse(why, "a task ends in slot %u, in which none runs", slot);
    struct running_task *r = &task->slots[slot];
    if (r->running != 0) return why_refuse(why, "the task of slot %u ends while %u of its CTAs run", slot, r->running);
    bool killed;
    for (uint32_t k = 0; k < 2 * slots && (!may_end(task, r, rtl_killed, &killed) || killed != rtl_killed); k++) {
        if (k % slots != slot) (void)shift_release(task, r, &task->slots[k % slots]);
    }
    if (!may_end(task, r, rtl_killed, &killed)) {
        return why_refuse(
            why, "the task of slot %u ends before %s", slot,
            work_distributor_has_ctas(r) ? "all of its CTAs were launched" : "its releases are performed");
    }
    if (killed && r->release_code == FAULT_NONE && r->children != 0 && !task->wires.channel_halt[r->task.slot.channel])
        return why_refuse(why, "the task of slot %u ends killed, but its children would not find it", slot);
    task_end(task, slot, killed, model);
    return true;
}

// ---- alone ----
bool work_distributor_step_launch(struct task *task) {
    const uint32_t best = work_distributor_next(task);
    if (best == task->config->task_slots) return false;
    const uint32_t sm = work_distributor_room(task, best);
    if (sm == task->config->sms) return false;
    struct trace_event event;
    // Told first: its warps start, and tell so, at once.
    launch_event(task, best, sm, &event);
    mem_emit(task->mem, &event);
    launch(task, best, sm);
    task->last_slot = best;
    task->last_sm = sm;
    return true;
}

bool work_distributor_step_cta_end(struct task *task) {
    struct trace_event event;
    for (uint32_t sm = 0; sm < task->config->sms; sm++) {
        for (uint32_t slot = 0; slot < task->config->task_slots; slot++) {
            const uint32_t *done = task->done[sm * task->config->task_slots + slot];
            if (done[0] + done[1] == 0) continue;
            cta_end(task, sm, slot, done[0] == 0, &event);
            mem_emit(task->mem, &event);
            return true;
        }
    }
    return false;
}

bool work_distributor_step_ending(struct task *task) {
    struct trace_event event;
    for (uint32_t k = 0; k < task->config->task_slots; k++) {
        struct running_task *r = &task->slots[k];
        if (!r->task.slot.busy || r->running != 0 ||
            !((!work_distributor_has_ctas(r) && queue_feeder_synced(r)) || r->task.slot.kill))
            continue;
        const unsigned number = r->task.slot.kill ? 2 : due_release(r);
        const unsigned freed = r->task.slot.kill ? NOBODY : due_free(task, r);
        if (r->freeing) {
            if (!task_can_launch(task)) continue;
            hand_over(task, k, &event);
        } else if (freed != NOBODY) {
            perform_free(task, r, freed, &event);
        } else if (number < 2) {
            const uint64_t time = task->run->cycles * task->config->ns_per_cycle;
            perform_release(task, r, number, time, &event);
        } else {
            task_end(task, k, r->task.slot.kill, &event);
        }
        mem_emit(task->mem, &event);
        return true;
    }
    return false;
}
