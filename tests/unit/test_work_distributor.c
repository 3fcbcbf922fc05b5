// What the task table does with CTAs, held against its rules said once more: random states, events of the RTL that are
// due and some that are not, and what the model does alone.
#include "task_slots.h"

#define TURNS 5000u

// ---- a task starts
static void starts(struct running_task *r, const struct checked_task *checked) {
    memset(r, 0, sizeof *r);
    r->task = *checked;
    r->task.slot.busy = true;
    r->task.slot.kill = halt[checked->slot.channel];
    r->launched = checked->launched;
    r->saved = checked->saved;
    for (unsigned i = 0; i < 3; i++)
        r->next[i] = checked->next[i];
    for (unsigned i = 0; i < 2; i++) {
        r->release_left[i] = checked->release[i].enable;
        r->frees_left[i] = checked->frees[i];
    }
    r->frees_left[2] = checked->parent >> 30 == 3;
    r->open = checked->open;
    r->put = checked->put;
    r->get = checked->next[0];
    if (checked->queue) r->launched = !checked->open && checked->put == checked->next[0];
}

Test(work_distributor, start, .init = set_up, .fini = tear_down,
     .description = "TU-4 a slot as a task begins in it, and its event [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model;
        random_state();
        const uint32_t slot = below(SLOTS);
        struct checked_task checked = task->slots[below(SLOTS)].task;
        checked.slot.busy = checked.slot.kill = false;
        starts(&wanted.slots[slot], &checked);
        wanted.tasks++;
        work_distributor_start(task, slot, &checked, &model);
        struct trace_event must = event_now(TRACE_TASK_START);
        must.task_start.slot = slot;
        must.task_start.channel = checked.slot.channel;
        must.task_start.tmd = checked.slot.tmd;
        must.task_start.pc = (checked.slot.code_base - checked.slot.region) / 8;
        check_event(&model, &must);
        check();
    }
}

// ---- CTAs out
// The CTA goes out: the table, the SM, and the event.
static struct trace_event goes_out(uint32_t slot, uint32_t sm) {
    struct running_task *r = &wanted.slots[slot];
    const struct task_slot *t = &r->task.slot;
    struct trace_event must = event_now(TRACE_CTA_LAUNCH);
    struct cta_launch taken = {.slot = slot, .warps = t->threads / 32};
    const bool back = r->saved > 0;
    taken.resumed = back;
    must.cta_launch.slot = slot;
    must.cta_launch.sm = sm;
    must.cta_launch.resumed = back;
    if (r->running++ == 0) r->begun = ppu->run.cycles;
    r->woken = ppu->run.cycles;
    if (back) {
        r->saved--;
    } else {
        const uint32_t count = entries(r);
        wanted.ctas++;
        must.cta_launch.x = taken.x = r->next[0];
        must.cta_launch.y = taken.y = r->task.queue ? count : r->next[1];
        must.cta_launch.z = taken.z = r->next[2];
        if (r->task.queue) {
            r->next[0] = (r->next[0] + count) & MASK;
            r->launched = !r->open && r->next[0] == r->put;
        } else {
            // The number of the next one, in the grid's order.
            const uint32_t x = r->next[0], y = r->next[1], z = r->next[2];
            const uint32_t number = x + t->grid[0] * (y + t->grid[1] * z) + 1;
            r->launched = number == t->grid[0] * t->grid[1] * t->grid[2];
            r->next[0] = number % t->grid[0];
            r->next[1] = number / t->grid[0] % t->grid[1];
            r->next[2] = number / t->grid[0] / t->grid[1];
        }
    }
    wanted.launch_count[sm]++;
    wanted.launched[sm] = taken;
    return must;
}

static const char *why_not_out(uint32_t slot, uint32_t sm) {
    const struct running_task *r = &wanted.slots[slot < SLOTS ? slot : 0];
    if (slot >= SLOTS || !r->task.slot.busy) return "in which no task runs";
    if (sm >= SMS) return "of 3";
    if (!more_ctas(r)) return "after its last one";
    if (r->task.queue && entries(r) == 0) return "without an entry in its queue";
    if (is_suspended(r->task.slot.channel)) return "whose channel is suspended";
    if (!may_go_out(r)) return "while another of this sequential task runs";
    return sm_can_take_cta(task->sms[sm], slot) ? NULL : "which has no room for it";
}

Test(work_distributor, follow_launch, .init = set_up, .fini = tear_down,
     .description =
         "TU-6 TU-10 a CTA that may go out does, x fastest, those that left first; others do not, and why "
         "[model]") {
    uint32_t out = 0;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, rtl = {.kind = TRACE_CTA_LAUNCH};
        char says[REASON] = "";
        random_state();
        rtl.cta_launch.slot = below(SLOTS + 1);
        rtl.cta_launch.sm = below(SMS + 1);
        const uint32_t slot = rtl.cta_launch.slot, sm = rtl.cta_launch.sm;
        const char *why = why_not_out(slot, sm);
        struct trace_event must = {0};
        if (why == NULL) must = goes_out(slot, sm);
        out += why == NULL;
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        if (why == NULL) check_event(&model, &must);
        check();
    }
    cr_assert_gt(out, TURNS / 100);
}

// The slot of the highest level that may launch, of equals the first behind the one that was last.
static uint32_t next_out(void) {
    uint32_t best = SLOTS, place = 0;
    for (uint32_t k = 0; k < SLOTS; k++) {
        const struct running_task *r = &wanted.slots[k];
        const uint32_t behind = (k + SLOTS - 1 - wanted.last_slot) % SLOTS;
        if (r->task.slot.kill || !may_go_out(r)) continue;
        const uint32_t group = best < SLOTS ? wanted.slots[best].task.group : 0;
        if (best == SLOTS || r->task.group > group || (r->task.group == group && behind < place))
            best = k, place = behind;
    }
    return best;
}

static uint32_t room_for(uint32_t slot) {
    uint32_t best = SMS, place = SMS;
    for (uint32_t s = 0; s < SMS; s++) {
        const uint32_t behind = (s + SMS - 1 - wanted.last_sm) % SMS;
        if (behind < place && sm_can_take_cta(task->sms[s], slot)) best = s, place = behind;
    }
    return best;
}

Test(work_distributor, step_launch, .init = set_up, .fini = tear_down,
     .description = "TU-4 TU-10 alone: the highest level first, slots and SMs take turns [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_state();
        for (uint32_t k = 0; k < SLOTS; k++) {
            const struct running_task *r = &wanted.slots[k];
            cr_assert_eq(work_distributor_has_ctas(r), more_ctas(r));
            cr_assert_eq(work_distributor_may_launch(task, r), may_go_out(r));
            cr_assert_eq(work_distributor_can_leave(r), r->task.slot.busy && r->evicted && more_ctas(r) &&
                                                            !r->leaving && r->running == 0 && in_memory(r));
        }
        const uint32_t slot = next_out(), sm = slot < SLOTS ? room_for(slot) : SMS;
        struct trace_event must = {0};
        cr_assert_eq(work_distributor_next(task), slot);
        if (slot < SLOTS) cr_assert_eq(work_distributor_room(task, slot), sm);
        if (sm < SMS) {
            must = goes_out(slot, sm);
            wanted.last_slot = slot;
            wanted.last_sm = sm;
        }
        cr_assert_eq(work_distributor_step_launch(task), sm < SMS);
        cr_assert_eq(emits, sm < SMS ? 1 : 0);
        if (sm < SMS) check_event(&emitted[0], &must);
        check();
    }
}

// ---- CTAs that end
static struct trace_event ends(uint32_t sm, uint32_t slot, bool left) {
    struct running_task *r = &wanted.slots[slot];
    struct trace_event must = event_now(TRACE_CTA_END);
    wanted.done[sm * SLOTS + slot][left]--;
    r->running--;
    r->saved += left;
    must.cta_end.sm = sm;
    must.cta_end.slot = slot;
    must.cta_end.left = left;
    return must;
}

Test(work_distributor, follow_cta_end, .init = set_up, .fini = tear_down,
     .description = "TU-6 a CTA ends, or leaves, where an SM has said so and nowhere else [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, must, rtl = {.kind = TRACE_CTA_END};
        char says[REASON] = "";
        random_state();
        const uint32_t sm = below(SMS + 1), slot = below(SLOTS + 1);
        const bool left = one_of(2);
        rtl.cta_end.sm = sm;
        rtl.cta_end.slot = slot;
        rtl.cta_end.left = left;
        const bool due = sm < SMS && slot < SLOTS && wanted.done[sm * SLOTS + slot][left] > 0;
        if (due) must = ends(sm, slot, left);
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says,
                    due    ? NULL
                    : left ? "leaves SM"
                           : "ends on SM");
        if (due) check_event(&model, &must);
        check();
        if (sm == SMS || slot == SLOTS) continue;
        task_cta_done(task, sm, slot, left);
        wanted.done[sm * SLOTS + slot][left]++;
        check();
    }
}

Test(work_distributor, step_cta_end, .init = set_up, .fini = tear_down,
     .description = "TU-6 alone: the first CTA that an SM has ended, one that has left last [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_state();
        if (one_of(2)) {  // but few
            memset(task->done, 0, SMS * SLOTS * sizeof task->done[0]);
            if (one_of(2)) task->done[below(SMS * SLOTS)][below(2)] = 1;
            memcpy(wanted.done, task->done, sizeof wanted.done);
        }
        uint32_t first = 0;
        while (first < SMS * SLOTS && wanted.done[first][0] == 0 && wanted.done[first][1] == 0)
            first++;
        const bool any = first < SMS * SLOTS;
        struct trace_event must;
        if (any) must = ends(first / SLOTS, first % SLOTS, wanted.done[first][0] == 0);
        cr_assert_eq(work_distributor_step_cta_end(task), any);
        cr_assert_eq(emits, any ? 1 : 0);
        if (any) check_event(&emitted[0], &must);
        check();
    }
}

// ---- a warp's fault
Test(work_distributor, warp_fault, .init = set_up, .fini = tear_down,
     .description = "TU-11 a fault of a warp kills its task and is told [model]") {
    for (uint32_t turn = 0; turn < TURNS / 10; turn++) {
        random_state();
        const uint32_t slot = below(SLOTS), code = 1 + below(50), info = below(1000), pc = below(1000);
        wanted.slots[slot].faulted = wanted.slots[slot].task.slot.kill = true;
        wanted.fault = (struct fault_report){wanted.slots[slot].task.slot.channel, code, info, pc};
        task_warp_fault(task, slot, code, info, pc);
        check();
    }
}
