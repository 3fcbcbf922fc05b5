// Launches that are taken in, pending lists, and what is written into TMDs, held against the rules said once more:
// random states, events of the RTL that are due and some that are not, and what the model does alone.
#include "task_management_rules.h"

#define TURNS 5000u

// ---- launches
Test(task_management, launches, .init = set_up, .fini = tear_down,
     .description =
         "WQ-6 TU-15 launches of the host, of threads, and of those that have waited go into the queue "
         "[model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_management();
        cr_assert_eq(task_can_launch(task), wanted.queued < PENDING);
        if (wanted.queued == PENDING) continue;
        struct launch *own = &wanted.queue[wanted.queued++];
        memset(own, 0, sizeof *own);
        if (one_of(3)) {
            own->channel = below(CHANNELS);
            own->tmd = (uint32_t)random_bits(&seed);
            own->region = (uint32_t)random_bits(&seed);
            own->local = (uint32_t)random_bits(&seed);
            task_launch(task, own->channel, own->tmd, own->region, own->local);
        } else if (one_of(2)) {
            own->channel = below(CHANNELS);
            own->tmd = 0x100 * below(100);
            own->freed = true;
            task_management_free(task, own->channel, own->tmd);
        } else {
            const uint32_t slot = below(SLOTS), number = one_of(2) ? 1u << (23 + below(3)) : below(1000);
            const struct sm_child child = {
                .slot = slot, .number = number, .sm = below(SMS), .warp = below(2), .wait = one_of(2)};
            struct running_task *r = &wanted.slots[slot];
            own->channel = r->task.slot.channel;
            own->tmd = number * 256;
            own->region = r->task.slot.region;
            own->local = r->task.slot.local;
            own->beyond = number >= 1u << 24;
            if (child.wait) {
                own->parent = 1u << 31 | (child.sm << 1 | child.warp) << 24 | r->task.slot.tmd >> 8;
                if (r->task.save) own->parent |= 1u << 30, r->children++;
            }
            task_launch_child(task, &child);
        }
        wanted.outstanding[own->channel]++;
        check_management();
    }
}

// ---- what is taken
Test(task_management, follow_take, .init = set_up, .fini = tear_down,
     .description =
         "TU-2 TU-5 what is taken from a list, a slot or the launch queue is computed, and refused with a "
         "reason [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, must = {0}, rtl = {.kind = TRACE_TASK_TAKE};
        char says[REASON] = "";
        const char *why = NULL;
        uint32_t channel, level;
        random_management();
        rtl.task_take.from = below(3);
        rtl.task_take.slot = below(SLOTS + 1);
        const uint32_t slot = rtl.task_take.slot;
        if (wanted.taking && !(t.listed && halt[t.channel])) {
            why = "is done with";
        } else {
            wanted.taking = false;
            if (rtl.task_take.from == 2) {
                if (slot < SLOTS && can_leave(&wanted.slots[slot]))
                    must = takes_evicted(slot);
                else
                    why = "but it was not evicted or still runs";
            } else if (rtl.task_take.from == 0) {
                if (wanted.queued > 0)
                    must = takes_launch();
                else
                    why = "but no launch waits";
            } else if (first_free() == SLOTS) {
                why = "while no slot is free";
            } else if (pick(&channel, &level)) {
                must = takes_listed(channel, level);
            } else {
                why = "but no task is pending";
            }
        }
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check_management();
        if (why == NULL) check_event(&model, &must);
    }
}

Test(task_management, pick, .init = set_up, .fini = tear_down,
     .description = "TU-2 the list that is served next: of the highest level, or of the next one around [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t channel, level, own_channel = 0, own_level = 0;
        random_management();
        const bool any = pick(&own_channel, &own_level);
        cr_assert_eq(task_management_pick(task, &channel, &level), any);
        if (any) cr_assert(channel == own_channel && level == own_level);
        check_management();
    }
}

Test(task_management, fetch, .init = set_up, .fini = tear_down,
     .description =
         "TU-1 TU-11 the eight lines of a TMD, the first answer with an error counts; then it is checked "
         "[model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, must;
        random_management();
        const bool due = reads_line(&must);
        cr_assert_eq(task_management_fetch(task, &model), due);
        check_management();
        if (!due) continue;
        check_event(&model, &must);
        check_last(TASK_READS_TMD, must.perform.fault);
    }
}

Test(task_management, answers, .init = set_up, .fini = tear_down,
     .description = "TU-11 answers of the memory with an error: the first counts [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_management();
        const uint32_t what = below(3);
        if (what == 0) {
            if (t.fault == 0) t.fault = ANSWER_BUS_ERROR;
            if (all_read()) checks();
            task_management_failed(task, false);
        } else if (what == 1) {
            if (t.write_fault == 0) t.write_fault = ANSWER_BUS_ERROR;
            task_management_failed(task, true);
        } else {
            if (t.write_fault == 0) t.write_fault = ANSWER_BUS_ERROR;
            t.counted = false;
            t.writes = 2;
            task_management_count_failed(task);
        }
        check_management();
    }
}

// ---- writes
Test(task_management, writes, .init = set_up, .fini = tear_down,
     .description = "TU-2 TU-5 TU-15 the next write into a TMD is performed when the RTL's looks like it [model]") {
    uint32_t count = 0;
    for (uint32_t turn = 0; turn < 2 * TURNS; turn++) {
        struct trace_event model, must, rtl;
        random_management();
        const bool due = write_due(&must);
        struct trace_event all[4];
        if (!due) must = t.writes < all_writes(all) ? all[t.writes] : all[0];
        rtl = must;
        if (one_of(12)) rtl.perform.addr ^= 4u << below(8);
        if (one_of(12)) rtl.perform.channel ^= 1;
        if (one_of(12)) rtl.perform.op ^= MEM_WRITE ^ MEM_ATOMIC;
        if (one_of(12)) rtl.perform.wstrb ^= 1u << below(32);
        if (one_of(12)) rtl.perform.wdata[below(32)] ^= (uint8_t)(1u << below(8));
        rtl.perform.fault = must.perform.fault;
        const bool same = due && memcmp(&rtl, &must, sizeof rtl) == 0;
        if (same) writes_one(&must.perform);
        cr_assert_eq(task_management_write(task, &rtl, &model), same);
        count += same;
        check_management();
        if (!same) continue;
        check_event(&model, &must);
        check_last(must.perform.op == MEM_ATOMIC ? TASK_COUNTS : TASK_WRITES_TMD, must.perform.fault);
    }
    cr_assert_gt(count, TURNS / 20);
}

// ---- where it goes
static const char *why_not_started(uint32_t slot) {
    const struct task_suspend *s = &suspend[t.channel];
    if (slot >= SLOTS || wanted.slots[slot].task.slot.busy) return "which is not free";
    if (!wanted.taking || !all_read() || t.code != FAULT_NONE || t.write_fault != 0)
        return "but no good TMD has been read";
    if (t.evicted) return "while it is evicted";
    if (!t.listed && is_suspended(t.channel) && ppu->run.cycles > s->since + 2) return "is suspended";
    if (waits_now()) return "but it waits for others";
    if (t.freed && t.resumed) return "but it goes to its list first";
    return (t.listed ? all_written() : t.writes == 0) ? NULL : "but its TMD says that it is pending";
}

static const char *why_not_refused(uint32_t code) {
    uint32_t info;
    if (!wanted.taking) return "but none has been taken";
    if (code == FAULT_NONE) return halt[t.channel] ? NULL : "does not stand faulted";
    return fault_of_taken(&info) != FAULT_NONE ? NULL : "but no faulty TMD has been read";
}

static const char *why_not_dropped(uint32_t channel, uint32_t level) {
    if (channel >= CHANNELS || level >= TASK_LEVELS || !halt[channel]) return "which does not stand faulted";
    if (wanted.taking && !(t.listed && halt[t.channel])) return "is done with";
    return wanted.lists[channel * TASK_LEVELS + level].count > 0 ? NULL : "but it is empty";
}

Test(task_management, follow, .init = set_up, .fini = tear_down,
     .description =
         "TU-2 TU-5 TU-11 TU-15 a task that was taken starts, becomes pending, is parked or refused, a list "
         "is dropped: when that is due, else not, and why [model]") {
    uint32_t taken[5] = {0};
    for (uint32_t turn = 0; turn < 10 * TURNS; turn++) {
        struct trace_event model, must = {0}, rtl = {0};
        char says[REASON] = "";
        const char *why = NULL;
        const uint32_t what = below(5);
        uint32_t info, code;
        random_management();
        const bool good = wanted.taking && all_read() && t.code == FAULT_NONE && t.write_fault == 0 && all_written();
        if (what == 0) {
            rtl.kind = TRACE_TASK_START;
            rtl.task_start.slot = one_of(2) ? first_free() : below(SLOTS + 1);
            why = why_not_started(rtl.task_start.slot);
            if (why == NULL) must = starts_in(rtl.task_start.slot);
        } else if (what == 1) {
            rtl.kind = TRACE_TASK_PENDING;
            if (!good || t.listed || waits_now() || leaves_children_now()) why = "but no TMD has been read and linked";
            if (why == NULL) must = goes_into_list();
        } else if (what == 2) {
            rtl.kind = TRACE_TASK_PARKED;
            if (!good || !(leaves_children_now() || (waits_now() && t.counter > 0))) why = "or has not been counted";
            if (why == NULL) must = is_parked();
        } else if (what == 3) {
            rtl.kind = TRACE_TASK_REFUSED;
            rtl.task_refused.code = below(2);
            why = why_not_refused(rtl.task_refused.code);
            code = rtl.task_refused.code == 0 ? 0 : fault_of_taken(&info);
            if (why == NULL) must = is_refused(code, code == 0 ? 0 : info);
        } else {
            rtl.kind = TRACE_TASK_DROP;
            rtl.task_drop.channel = below(CHANNELS + 1);
            rtl.task_drop.level = one_of(12) ? TASK_LEVELS : some_level();
            uint32_t list = below(LISTS), left = LISTS;
            while (left > 0 && wanted.lists[list].count == 0)
                list = (list + 1) % LISTS, left--;
            if (one_of(2)) rtl.task_drop.channel = list / TASK_LEVELS, rtl.task_drop.level = list % TASK_LEVELS;
            why = why_not_dropped(rtl.task_drop.channel, rtl.task_drop.level);
            if (why == NULL || strstr(why, "empty") != NULL) wanted.taking = why != NULL && wanted.taking;
            if (why == NULL) must = is_dropped(rtl.task_drop.channel, rtl.task_drop.level);
        }
        taken[what] += why == NULL;
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check_management();
        if (why == NULL) check_event(&model, &must);
    }
    for (uint32_t i = 0; i < 5; i++)
        cr_assert_gt(taken[i], TURNS / 50, "%u: %u", i, taken[i]);
}

// ---- alone
static struct trace_event told_now[EMITS];
static uint32_t tells;

static void tell(struct trace_event must) {
    cr_assert_lt(tells, EMITS);
    told_now[tells++] = must;
}

// From a task that was taken to where it goes.
static void takes_in(bool pending, uint32_t slot) {
    struct trace_event must;
    uint32_t info;
    if (halt[t.channel]) {
        tell(is_refused(FAULT_NONE, 0));
        return;
    }
    while (reads_line(&must))
        tell(must);
    while (waits_now() && write_due(&must)) {
        writes_one(&must.perform);
        tell(must);
    }
    const bool parked = waits_now();
    const bool at_once =
        !is_suspended(t.channel) && !t.listed && !t.evicted && !(t.freed && t.resumed) && slot < SLOTS && !pending;
    while (!at_once && !parked && write_due(&must)) {
        writes_one(&must.perform);
        tell(must);
    }
    const uint32_t code = fault_of_taken(&info);
    if (code != FAULT_NONE) {
        tell(is_refused(code, info));
    } else if (parked || leaves_children_now()) {
        tell(is_parked());
    } else if (at_once || t.listed) {
        tell(starts_in(slot));
    } else {
        tell(goes_into_list());
    }
}

static bool drops_one(void) {
    for (uint32_t i = 0; i < LISTS; i++) {
        if (wanted.lists[i].count == 0 || !halt[i / TASK_LEVELS]) continue;
        tell(is_dropped(i / TASK_LEVELS, i % TASK_LEVELS));
        return true;
    }
    return false;
}

Test(task_management, step, .init = set_up, .fini = tear_down,
     .description =
         "TU-2 TU-5 TU-11 TU-15 alone: lists of channels that stand faulted are dropped, then who leaves a "
         "slot, then who is pending, then launches [model]") {
    uint32_t ends[TRACE_KIND_COUNT] = {0};
    for (uint32_t turn = 0; turn < 3 * TURNS; turn++) {
        uint32_t channel, level, leaving = 0;
        random_management();
        task->taking = wanted.taking = false;
        if (one_of(2)) {
            for (uint32_t k = 0; k < SLOTS; k++)
                task->slots[k].evicted = wanted.slots[k].evicted = false;
        }
        tells = 0;
        bool any = drops_one();
        if (!any) {
            const uint32_t slot = first_free();
            const bool pending = pick(&channel, &level);
            while (leaving < SLOTS && (!can_leave(&wanted.slots[leaving]) || wanted.slots[leaving].task.slot.kill))
                leaving++;
            any = true;
            if (leaving < SLOTS) {
                tell(takes_evicted(leaving));
            } else if (pending && slot < SLOTS) {
                tell(takes_listed(channel, level));
            } else if (wanted.queued > 0) {
                tell(takes_launch());
            } else {
                any = false;
            }
            if (any) takes_in(pending, slot);
        }
        cr_assert_eq(task_management_step(task), any);
        cr_assert_eq(emits, tells, "%u, not %u", emits, tells);
        for (uint32_t i = 0; i < tells; i++)
            check_event(&emitted[i], &told_now[i]);
        check_management();
        if (tells > 0) ends[told_now[tells - 1].kind]++;
    }
    cr_assert_gt(ends[TRACE_TASK_START], TURNS / 20);
    cr_assert_gt(ends[TRACE_TASK_PENDING], TURNS / 20);
    cr_assert_gt(ends[TRACE_TASK_PARKED], TURNS / 50);
    cr_assert_gt(ends[TRACE_TASK_REFUSED], TURNS / 20);
    cr_assert_gt(ends[TRACE_TASK_DROP], TURNS / 20);
}
