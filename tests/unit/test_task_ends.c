// What the task table does at the end of a task, held against its rules said once more: releases, counters of tasks
// that wait for it, the end itself; events of the RTL that are due and some that are not, and what the model does alone.
#include "task_slots.h"

#define TURNS 10000u
#define NO_RELEASE 2u

// ---- the rules
static bool at_end(const struct running_task *r) {
    return r->task.slot.busy && !more_ctas(r) && r->running == 0 && in_memory(r);
}

static unsigned releases_next(const struct running_task *r) {
    if (!at_end(r) || r->faulted) return NO_RELEASE;
    return r->release_left[0] ? 0 : r->release_left[1] ? 1 : NO_RELEASE;
}

static unsigned released_last(const struct running_task *r) {
    if (!r->task.slot.busy) return NO_RELEASE;
    if (r->task.release[1].enable && !r->release_left[1]) return 1;
    return r->task.release[0].enable && !r->release_left[0] ? 0 : NO_RELEASE;
}

static bool waits_far(const struct running_task *r) {  // its parent can step aside
    return r->task.parent >> 30 == 3;
}
static bool is_parent_of(const struct running_task *r, const struct running_task *child) {
    return r->task.slot.busy && r->task.slot.channel == child->task.slot.channel &&
           r->task.slot.tmd >> 8 == (child->task.parent & 0xFFFFFF);
}
static bool parent_is_here(const struct running_task *child) {
    bool here = false;
    for (uint32_t k = 0; k < SLOTS; k++)
        here = here || is_parent_of(&wanted.slots[k], child);
    return here;
}

static unsigned frees_next(const struct running_task *r) {
    if (!at_end(r) || r->faulted || r->freeing || releases_next(r) != NO_RELEASE) return NOBODY;
    if (r->frees_left[0]) return 0;
    if (r->frees_left[1]) return 1;
    return r->frees_left[2] && !parent_is_here(r) ? 2 : NOBODY;
}

static uint32_t frees_whom(const struct running_task *r, unsigned number) {
    return number < 2 ? r->task.frees_tmd[number] : (r->task.parent & 0xFFFFFF) << 8;
}

// How memory answers a line or a word of a channel.
static uint32_t answer(uint32_t channel, uint32_t addr) {
    if (addr >= (channel + 1) * SPACE) return ANSWER_OUTSIDE;
    return channel * SPACE + addr >= MEMORY ? ANSWER_BUS_ERROR : ANSWER_GOOD;
}

static uint32_t reduced(const struct task_release *release, uint32_t old) {
    const uint32_t by = release->payload;
    const bool below_it = release->is_signed ? (int32_t)old < (int32_t)by : old < by;
    switch (release->op) {
        case 0: return old + by;
        case 1: return below_it ? old : by;
        case 2: return below_it ? by : old;
        case 3: return old >= by ? 0 : old + 1;
        case 4: return old == 0 || old > by ? by : old - 1;
        case 5: return old & by;
        case 6: return old | by;
        default: return old ^ by;
    }
}

static struct trace_event release_event(const struct running_task *r, uint32_t slot, unsigned number, uint64_t time) {
    const struct task_release *release = &r->task.release[number];
    struct trace_event event = event_now(TRACE_PERFORM);
    struct trace_perform *e = &event.perform;
    const uint32_t at = release->addr % 32, second = 0x101 + slot;
    e->port = MEM_PORT_TASK;
    e->channel = r->task.slot.channel;
    e->op = release->reduce ? MEM_ATOMIC : MEM_WRITE;
    e->addr = release->reduce ? release->addr : release->addr - at;
    e->fault = answer(e->channel, release->addr) == ANSWER_OUTSIDE ? ANSWER_OUTSIDE : ANSWER_GOOD;
    memcpy(&e->wdata[release->reduce ? 0 : at], &release->payload, 4);
    if (release->reduce) {
        memcpy(&e->wdata[4], &second, 4);
    } else if (release->one_word) {
        e->wstrb = 0xFu << at;
    } else {
        e->wstrb = 0xFFFFu << at;
        memcpy(&e->wdata[at + 8], &time, 8);
    }
    return event;
}

static void fails(struct running_task *r, uint32_t code, uint32_t info) {
    r->faulted = r->task.slot.kill = true;
    r->release_code = code;
    r->release_info = info;
}

static void releases(struct running_task *r, unsigned number, const struct trace_perform *e) {
    const struct task_release *release = &r->task.release[number];
    const uint32_t fault = answer(e->channel, release->addr);
    uint8_t *line = &wanted.memory[(e->channel * SPACE + e->addr) % MEMORY];
    r->release_left[number] = false;
    if (fault != ANSWER_GOOD) {
        fails(r, fault == ANSWER_OUTSIDE ? FAULT_SEMAPHORE_ADDRESS : FAULT_BUS_ERROR, release->addr);
    } else if (release->reduce) {
        uint32_t word;
        memcpy(&word, line, 4);
        word = reduced(release, word);
        memcpy(line, &word, 4);
    } else {
        for (uint32_t b = 0; b < 32; b++) {
            if ((e->wstrb >> b & 1) != 0) line[b] = e->wdata[b];
        }
    }
}

// Is the event what the slot's next release looks like? The time aside.
static bool looks_like(const struct trace_perform *e, uint32_t slot) {
    const struct running_task *r = &wanted.slots[slot];
    const unsigned number = releases_next(r);
    if (number == NO_RELEASE) return false;
    const struct task_release *release = &r->task.release[number];
    const struct trace_event event = release_event(r, slot, number, 0);
    const struct trace_perform *own = &event.perform;
    const uint32_t at = release->reduce ? 0 : release->addr % 32, size = release->reduce ? 8 : 4;
    return e->addr == own->addr && e->op == own->op && e->channel == own->channel && e->wstrb == own->wstrb &&
           memcmp(&e->wdata[at], &own->wdata[at], size) == 0;
}

// What `from` did last was really the release of `to`, when they are alike.
static bool shift(uint32_t to_slot, uint32_t from_slot) {
    struct running_task *to = &wanted.slots[to_slot], *from = &wanted.slots[from_slot];
    const unsigned due = releases_next(to), last = released_last(from);
    if (to_slot == from_slot || due == NO_RELEASE || last == NO_RELEASE) return false;
    const struct task_release *a = &to->task.release[due], *b = &from->task.release[last];
    const bool alike = !a->reduce && !b->reduce && a->addr == b->addr && a->payload == b->payload &&
                       a->one_word == b->one_word && to->task.slot.channel == from->task.slot.channel;
    const bool freed = (from->task.frees[0] && !from->frees_left[0]) || (from->task.frees[1] && !from->frees_left[1]) ||
                       (waits_far(from) && !from->frees_left[2]);
    if (!alike || freed || (from->faulted && from->release_code == FAULT_NONE)) return false;
    to->release_left[due] = false;
    from->release_left[last] = true;
    if (from->faulted) {
        fails(to, from->release_code, from->release_info);
        from->faulted = false;
        from->task.slot.kill = halt[from->task.slot.channel];
        from->release_code = from->release_info = 0;
    }
    return true;
}

// Whose release it is, or SLOTS: of those that it fits the last that has begun, else the first; else one that has
// one due once another's has been taken for its own; else any that has one due.
static uint32_t whose(const struct trace_perform *e) {
    uint32_t first = SLOTS, begun = SLOTS, due = SLOTS;
    for (uint32_t k = SLOTS; k-- > 0;) {
        if (!looks_like(e, k)) continue;
        first = k;
        if (begun == SLOTS && released_last(&wanted.slots[k]) != NO_RELEASE) begun = k;
    }
    if (begun != SLOTS || first != SLOTS) return begun != SLOTS ? begun : first;
    for (uint32_t to = 0; to < SLOTS; to++) {
        for (uint32_t from = 0; from < SLOTS; from++) {
            if (!shift(to, from)) continue;
            if (looks_like(e, to)) return to;
            shift(from, to);
        }
    }
    for (uint32_t k = SLOTS; k-- > 0;)
        due = releases_next(&wanted.slots[k]) != NO_RELEASE ? k : due;
    return due;
}

// ---- random states with ends in them
// Slots that release alike, of one channel, as tasks that have begun to release and some that have not.
static void random_ends(void) {
    random_table();
    const bool alike = one_of(2);
    for (uint32_t k = 0; k <= SLOTS; k++) {
        struct running_task *r = &task->slots[k];
        if (one_of(2)) r->freeing = false;
        if (!alike || one_of(4)) continue;
        const struct running_task *other = &task->slots[below(SLOTS)];
        r->task.slot.channel = other->task.slot.channel;
        r->task.release[0] = other->task.release[below(2)];
        r->task.release[1] = other->task.release[below(2)];
        r->task.release[below(2)].reduce = false;
        if (one_of(2)) r->task.frees[0] = r->task.frees[1] = false, r->task.parent = 0;
        for (unsigned i = 0; i < 2; i++) {
            if (one_of(2)) r->task.release[i].one_word = other->task.release[i].one_word;
            r->release_left[i] = r->task.release[i].enable && one_of(2);
            if (!r->task.release[i].reduce && !r->task.release[i].one_word) r->task.release[i].addr &= ~15u;
        }
    }
    look(&wanted);
}

static void noise(struct trace_perform *e) {
    if (one_of(12)) e->addr ^= 4u << below(4);
    if (one_of(12)) e->channel ^= 1;
    if (one_of(12)) e->op = MEM_WRITE + MEM_ATOMIC - e->op;
    if (one_of(12)) e->wstrb ^= 1u << below(32);
    if (one_of(6)) e->wdata[below(one_of(2) ? 8 : 32)] ^= (uint8_t)(1u << below(8));
}

// A number to see in which order of time a note stands with its request: what an error of the memory would tell.
static void check_note(uint32_t what, uint32_t slot, unsigned number, uint32_t fault) {
    const struct trace_event error = {.kind = TRACE_BUS_ERROR, .bus_error = {.port = MEM_PORT_TASK}};
    struct trace_event model;
    const struct mem_record *record = mem_follow_bus_error(ppu->mem, &error, &model, (struct why){0});
    cr_assert_eq(record == NULL, fault == ANSWER_OUTSIDE);
    if (record == NULL) return;
    cr_assert_eq(record->note.what, what);
    cr_assert_eq(record->note.number, slot);
    cr_assert_eq(record->note.serial, number);
}

// ---- releases
Test(task_ends, follow_release, .init = set_up, .fini = tear_down,
     .description =
         "TU-1 WQ-7 a release of the RTL belongs to a task that has one due; releases that write and are "
         "alike may change places [model]") {
    uint32_t fits = 0, shifted = 0;
    for (uint32_t turn = 0; turn < 2 * TURNS; turn++) {
        struct trace_event model, rtl;
        char says[REASON] = "";
        random_ends();
        const uint32_t one = below(SLOTS);
        const unsigned due = releases_next(&wanted.slots[one]);
        rtl = release_event(&wanted.slots[one], one, due == NO_RELEASE ? below(2) : due, 100 * below(6));
        noise(&rtl.perform);
        const uint32_t slot = whose(&rtl.perform);
        const char *why = slot == SLOTS ? "but no task is at its end" : NULL;
        struct trace_event must = {0};
        unsigned number = 0;
        uint64_t time = 0;
        if (slot != SLOTS) {
            struct running_task *r = &wanted.slots[slot];
            number = releases_next(r);
            const struct task_release *release = &r->task.release[number];
            fits += looks_like(&rtl.perform, slot);
            shifted += memcmp(&wanted.slots[slot], &task->slots[slot], sizeof *r) != 0;
            if (!release->reduce && !release->one_word) {
                memcpy(&time, &rtl.perform.wdata[release->addr % 32 + 8], 8);
                if (time < wanted.last_time) why = "runs backwards";
                if (why == NULL) wanted.last_time = time;
            }
            must = release_event(r, slot, number, time);
            if (why == NULL) releases(r, number, &must.perform);
        }
        check_taken(work_distributor_follow_release(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check();
        if (why != NULL) continue;
        check_event(&model, &must);
        check_note(TASK_RELEASES, slot, number, must.perform.fault);
    }
    cr_assert_gt(fits, TURNS / 20);
    cr_assert_gt(shifted, TURNS / 1000);
}

Test(task_ends, answers, .init = set_up, .fini = tear_down,
     .description = "TU-11 an answer of the memory with an error fails the task, by name [model]") {
    for (uint32_t turn = 0; turn < TURNS / 10; turn++) {
        random_ends();
        const uint32_t slot = below(SLOTS), fault = one_of(2) ? ANSWER_OUTSIDE : ANSWER_BUS_ERROR;
        const unsigned number = below(3);
        struct running_task *r = &wanted.slots[slot];
        if (number < 2) {
            fails(r, fault == ANSWER_OUTSIDE ? FAULT_SEMAPHORE_ADDRESS : FAULT_BUS_ERROR, r->task.release[number].addr);
            work_distributor_failed(&task->slots[slot], number, fault);
            check();
        }
        r->freeing = false;
        fails(r, fault == ANSWER_OUTSIDE ? FAULT_TMD_DEPENDENT_QMD : FAULT_BUS_ERROR, frees_whom(r, number));
        work_distributor_free_failed(&task->slots[slot], number, fault);
        check();
    }
}

// ---- tasks that wait for the end
static struct trace_event free_event(const struct running_task *r, uint32_t slot, unsigned number) {
    const uint32_t words[2] = {UINT32_MAX, slot + 1};
    struct trace_event event = event_now(TRACE_PERFORM);
    event.perform.port = MEM_PORT_TASK;
    event.perform.op = MEM_ATOMIC;
    event.perform.channel = r->task.slot.channel;
    event.perform.addr = frees_whom(r, number) + 4 * TMD_DEPENDENCE_COUNTER_WORD;
    if (answer(event.perform.channel, event.perform.addr) == ANSWER_OUTSIDE) event.perform.fault = ANSWER_OUTSIDE;
    memcpy(event.perform.wdata, words, sizeof words);
    return event;
}

static void frees(struct running_task *r, unsigned number, const struct trace_perform *e) {
    const uint32_t fault = answer(e->channel, e->addr), whom = frees_whom(r, number);
    uint8_t *at = &wanted.memory[(e->channel * SPACE + e->addr) % MEMORY];
    uint32_t word;
    r->frees_left[number] = false;
    if (fault != ANSWER_GOOD) {
        r->freeing = false;
        fails(r, fault == ANSWER_OUTSIDE ? FAULT_TMD_DEPENDENT_QMD : FAULT_BUS_ERROR, whom);
        return;
    }
    memcpy(&word, at, 4);
    if (word == 0) fails(r, FAULT_TMD_DEPENDENCE_COUNTER, whom);
    if (word == 1) r->freeing = true, r->freeing_tmd = whom;
    word--;
    memcpy(at, &word, 4);
}

// Tasks that a slot may count for are at the low addresses: their counters say 0, 1 or more.
static void random_counters(void) {
    for (uint32_t at = 0x100; at < 0x600; at += 0x100) {
        for (uint32_t c = 0; c < 2; c++) {
            const uint32_t word = below(3);
            memcpy(mem_bytes(ppu->mem) + c * SPACE + at + 4 * TMD_DEPENDENCE_COUNTER_WORD, &word, 4);
        }
    }
    memcpy(wanted.memory, mem_bytes(ppu->mem), MEMORY);
}

Test(task_ends, follow_frees, .init = set_up, .fini = tear_down,
     .description =
         "TU-15 an end counts for those that wait for it, its releases before, and frees the last one's "
         "[model]") {
    uint32_t count = 0;
    for (uint32_t turn = 0; turn < 2 * TURNS; turn++) {
        struct trace_event model, must;
        random_ends();
        random_counters();
        const uint32_t slot = below(SLOTS + 2);
        struct trace_event rtl = event_now(TRACE_PERFORM);
        const uint32_t words[2] = {UINT32_MAX, slot == SLOTS + 1 ? 0 : slot + 1};
        unsigned number = NOBODY;
        memcpy(rtl.perform.wdata, words, sizeof words);
        if (slot < SLOTS) {
            struct running_task *r = &wanted.slots[slot];
            for (uint32_t k = 0; k < 2 * SLOTS && releases_next(r) != NO_RELEASE; k++)
                shift(slot, k % SLOTS);
            number = frees_next(r);
            if (number != NOBODY) {
                must = free_event(r, slot, number);
                frees(r, number, &must.perform);
                count++;
            }
        }
        cr_assert_eq(work_distributor_frees(task, &rtl, &model), number != NOBODY);
        check();
        if (number == NOBODY) continue;
        check_event(&model, &must);
        check_note(TASK_FREES, slot, number, must.perform.fault);
    }
    cr_assert_gt(count, TURNS / 50);
}

// The task that waited goes into the launch queue.
static struct trace_event hands_over(uint32_t slot) {
    struct running_task *r = &wanted.slots[slot];
    struct trace_event must = event_now(TRACE_TASK_FREED);
    must.task_freed.slot = slot;
    must.task_freed.channel = r->task.slot.channel;
    must.task_freed.tmd = r->freeing_tmd;
    wanted.queue[wanted.queued].channel = r->task.slot.channel;
    wanted.queue[wanted.queued].tmd = r->freeing_tmd;
    wanted.queue[wanted.queued++].freed = true;
    wanted.outstanding[r->task.slot.channel]++;
    r->freeing = false;
    return must;
}

Test(task_ends, follow_freed, .init = set_up, .fini = tear_down,
     .description = "TU-15 who waits for nobody any more goes into the launch queue, if there is room [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, must, rtl = {.kind = TRACE_TASK_FREED};
        char says[REASON] = "";
        random_ends();
        const uint32_t slot = below(SLOTS + 1);
        rtl.task_freed.slot = slot;
        rtl.task_freed.tmd = 0x100;
        const char *why = slot == SLOTS || !wanted.slots[slot].freeing ? "or does not wait for it"
                          : wanted.queued == PENDING                   ? "but the launch queue is full"
                                                                       : NULL;
        if (why == NULL) must = hands_over(slot);
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check();
        if (why == NULL) check_event(&model, &must);
    }
}

// ---- ends
static struct trace_event task_ends(uint32_t slot, bool killed) {
    struct running_task *r = &wanted.slots[slot];
    const uint32_t channel = r->task.slot.channel;
    struct trace_event must = event_now(TRACE_TASK_END);
    must.task_end.slot = slot;
    must.task_end.channel = channel;
    must.task_end.tmd = r->task.slot.tmd;
    must.task_end.killed = killed;
    wanted.outstanding[channel]--;
    for (uint32_t k = 0; k < SLOTS && waits_far(r) && r->frees_left[2]; k++) {
        struct running_task *parent = &wanted.slots[k];
        if (!is_parent_of(parent, r)) continue;
        if (parent->children > 0) parent->children--;
        parent->woken = ppu->run.cycles;
    }
    if (r->release_code != FAULT_NONE)
        wanted.fault = (struct fault_report){.channel = channel, .code = r->release_code, .info = r->release_info};
    memset(r, 0, sizeof *r);
    return must;
}

static bool may_end(const struct running_task *r, bool says_killed, bool *killed) {
    *killed = r->faulted || (says_killed && halt[r->task.slot.channel]);
    if (r->freeing) return false;
    return *killed || (!more_ctas(r) && in_memory(r) && releases_next(r) == NO_RELEASE && frees_next(r) == NOBODY);
}

Test(task_ends, follow_end, .init = set_up, .fini = tear_down,
     .description =
         "TU-4 TU-6 a task ends when nothing of it is left to do, or killed; releases alike may change "
         "places [model]") {
    uint32_t ended = 0;
    for (uint32_t turn = 0; turn < 2 * TURNS; turn++) {
        struct trace_event model, must, rtl = {.kind = TRACE_TASK_END};
        char says[REASON] = "";
        const char *why = NULL;
        random_ends();
        const uint32_t slot = below(SLOTS + 1);
        const bool says_killed = one_of(2);
        rtl.task_end.slot = slot;
        rtl.task_end.killed = says_killed;
        bool killed = false;
        if (slot == SLOTS || !wanted.slots[slot].task.slot.busy) {
            why = "in which none runs";
        } else if (wanted.slots[slot].running > 0) {
            why = "of its CTAs run";
        } else {
            const struct running_task *r = &wanted.slots[slot];
            bool good = may_end(r, says_killed, &killed);
            for (uint32_t k = 0; k < 2 * SLOTS && !(good && killed == says_killed); k++) {
                shift(slot, k % SLOTS);
                good = may_end(r, says_killed, &killed);
            }
            if (!good) {
                why = more_ctas(r) ? "all of its CTAs were launched" : "its releases are performed";
            } else if (killed && r->release_code == FAULT_NONE && r->children > 0 && !halt[r->task.slot.channel]) {
                why = "but its children would not find it";
            }
        }
        if (why == NULL) must = task_ends(slot, killed);
        ended += why == NULL;
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check();
        if (why == NULL) check_event(&model, &must);
    }
    cr_assert_gt(ended, TURNS / 20);
}

Test(task_ends, step, .init = set_up, .fini = tear_down,
     .description = "TU-1 TU-4 TU-15 alone: of the first task that is at its end the next action [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event must;
        random_ends();
        random_counters();
        uint32_t slot = 0;
        for (; slot < SLOTS; slot++) {
            const struct running_task *r = &wanted.slots[slot];
            const bool kill = r->task.slot.kill;
            if (!r->task.slot.busy || r->running > 0 || !(kill || at_end(r))) continue;
            if (r->freeing && wanted.queued == PENDING) continue;
            break;
        }
        if (slot < SLOTS) {
            struct running_task *r = &wanted.slots[slot];
            const bool kill = r->task.slot.kill;
            if (r->freeing) {
                must = hands_over(slot);
            } else if (!kill && frees_next(r) != NOBODY) {
                const unsigned number = frees_next(r);
                must = free_event(r, slot, number);
                frees(r, number, &must.perform);
            } else if (!kill && releases_next(r) != NO_RELEASE) {
                const unsigned number = releases_next(r);
                must = release_event(r, slot, number, ppu->run.cycles * 40);
                releases(r, number, &must.perform);
            } else {
                must = task_ends(slot, kill);
            }
        }
        cr_assert_eq(work_distributor_step_ending(task), slot < SLOTS);
        cr_assert_eq(emits, slot < SLOTS ? 1 : 0);
        check();
        if (slot < SLOTS) check_event(&emitted[0], &must);
    }
}
