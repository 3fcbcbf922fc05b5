// Takes launches in and decides which task is scheduled next: the twin of rtl/task/task_management.sv.
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"
#include "task/task_internal.h"

// What starts has been decided before.
#define START_LAG 2u

// ---- the launch queue ----
bool task_can_launch(const struct task *task) {
    return task->queued < task->config->pending_tasks;
}

void task_launch(struct task *task, uint32_t channel, uint32_t tmd, uint32_t region, uint32_t local) {
    struct launch *launch = &task->queue[task->queued++];
    memset(launch, 0, sizeof *launch);
    launch->channel = channel;
    launch->tmd = tmd;
    launch->region = region;
    launch->local = local;
    task->outstanding[channel]++;
}

void task_launch_child(struct task *task, const struct sm_child *child) {
    const struct task_slot *parent = task->slot[child->slot];
    task_launch(task, parent->channel, child->number << 8, parent->region, parent->local);
    task->queue[task->queued - 1].beyond = child->number >> 24 != 0;
    task->queue[task->queued - 1].parent = child->wait ? parents_launch(task, child) : 0;
}

void task_management_free(struct task *task, uint32_t channel, uint32_t tmd) {
    task_launch(task, channel, tmd, 0, 0);
    task->queue[task->queued - 1].freed = true;
}

// ---- a task is taken and its TMD read ----
static bool complete(const struct launch *launch) {
    return launch->lines == TMD_LINES;
}

static struct pending_list *list_of(struct task *task, const struct launch *taken) {
    return &task->lists[taken->channel * TASK_LEVELS + taken->level];
}

bool task_management_pick(const struct task *task, uint32_t *channel, uint32_t *level) {
    const uint32_t channels = task->config->channels;
    if (task->pending == 0) return false;
    // From the highest level down, or around from the one below that served last.
    const uint32_t first = *task->wires.round_robin ? task->last_level + TASK_LEVELS - 1 : TASK_LEVELS - 1;
    for (uint32_t i = 0; i < TASK_LEVELS; i++) {
        *level = (first + TASK_LEVELS - i) % TASK_LEVELS;
        for (uint32_t k = 1; k <= channels; k++) {
            *channel = (task->last_channel + k) % channels;
            if (task->lists[*channel * TASK_LEVELS + *level].count != 0 && !task->wires.channel_halt[*channel] &&
                !task_suspended(task, *channel))
                return true;
        }
    }
    return false;
}

static void take_event(const struct task *task, struct trace_event *model) {
    const struct launch *taken = &task->taken;
    task_event(task, TRACE_TASK_TAKE, model);
    model->task_take.from = taken->listed ? FROM_LIST : taken->evicted ? FROM_SLOT : FROM_LAUNCH;
    model->task_take.slot = taken->slot;
    model->task_take.channel = taken->channel;
    model->task_take.level = taken->level;
    model->task_take.tmd = taken->tmd;
}

static void take_listed(struct task *task, uint32_t channel, uint32_t level, struct trace_event *model) {
    const struct pending_list *list = &task->lists[channel * TASK_LEVELS + level];
    task->taken = (struct launch){.channel = channel,
                                  .tmd = list->head * TMD_BYTES,
                                  .listed = true,
                                  .last = list->count == 1,
                                  .level = level,
                                  .epoch = task->epoch[channel]};
    task->taking = true;
    task->last_level = level;
    task->last_channel = channel;
    take_event(task, model);
}

static void take_first(struct task *task, struct trace_event *model) {
    task->taken = task->queue[0];
    task->taken.epoch = task->epoch[task->taken.channel];
    task->taking = true;
    task->queued--;
    memmove(&task->queue[0], &task->queue[1], task->queued * sizeof task->queue[0]);
    if (task->taken.beyond) {
        task->taken.lines = TMD_LINES;
        task->taken.code = FAULT_TMD_FETCH;
        task->taken.info = task->taken.tmd;
    }
    take_event(task, model);
}

// The TMD of an evicted task is not read again: it is written and linked.
static void take_evicted(struct task *task, uint32_t slot, struct trace_event *model) {
    struct running_task *r = &task->slots[slot];
    task->taken = (struct launch){.channel = r->task.slot.channel,
                                  .tmd = r->task.slot.tmd,
                                  .region = r->task.slot.region,
                                  .parent = r->task.parent,
                                  .local = r->task.slot.local,
                                  .slot = slot,
                                  .evicted = true,
                                  .level = r->task.group,
                                  .epoch = task->epoch[r->task.slot.channel],
                                  .lines = TMD_LINES,
                                  .children = r->children,
                                  .checked = r->task};
    memcpy(task->taken.checked.next, r->next, sizeof r->next);
    task->taken.checked.saved = r->saved;
    task->taken.checked.add_to_head = *task->wires.slice == 0;
    r->leaving = true;
    task->taking = true;
    take_event(task, model);
}

static void check(struct task *task) {
    struct launch *taken = &task->taken;
    tmd_check(task->config, address_space_of(task->mem, taken->channel).size, taken);
    if (!taken->listed) taken->level = taken->checked.group;
    if (taken->resumed) taken->checked.add_to_head = true;
}

bool task_management_fetch(struct task *task, struct trace_event *model) {
    struct launch *taken = &task->taken;
    if (!task->taking || complete(taken)) return false;
    struct mem_request request = {.op = MEM_READ, .channel = taken->channel};
    struct mem_response response;
    request.addr = (taken->tmd & ~(TMD_BYTES - 1)) + taken->lines * LINE_BYTES;
    mem_perform_event(task->mem, MEM_PORT_TASK, &request, &response, model);
    mem_note(task->mem, MEM_PORT_TASK, &(struct mem_note){.what = TASK_READS_TMD});
    if (taken->fault == 0) taken->fault = response.fault;
    memcpy((uint8_t *)taken->words + taken->lines * LINE_BYTES, response.data, LINE_BYTES);
    taken->lines++;
    if (complete(taken)) check(task);
    return true;
}

void task_management_failed(struct task *task, bool write) {
    struct launch *taken = &task->taken;
    uint32_t *fault = write ? &taken->write_fault : &taken->fault;
    if (*fault == 0) *fault = ANSWER_BUS_ERROR;
    if (!write && complete(taken)) check(task);
}

void task_management_count_failed(struct task *task) {
    struct launch *taken = &task->taken;
    taken->counted = false;
    taken->writes = 2;
    if (taken->write_fault == 0) taken->write_fault = ANSWER_BUS_ERROR;
}

// ---- writes into TMDs ----
// Its launch is still to be counted, or was not the last one that it waited for.
static bool waits(const struct launch *taken) {
    return taken->checked.waits && !taken->listed && !taken->evicted && !taken->freed && !taken->counted;
}

// It has left with children that its warps wait for: it comes back when they have ended.
static bool leaves_children(const struct launch *taken) {
    return taken->evicted && taken->checked.saved != 0 && taken->children != 0;
}

// It has left and its children have ended: it goes to the head of its list.
static bool returns(const struct launch *taken) {
    return taken->freed && taken->resumed;
}

// The writes in their order: TANDEM_STATE, the link, where an evicted task goes on, and with how many CTAs that come
// back and for how many children; of one that waits, who has launched it, then its counter.
enum write { WRITE_STATE, WRITE_LINK, WRITE_RESUME, WRITE_SAVED, WRITE_LAUNCHER, WRITE_COUNTER };
static uint32_t writes_of(struct task *task, enum write writes[4]) {
    const struct launch *taken = &task->taken;
    uint32_t count = 0;
    if (waits(taken)) {
        writes[count++] = WRITE_LAUNCHER;
        writes[count++] = WRITE_COUNTER;
        return count;
    }
    writes[count++] = WRITE_STATE;
    if (!taken->listed && !leaves_children(taken) && list_of(task, taken)->count != 0) writes[count++] = WRITE_LINK;
    if (taken->evicted || (taken->listed && taken->resumed)) writes[count++] = WRITE_RESUME;
    if (taken->evicted && taken->checked.saved != 0) writes[count++] = WRITE_SAVED;
    return count;
}

// A word of the TMD: its line, and its bytes in it.
static void put_word(struct mem_request *request, uint32_t tmd, uint32_t word, uint32_t value) {
    request->addr = tmd + word / 8 * LINE_BYTES;
    memcpy(request->wdata + word % 8 * 4, &value, 4);
    request->wstrb |= 0xFu << word % 8 * 4;
}

// TANDEM_SAVED, whose word has other fields, which software writes.
static void put_saved(struct mem_request *request, uint32_t tmd, uint32_t saved) {
    const uint32_t at = TMD_TANDEM_SAVED_WORD % 8 * 4 + TMD_TANDEM_SAVED_LOW / 8;
    request->addr = tmd + TMD_TANDEM_SAVED_WORD / 8 * LINE_BYTES;
    request->wdata[at] = (uint8_t)saved;
    request->wstrb |= 1u << at;
}

// The next write. False: none is due.
static bool due_write(struct task *task, struct mem_request *request) {
    const struct launch *taken = &task->taken;
    enum write writes[4];
    if (!task->taking || !complete(taken) || taken->code != FAULT_NONE || taken->writes == writes_of(task, writes))
        return false;
    const uint32_t tmd = taken->tmd & ~(TMD_BYTES - 1);
    memset(request, 0, sizeof *request);
    request->op = MEM_WRITE;
    request->channel = taken->channel;
    if (writes[taken->writes] == WRITE_COUNTER) {
        request->op = MEM_ATOMIC;
        request->atom = ATOM_ADD;
        request->addr = tmd + TMD_DEPENDENCE_COUNTER_WORD * 4;
        memcpy(request->wdata, &(uint32_t){UINT32_MAX}, 4);
    } else if (writes[taken->writes] == WRITE_STATE || writes[taken->writes] == WRITE_LAUNCHER) {
        if (!taken->listed && !taken->freed) {  // what it has in them else
            put_word(request, tmd, TMD_TANDEM_REGION_WORD, taken->region);
            put_word(request, tmd, TMD_TANDEM_LOCAL_WORD, taken->local);
            put_word(request, tmd, TMD_TANDEM_PARENT_WORD, taken->parent);
        }
        const uint32_t kind = leaves_children(taken)             ? TASK_PARKED
                              : taken->evicted || returns(taken) ? TASK_EVICTED
                                                                 : TASK_PENDING;
        if (writes[taken->writes] == WRITE_STATE)
            put_word(request, tmd, TMD_TANDEM_STATE_WORD,
                     taken->listed ? 0 : taken->epoch << 8 | taken->level << 2 | kind);
        if (taken->listed && taken->resumed) put_saved(request, tmd, 0);
    } else if (writes[taken->writes] == WRITE_SAVED) {
        put_saved(request, tmd, taken->checked.saved);
        put_word(request, tmd, TMD_DEPENDENCE_COUNTER_WORD, taken->children);
    } else if (writes[taken->writes] == WRITE_RESUME) {
        const uint32_t *next = taken->checked.next;
        put_word(request, tmd, TMD_CTA_RASTER_WIDTH_RESUME_WORD, taken->listed ? 0 : next[0]);
        put_word(request, tmd, TMD_CTA_RASTER_HEIGHT_RESUME_WORD,
                 taken->listed
                     ? 0
                     : next[2] << TMD_CTA_RASTER_DEPTH_RESUME_LOW | next[1] << TMD_CTA_RASTER_HEIGHT_RESUME_LOW);
    } else {
        const struct pending_list *list = list_of(task, taken);
        const bool at_head = taken->checked.add_to_head;
        put_word(request, at_head ? tmd : list->tail * TMD_BYTES, TMD_SCHEDULER_NEXT_QMD_POINTER_WORD,
                 at_head ? list->head : tmd / TMD_BYTES);
    }
    return true;
}

static void perform_write(struct task *task, const struct mem_request *request, struct trace_event *model) {
    struct launch *taken = &task->taken;
    struct mem_response response;
    mem_perform_event(task->mem, MEM_PORT_TASK, request, &response, model);
    const bool counts = request->op == MEM_ATOMIC;
    mem_note(task->mem, MEM_PORT_TASK, &(struct mem_note){.what = counts ? TASK_COUNTS : TASK_WRITES_TMD});
    if (taken->write_fault == 0) taken->write_fault = response.fault;
    taken->writes++;
    if (!counts) return;
    memcpy(&taken->counter, response.data, 4);
    if (taken->write_fault != 0 || taken->counter != 1) return;
    taken->counted = true;
    taken->writes = 0;
}

bool task_management_write(struct task *task, const struct trace_event *rtl, struct trace_event *model) {
    const struct trace_perform *event = &rtl->perform;
    struct mem_request request;
    if (!due_write(task, &request) || (uint32_t)request.op != event->op || request.addr != event->addr ||
        request.channel != event->channel || request.wstrb != event->wstrb ||
        memcmp(request.wdata, event->wdata, LINE_BYTES) != 0)
        return false;
    perform_write(task, &request, model);
    return true;
}

static bool written(struct task *task) {
    enum write writes[4];
    return task->taken.writes == writes_of(task, writes);
}

// ---- it starts, or goes into its list, or is refused ----
static uint32_t free_slot(const struct task *task) {
    uint32_t slot = 0;
    while (slot < task->config->task_slots && task->slots[slot].task.slot.busy)
        slot++;
    return slot;
}

// The task that is taken leaves its list. When its TMD could not be read whole the list goes on at 0: whatever stands there
// does not say that it is pending in this list, unless a thread of the channel has written it so.
static void list_remove(struct task *task) {
    const struct launch *taken = &task->taken;
    struct pending_list *list = list_of(task, taken);
    const uint32_t link = tmd_get(taken->words, TMD_SCHEDULER_NEXT_QMD_POINTER, 0);
    list->head = taken->fault == ANSWER_GOOD ? link & 0xFFFFFF : 0;
    list->count--;
    task->pending--;
}

static void start(struct task *task, uint32_t slot, struct trace_event *model) {
    if (task->taken.listed) list_remove(task);
    task->taking = false;
    work_distributor_start(task, slot, &task->taken.checked, model);
}

static void make_pending(struct task *task, struct trace_event *model) {
    const struct launch *taken = &task->taken;
    struct pending_list *list = list_of(task, taken);
    const bool at_head = taken->checked.add_to_head;
    const uint32_t place = taken->tmd / TMD_BYTES;
    if (at_head || list->count == 0) list->head = place;
    if (!at_head || list->count == 0) list->tail = place;
    list->count++;
    task->pending++;
    task->taking = false;
    if (taken->evicted) memset(&task->slots[taken->slot], 0, sizeof task->slots[0]);
    task_event(task, TRACE_TASK_PENDING, model);
    model->task_pending.channel = taken->channel;
    model->task_pending.level = taken->level;
    model->task_pending.tmd = taken->tmd;
    model->task_pending.count = list->count;
}

// It waits for others, or for its children: it counts no more, and nothing here knows of it.
static void park(struct task *task, struct trace_event *model) {
    const struct launch *taken = &task->taken;
    task_event(task, TRACE_TASK_PARKED, model);
    model->task_parked.channel = taken->channel;
    model->task_parked.tmd = taken->tmd;
    if (taken->evicted) memset(&task->slots[taken->slot], 0, sizeof task->slots[0]);
    task->outstanding[taken->channel]--;
    task->taking = false;
}

static void refuse_task(struct task *task, uint32_t code, uint32_t info, struct trace_event *model) {
    const struct launch *taken = &task->taken;
    task_event(task, TRACE_TASK_REFUSED, model);
    model->task_refused.channel = taken->channel;
    model->task_refused.tmd = taken->tmd;
    model->task_refused.code = code;
    model->task_refused.info = info;
    if (taken->listed) list_remove(task);
    if (taken->evicted) memset(&task->slots[taken->slot], 0, sizeof task->slots[0]);
    task->outstanding[taken->channel]--;
    task->taking = false;
    if (code != FAULT_NONE) task_tell_fault(task, taken->channel, code, info);
}

// The fault of the task that is taken, as far as it is known.
static uint32_t taken_fault(struct task *task, uint32_t *info) {
    const struct launch *taken = &task->taken;
    *info = taken->code != FAULT_NONE ? taken->info : taken->tmd;
    if (!complete(taken)) return FAULT_NONE;
    if (taken->code != FAULT_NONE || !written(task)) return taken->code;
    if (taken->write_fault == 0) return waits(taken) && taken->counter == 0 ? FAULT_TMD_DEPENDENCE_COUNTER : FAULT_NONE;
    return taken->write_fault == ANSWER_OUTSIDE ? FAULT_TMD_FETCH : FAULT_BUS_ERROR;
}

// What came from the list of a channel that faulted meanwhile is left there, to be dropped with it.
static bool let_go(const struct task *task) {
    return !task->taking || (task->taken.listed && task->wires.channel_halt[task->taken.channel]);
}

static void drop(struct task *task, uint32_t channel, uint32_t level, struct trace_event *model) {
    struct pending_list *list = &task->lists[channel * TASK_LEVELS + level];
    task_event(task, TRACE_TASK_DROP, model);
    model->task_drop.channel = channel;
    model->task_drop.level = level;
    model->task_drop.count = list->count;
    task->outstanding[channel] -= list->count;
    task->pending -= list->count;
    task->epoch[channel] = (task->epoch[channel] + 1) & 0xFFFFFF;
    list->count = 0;
}

// ---- in tandem ----
bool task_management_follow_take(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why) {
    const uint32_t tmd = rtl->task_take.tmd;
    uint32_t channel, level;
    if (!let_go(task))
        return why_refuse(why, "the task at 0x%x is taken before the one at 0x%x is done with", tmd, task->taken.tmd);
    task->taking = false;
    if (rtl->task_take.from == FROM_SLOT) {
        const uint32_t slot = rtl->task_take.slot;
        if (slot >= task->config->task_slots || !work_distributor_can_leave(&task->slots[slot]))
            return why_refuse(why, "the task of slot %u is taken from it, but it was not evicted or still runs", slot);
        take_evicted(task, slot, model);
        return true;
    }
    if (rtl->task_take.from == FROM_LAUNCH) {
        if (task->queued == 0) return why_refuse(why, "the task at 0x%x is taken, but no launch waits", tmd);
        take_first(task, model);
        return true;
    }
    if (free_slot(task) == task->config->task_slots)
        return why_refuse(why, "the task at 0x%x is taken from its list while no slot is free", tmd);
    if (!task_management_pick(task, &channel, &level))
        return why_refuse(why, "the task at 0x%x is taken from its list, but no task is pending", tmd);
    take_listed(task, channel, level, model);
    return true;
}

bool task_management_follow_start(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                  struct why why) {
    const struct launch *taken = &task->taken;
    const struct trace_task_start *event = &rtl->task_start;
    if (event->slot >= task->config->task_slots || task->slots[event->slot].task.slot.busy)
        return why_refuse(why, "a task starts in slot %u, which is not free", event->slot);
    if (!task->taking || !complete(taken) || taken->code != FAULT_NONE || taken->write_fault != 0)
        return why_refuse(why, "the task at 0x%x starts, but no good TMD has been read", event->tmd);
    if (taken->evicted) return why_refuse(why, "the task at 0x%x starts while it is evicted", event->tmd);
    if (!taken->listed && task_suspended(task, taken->channel) &&
        task->run->cycles > task->wires.suspend[taken->channel].since + START_LAG)
        return why_refuse(why, "the task at 0x%x starts, but channel %u is suspended", event->tmd, taken->channel);
    if (waits(taken)) return why_refuse(why, "the task at 0x%x starts, but it waits for others", event->tmd);
    if (returns(taken)) return why_refuse(why, "the task at 0x%x starts, but it goes to its list first", event->tmd);
    if (taken->listed ? !written(task) : taken->writes != 0)
        return why_refuse(why, "the task at 0x%x starts, but its TMD says that it is pending", event->tmd);
    start(task, event->slot, model);
    return true;
}

bool task_management_follow_pending(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why) {
    if (!task->taking || task->taken.listed || !complete(&task->taken) || task->taken.code != FAULT_NONE ||
        task->taken.write_fault != 0 || waits(&task->taken) || leaves_children(&task->taken) || !written(task))
        return why_refuse(why, "the task at 0x%x is pending, but no TMD has been read and linked",
                          rtl->task_pending.tmd);
    make_pending(task, model);
    return true;
}

bool task_management_follow_parked(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                   struct why why) {
    const struct launch *taken = &task->taken;
    if (!task->taking || !complete(taken) || taken->code != FAULT_NONE || !written(task) || taken->write_fault != 0 ||
        !(leaves_children(taken) || (waits(taken) && taken->counter != 0)))
        return why_refuse(why, "the task at 0x%x is parked, but it does not wait for others, or has not been counted",
                          rtl->task_parked.tmd);
    park(task, model);
    return true;
}

bool task_management_follow_drop(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                 struct why why) {
    const uint32_t channel = rtl->task_drop.channel, level = rtl->task_drop.level;
    if (channel >= task->config->channels || level >= TASK_LEVELS || !task->wires.channel_halt[channel])
        return why_refuse(why, "a list of channel %u is dropped, which does not stand faulted", channel);
    if (!let_go(task))
        return why_refuse(why, "a list is dropped before the task at 0x%x is done with", task->taken.tmd);
    if (task->lists[channel * TASK_LEVELS + level].count == 0)
        return why_refuse(why, "the list of channel %u and level %u is dropped, but it is empty", channel, level);
    task->taking = false;
    drop(task, channel, level, model);
    return true;
}

bool task_management_follow_refused(struct task *task, const struct trace_event *rtl, struct trace_event *model,
                                    struct why why) {
    const struct trace_task_refused *event = &rtl->task_refused;
    uint32_t info;
    if (!task->taking) return why_refuse(why, "the task at 0x%x is refused, but none has been taken", event->tmd);
    if (event->code == FAULT_NONE) {
        if (!task->wires.channel_halt[task->taken.channel])
            return why_refuse(why, "the task at 0x%x is dropped, but channel %u does not stand faulted", event->tmd,
                              task->taken.channel);
        refuse_task(task, FAULT_NONE, 0, model);
        return true;
    }
    const uint32_t code = taken_fault(task, &info);
    if (code == FAULT_NONE)
        return why_refuse(why, "the task at 0x%x is refused with code %u, but no faulty TMD has been read", event->tmd,
                          event->code);
    refuse_task(task, code, info, model);
    return true;
}

// ---- alone ----
static bool drop_halted(struct task *task) {
    struct trace_event event;
    if (task->pending == 0) return false;
    for (uint32_t i = 0; i < task->config->channels * TASK_LEVELS; i++) {
        if (task->lists[i].count == 0 || !task->wires.channel_halt[i / TASK_LEVELS]) continue;
        drop(task, i / TASK_LEVELS, i % TASK_LEVELS, &event);
        mem_emit(task->mem, &event);
        return true;
    }
    return false;
}

bool task_management_step(struct task *task) {
    struct trace_event event;
    struct mem_request request;
    uint32_t channel, level, info, code = FAULT_NONE;
    const uint32_t slot = free_slot(task);
    const bool slot_free = slot != task->config->task_slots;
    if (drop_halted(task)) return true;
    const bool pending = task_management_pick(task, &channel, &level);
    uint32_t leaving = 0;
    while (leaving < task->config->task_slots &&
           (!work_distributor_can_leave(&task->slots[leaving]) || task->slots[leaving].task.slot.kill))
        leaving++;
    if (leaving < task->config->task_slots) {
        take_evicted(task, leaving, &event);
    } else if (pending && slot_free) {
        take_listed(task, channel, level, &event);
    } else if (task->queued != 0) {
        take_first(task, &event);
    } else {
        return false;
    }
    mem_emit(task->mem, &event);
    if (task->wires.channel_halt[task->taken.channel]) {
        refuse_task(task, FAULT_NONE, 0, &event);
        mem_emit(task->mem, &event);
        return true;
    }
    while (task_management_fetch(task, &event))
        mem_emit(task->mem, &event);
    while (waits(&task->taken) && due_write(task, &request)) {
        perform_write(task, &request, &event);
        mem_emit(task->mem, &event);
    }
    const bool parked = waits(&task->taken);
    const bool at_once = !task_suspended(task, task->taken.channel) && !task->taken.listed && !task->taken.evicted &&
                         !returns(&task->taken) && slot_free && !pending;
    while (!at_once && !parked && due_write(task, &request)) {
        perform_write(task, &request, &event);
        mem_emit(task->mem, &event);
    }
    code = taken_fault(task, &info);
    if (code != FAULT_NONE) {
        refuse_task(task, code, info, &event);
    } else if (parked || leaves_children(&task->taken)) {
        park(task, &event);
    } else if (at_once || task->taken.listed) {
        start(task, slot, &event);
    } else {
        make_pending(task, &event);
    }
    mem_emit(task->mem, &event);
    return true;
}
