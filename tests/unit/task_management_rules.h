// The rules of task_management.c said once more, for its test: random states of it, what is taken, what is written into
// its TMD, where it goes.
#ifndef TANDEM_TESTS_TASK_MANAGEMENT_RULES_H
#define TANDEM_TESTS_TASK_MANAGEMENT_RULES_H

#include "task_slots.h"
#include "task_world.h"

#define LINES 8u
#define LISTS (CHANNELS * TASK_LEVELS)

static struct launch t;  // the task that is taken, as the rules have it

// ---- random states
static uint32_t some_level(void) {
    return one_of(3) ? TASK_LEVELS - 1 : below(3);
}
static uint32_t some_tmd(void) {
    return 0x100 * (1 + below(4)) + (one_of(12) ? 1 + below(255) : 0);
}

static void random_lists(void) {
    memset(task->lists, 0, LISTS * sizeof task->lists[0]);
    task->lists[LISTS].count = 1;
    task->pending = 0;
    for (uint32_t i = below(4); i > 0; i--) {
        struct pending_list *list = &task->lists[below(CHANNELS) * TASK_LEVELS + some_level()];
        task->pending -= list->count;
        *list = (struct pending_list){.head = 1 + below(4), .tail = 1 + below(4), .count = 1 + below(2)};
        task->pending += list->count;
    }
    for (uint32_t c = 0; c < CHANNELS; c++) {
        task->epoch[c] = one_of(2) ? 0xFFFFFF : below(3);
        task->outstanding[c] += 8;
    }
    task->last_level = some_level();
    task->last_channel = below(CHANNELS);
}

static void random_taken(void) {
    struct launch *l = &task->taken;
    const uint32_t source = below(4);
    memset(l, 0, sizeof *l);
    task->taking = !one_of(6);
    l->channel = below(CHANNELS);
    l->tmd = one_of(8) ? (1 + below(2)) * SPACE : some_tmd();
    l->region = (uint32_t)random_bits(&seed);
    l->local = (uint32_t)random_bits(&seed);
    l->parent = (uint32_t)random_bits(&seed);
    l->slot = below(SLOTS);
    l->listed = source == 0;
    l->evicted = source == 1;
    l->freed = source == 2;
    l->resumed = source != 1 && one_of(2);
    l->children = one_of(2) ? 0 : 1 + below(3);
    l->level = some_level();
    l->epoch = task->epoch[l->channel];
    l->lines = one_of(4) ? below(LINES) : LINES;
    l->fault = one_of(3) ? 1 + below(2) : 0;
    for (uint32_t i = 0; i < TMD_WORDS; i++)
        l->words[i] = (uint32_t)random_bits(&seed);
    l->code = one_of(4) ? 1 + below(30) : FAULT_NONE;
    l->info = below(1000);
    l->checked = task->slots[below(SLOTS)].task;
    l->checked.add_to_head = one_of(2);
    l->checked.waits = one_of(2);
    for (uint32_t i = 0; i < 3; i++)
        l->checked.next[i] = 1 + below(1000);
    l->counted = one_of(4);
    l->counter = below(3);
    l->write_fault = one_of(4) ? 1 + below(2) : 0;
}

// The TMDs at 0x100 to 0x400: most of them good, of those that are in lists too.
static void random_tmds(void) {
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t channel = i / 4, level = some_level(), kind = below(4);
        uint32_t tmd[TMD_WORDS];
        make_tmd(tmd, 0, 1 + below(2), 1, 1);
        tmd_set(tmd, TMD_QMD_GROUP_ID, 0, level);
        tmd_set(tmd, TMD_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST, 0, one_of(2));
        tmd_set(tmd, TMD_SCHEDULER_NEXT_QMD_POINTER, 0, 1 + below(4));
        if (one_of(3)) tmd_set(tmd, TMD_DEPENDENCE_COUNTER, 0, below(3));
        if (kind != 0) tmd_set(tmd, TMD_TANDEM_STATE, 0, task->epoch[channel] << 8 | level << 2 | kind);
        tmd_set(tmd, TMD_TANDEM_REGION, 0, 0x800);
        tmd_set(tmd, TMD_TANDEM_LOCAL, 0, below(4) * 0x100);
        if (one_of(8)) tmd[below(TMD_WORDS)] ^= 1u << below(32);
        memcpy(mem_bytes(ppu->mem) + channel * SPACE + 0x100 * (1 + i % 4), tmd, TMD_BYTES);
    }
}

static bool waits_now(void) {
    return t.checked.waits && !(t.listed || t.evicted || t.freed || t.counted);
}
static bool leaves_children_now(void) {
    return t.evicted && t.checked.saved > 0 && t.children > 0;
}
static struct pending_list *list_now(void) {
    return &wanted.lists[t.channel * TASK_LEVELS + t.level];
}

// ---- the rules: writes
static void put(struct trace_perform *e, uint32_t word, uint32_t value) {
    e->addr += word / 8 * 32;
    memcpy(&e->wdata[word % 8 * 4], &value, 4);
    e->wstrb |= 0xFu << word % 8 * 4;
}
static struct trace_event write_event(uint32_t tmd) {
    struct trace_event event = event_now(TRACE_PERFORM);
    event.perform.port = MEM_PORT_TASK;
    event.perform.op = MEM_WRITE;
    event.perform.channel = t.channel;
    event.perform.addr = tmd;
    return event;
}
// Words of the last line but one and the last: 56 and on stand in one line.
static void put_last(struct trace_perform *e, uint32_t word, uint32_t value) {
    const uint32_t addr = e->addr;
    put(e, word, value);
    e->addr = (addr & ~255u) + 7 * 32;
}
static void put_saved_ctas(struct trace_perform *e, uint32_t saved) {
    e->addr = (e->addr & ~255u) + 7 * 32;
    e->wdata[3] = (uint8_t)saved;
    e->wstrb |= 8;
}

// All writes of the task, in their order; how many.
static uint32_t all_writes(struct trace_event out[4]) {
    const uint32_t tmd = t.tmd & ~255u;
    uint32_t count = 0;
    struct trace_event *first = &out[count++];
    *first = write_event(tmd);
    if (!t.listed && !t.freed) {
        put_last(&first->perform, TMD_TANDEM_REGION_WORD, t.region);
        put_last(&first->perform, TMD_TANDEM_LOCAL_WORD, t.local);
        put_last(&first->perform, TMD_TANDEM_PARENT_WORD, t.parent);
    }
    if (waits_now()) {
        struct trace_event *counts = &out[count++];
        *counts = write_event(tmd + 4 * TMD_DEPENDENCE_COUNTER_WORD);
        counts->perform.op = MEM_ATOMIC;
        memset(counts->perform.wdata, 0xFF, 4);
    } else {
        uint32_t state = t.epoch << 8 | t.level << 2 | 1;
        if (t.evicted || (t.freed && t.resumed)) state += 1;
        if (leaves_children_now()) state += 1;
        put_last(&first->perform, TMD_TANDEM_STATE_WORD, t.listed ? 0 : state);
        if (t.listed && t.resumed) put_saved_ctas(&first->perform, 0);
        if (!t.listed && !leaves_children_now() && list_now()->count > 0) {
            const bool head = t.checked.add_to_head;
            out[count] = write_event(head ? tmd : list_now()->tail << 8);
            put(&out[count++].perform, TMD_SCHEDULER_NEXT_QMD_POINTER_WORD, head ? list_now()->head : tmd >> 8);
        }
        if (t.evicted || (t.listed && t.resumed)) {
            const uint32_t *next = t.checked.next;
            struct trace_event *resume = &out[count++];
            *resume = write_event(tmd);
            put(&resume->perform, TMD_CTA_RASTER_WIDTH_RESUME_WORD, t.evicted ? next[0] : 0);
            resume->perform.addr = tmd;
            put(&resume->perform, TMD_CTA_RASTER_HEIGHT_RESUME_WORD, t.evicted ? next[1] | next[2] << 16 : 0);
        }
        if (t.evicted && t.checked.saved > 0) {
            struct trace_event *saved = &out[count++];
            *saved = write_event(tmd);
            put_saved_ctas(&saved->perform, t.checked.saved);
            put_last(&saved->perform, TMD_DEPENDENCE_COUNTER_WORD, t.children);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (out[i].perform.addr >= (t.channel + 1) * SPACE) out[i].perform.fault = ANSWER_OUTSIDE;
    }
    return count;
}
static bool all_written(void) {
    struct trace_event writes[4];
    return t.writes == all_writes(writes);
}
static bool all_read(void) {
    return t.lines == LINES;
}

static bool write_due(struct trace_event *must) {
    struct trace_event writes[4];
    if (!wanted.taking || !all_read() || t.code != FAULT_NONE || t.writes == all_writes(writes)) return false;
    *must = writes[t.writes];
    return true;
}

static uint32_t answer(const struct trace_perform *e) {
    if (e->fault != ANSWER_GOOD) return ANSWER_OUTSIDE;
    return e->channel * SPACE + e->addr >= MEMORY ? ANSWER_BUS_ERROR : ANSWER_GOOD;
}

static void writes_one(const struct trace_perform *e) {
    const uint32_t fault = answer(e);
    uint8_t *at = &wanted.memory[(e->channel * SPACE + e->addr) % MEMORY];
    uint32_t word = 0;
    if (t.write_fault == 0) t.write_fault = fault;
    t.writes++;
    if (e->op == MEM_ATOMIC) {
        if (fault == ANSWER_GOOD) {
            memcpy(&word, at, 4);
            memcpy(at, &(uint32_t){word - 1}, 4);
        }
        t.counter = word;
        if (t.write_fault == 0 && word == 1) t.counted = true, t.writes = 0;
        return;
    }
    for (uint32_t b = 0; b < 32 && fault == ANSWER_GOOD; b++) {
        if ((e->wstrb >> b & 1) != 0) at[b] = e->wdata[b];
    }
}

// ---- the rules: what is taken, and its TMD
static bool pick(uint32_t *channel, uint32_t *level) {
    for (uint32_t i = 1; i <= TASK_LEVELS; i++) {
        *level = round_robin ? (wanted.last_level + TASK_LEVELS - i) % TASK_LEVELS : TASK_LEVELS - i;
        for (uint32_t k = 1; k <= CHANNELS; k++) {
            *channel = (wanted.last_channel + k) % CHANNELS;
            const bool any = wanted.lists[*channel * TASK_LEVELS + *level].count > 0;
            if (any && !halt[*channel] && !is_suspended(*channel)) return true;
        }
    }
    return false;
}

static uint32_t first_free(void) {
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (!wanted.slots[k].task.slot.busy) return k;
    }
    return SLOTS;
}

static bool can_leave(const struct running_task *r) {
    return r->task.slot.busy && r->evicted && more_ctas(r) && !r->leaving && r->running == 0 && in_memory(r);
}

static struct trace_event take_event_of(uint32_t from) {
    struct trace_event must = event_now(TRACE_TASK_TAKE);
    must.task_take.from = from;
    must.task_take.slot = t.slot;
    must.task_take.channel = t.channel;
    must.task_take.level = t.level;
    must.task_take.tmd = t.tmd;
    wanted.taking = true;
    return must;
}

static struct trace_event takes_listed(uint32_t channel, uint32_t level) {
    const struct pending_list *list = &wanted.lists[channel * TASK_LEVELS + level];
    memset(&t, 0, sizeof t);
    t.channel = wanted.last_channel = channel;
    t.level = wanted.last_level = level;
    t.tmd = list->head << 8;
    t.listed = true;
    t.last = list->count == 1;
    t.epoch = wanted.epoch[channel];
    return take_event_of(1);
}

static struct trace_event takes_launch(void) {
    t = wanted.queue[0];
    wanted.queued--;
    memmove(&wanted.queue[0], &wanted.queue[1], 2 * sizeof wanted.queue[0]);
    memset(&wanted.queue[wanted.queued], 0, sizeof wanted.queue[0]);
    t.epoch = wanted.epoch[t.channel];
    if (t.beyond) {
        t.lines = LINES;
        t.code = FAULT_TMD_FETCH;
        t.info = t.tmd;
    }
    return take_event_of(0);
}

static struct trace_event takes_evicted(uint32_t slot) {
    struct running_task *r = &wanted.slots[slot];
    memset(&t, 0, sizeof t);
    t.channel = r->task.slot.channel;
    t.tmd = r->task.slot.tmd;
    t.region = r->task.slot.region;
    t.local = r->task.slot.local;
    t.parent = r->task.parent;
    t.slot = slot;
    t.evicted = true;
    t.level = r->task.group;
    t.epoch = wanted.epoch[t.channel];
    t.lines = LINES;
    t.children = r->children;
    t.checked = r->task;
    memcpy(t.checked.next, r->next, sizeof r->next);
    t.checked.saved = r->saved;
    t.checked.add_to_head = slice == 0;
    r->leaving = true;
    return take_event_of(2);
}

static void checks(void) {
    tmd_check(task->config, (t.channel + 1) * SPACE, &t);  // test_tmd_check's
    if (!t.listed) t.level = t.checked.group;
    if (t.resumed) t.checked.add_to_head = true;
}

static bool reads_line(struct trace_event *must) {
    if (!wanted.taking || all_read()) return false;
    *must = write_event((t.tmd & ~255u) + 32 * t.lines);
    must->perform.op = MEM_READ;
    if (must->perform.addr >= (t.channel + 1) * SPACE) must->perform.fault = ANSWER_OUTSIDE;
    const uint32_t fault = answer(&must->perform);
    if (t.fault == 0) t.fault = fault;
    memset(&t.words[8 * t.lines], 0, 32);
    if (fault == ANSWER_GOOD) memcpy(&t.words[8 * t.lines], &wanted.memory[t.channel * SPACE + must->perform.addr], 32);
    t.lines++;
    if (all_read()) checks();
    return true;
}

// ---- the rules: where it goes
static void leaves_list(void) {
    if (!t.listed) return;
    list_now()->head = t.fault == ANSWER_GOOD ? t.words[TMD_SCHEDULER_NEXT_QMD_POINTER_WORD] & 0xFFFFFF : 0;
    list_now()->count--;
    wanted.pending--;
}
static void leaves_slot(void) {
    if (t.evicted) memset(&wanted.slots[t.slot], 0, sizeof wanted.slots[0]);
}

static struct trace_event starts_in(uint32_t slot) {
    struct running_task *r = &wanted.slots[slot];
    struct trace_event must = event_now(TRACE_TASK_START);
    leaves_list();
    memset(r, 0, sizeof *r);
    r->task = t.checked;
    r->task.slot.busy = true;
    r->task.slot.kill = halt[t.checked.slot.channel];
    memcpy(r->next, t.checked.next, sizeof r->next);
    for (unsigned i = 0; i < 2; i++) {
        r->release_left[i] = t.checked.release[i].enable;
        r->frees_left[i] = t.checked.frees[i];
    }
    r->frees_left[2] = t.checked.parent >> 30 == 3;
    r->saved = t.checked.saved;
    r->launched = t.checked.launched;
    r->open = t.checked.open;
    r->put = t.checked.put;
    r->get = t.checked.next[0];
    if (t.checked.queue) r->launched = !r->open && r->put == r->get;
    wanted.tasks++;
    wanted.taking = false;
    must.task_start.slot = slot;
    must.task_start.channel = t.checked.slot.channel;
    must.task_start.tmd = t.checked.slot.tmd;
    must.task_start.pc = (t.checked.slot.code_base - t.checked.slot.region) / 8;
    return must;
}

static struct trace_event goes_into_list(void) {
    struct trace_event must = event_now(TRACE_TASK_PENDING);
    struct pending_list *list = list_now();
    const bool empty = list->count == 0, head = t.checked.add_to_head;
    if (head || empty) list->head = t.tmd >> 8;
    if (!head || empty) list->tail = t.tmd >> 8;
    list->count++;
    wanted.pending++;
    wanted.taking = false;
    leaves_slot();
    must.task_pending.channel = t.channel;
    must.task_pending.level = t.level;
    must.task_pending.tmd = t.tmd;
    must.task_pending.count = list->count;
    return must;
}

static struct trace_event is_parked(void) {
    struct trace_event must = event_now(TRACE_TASK_PARKED);
    must.task_parked.channel = t.channel;
    must.task_parked.tmd = t.tmd;
    leaves_slot();
    wanted.outstanding[t.channel]--;
    wanted.taking = false;
    return must;
}

static struct trace_event is_refused(uint32_t code, uint32_t info) {
    struct trace_event must = event_now(TRACE_TASK_REFUSED);
    must.task_refused.channel = t.channel;
    must.task_refused.tmd = t.tmd;
    must.task_refused.code = code;
    must.task_refused.info = info;
    leaves_list();
    leaves_slot();
    wanted.outstanding[t.channel]--;
    wanted.taking = false;
    if (code != FAULT_NONE) wanted.fault = (struct fault_report){.channel = t.channel, .code = code, .info = info};
    return must;
}

static uint32_t fault_of_taken(uint32_t *info) {
    *info = t.tmd;
    if (!all_read()) return FAULT_NONE;
    if (t.code != FAULT_NONE) {
        *info = t.info;
        return t.code;
    }
    if (!all_written()) return FAULT_NONE;
    if (t.write_fault != 0) return t.write_fault == ANSWER_OUTSIDE ? FAULT_TMD_FETCH : FAULT_BUS_ERROR;
    return waits_now() && t.counter == 0 ? FAULT_TMD_DEPENDENCE_COUNTER : FAULT_NONE;
}

static struct trace_event is_dropped(uint32_t channel, uint32_t level) {
    struct pending_list *list = &wanted.lists[channel * TASK_LEVELS + level];
    struct trace_event must = event_now(TRACE_TASK_DROP);
    must.task_drop.channel = channel;
    must.task_drop.level = level;
    must.task_drop.count = list->count;
    wanted.outstanding[channel] -= list->count;
    wanted.pending -= list->count;
    wanted.epoch[channel] = wanted.epoch[channel] == 0xFFFFFF ? 0 : wanted.epoch[channel] + 1;
    list->count = 0;
    return must;
}

// ---- states, and what has become of them
static void random_management(void) {
    random_table();
    random_lists();
    random_taken();
    random_tmds();
    for (uint32_t i = 0; i < task->queued; i++) {
        struct launch *l = &task->queue[i];
        l->channel = below(CHANNELS);
        l->tmd = one_of(8) ? (1 + below(2)) * SPACE - 0x100 * below(2) : some_tmd();
        l->region = 0x800;
        l->local = (uint32_t)random_bits(&seed);
        l->parent = (uint32_t)random_bits(&seed);
        l->beyond = one_of(8);
        l->freed = one_of(3);
    }
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (one_of(2)) task->slots[k].leaving = false;
        if (one_of(2)) task->slots[k].evicted = true;
    }
    const struct launch *l = &task->taken;
    const uint32_t counter = (l->channel * SPACE + (l->tmd & ~255u)) + 4 * TMD_DEPENDENCE_COUNTER_WORD;
    if (l->checked.waits && counter < MEMORY) memcpy(mem_bytes(ppu->mem) + counter, &(uint32_t){below(3)}, 4);
    // Of its writes some have been performed, or all.
    look(&wanted);
    t = task->taken;
    struct trace_event writes[4];
    const uint32_t count = all_writes(writes);
    t.writes = task->taken.writes = one_of(3) ? count : below(count + 1);
}

static void check_management(void) {
    const struct launch *l = &task->taken;
    check();
    cr_assert(l->channel == t.channel && l->tmd == t.tmd && l->region == t.region && l->local == t.local);
    cr_assert(l->parent == t.parent && l->beyond == t.beyond && l->freed == t.freed && l->slot == t.slot);
    cr_assert(l->listed == t.listed && l->last == t.last && l->evicted == t.evicted && l->resumed == t.resumed);
    cr_assert(l->children == t.children && l->level == t.level && l->epoch == t.epoch && l->lines == t.lines);
    cr_assert(l->fault == t.fault && l->code == t.code && l->info == t.info && l->writes == t.writes);
    cr_assert(l->write_fault == t.write_fault && l->counted == t.counted && l->counter == t.counter);
    cr_assert_eq(memcmp(l->words, t.words, sizeof t.words), 0);
    cr_assert_eq(memcmp(&l->checked, &t.checked, sizeof t.checked), 0);
}

static void check_last(uint32_t what, uint32_t fault) {
    const struct trace_event error = {.kind = TRACE_BUS_ERROR, .bus_error = {.port = MEM_PORT_TASK}};
    struct trace_event model;
    const struct mem_record *record = mem_follow_bus_error(ppu->mem, &error, &model, (struct why){0});
    cr_assert_eq(record == NULL, fault == ANSWER_OUTSIDE);
    if (record != NULL) cr_assert_eq(record->note.what, what);
}

#endif
