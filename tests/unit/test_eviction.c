// Who is evicted and when, and who is told that nothing can go on, held against the rules said once more: random
// tables and warps, events of the RTL that are due and some that are not, and what the model does alone.
#include "task_slots.h"

#define TURNS 20000u

// ---- random states
// Warps that run, wait for children, are at a barrier or in a trap; lists with something in them.
static void random_eviction(void) {
    random_table();
    const bool calm = one_of(2), all_busy = one_of(2), few = one_of(2);
    for (uint32_t s = 0; s < SMS; s++) {
        struct sm *sm = task->sms[s];
        if (!one_of(3)) sm->launch_count = 0;
        for (uint32_t w = 0; w <= WARPS; w++) {
            struct warp *warp = &sm->warps[w];
            warp->running = !one_of(3);
            warp->slot = below(SLOTS);
            warp->at_barrier = one_of(calm ? 2 : 4);
            warp->children.left = one_of(calm ? 12 : 3);
            warp->children.running = calm || one_of(3) ? 1 + below(2) : 0;
            warp->resume = one_of(6);
            warp->divergence.trapped = one_of(6);
        }
    }
    for (uint32_t k = 0; k < SLOTS; k++) {
        struct running_task *r = &task->slots[k];
        if (all_busy) r->task.slot.busy = true;
        if (few) r->evicted = false;
        r->task.group = below(3);
        r->task.save = !one_of(3);
        if (one_of(3)) r->running = 1 + below(3);
        if (calm) r->task.queue = false, r->stuck = one_of(6), r->task.slot.stop = one_of(8);
    }
    if (calm) suspend[0] = suspend[1] = (struct task_suspend){0};
    if (calm && one_of(2)) task->queued = 0;
    memset(task->lists, 0, CHANNELS * TASK_LEVELS * sizeof task->lists[0]);
    task->pending = 0;
    if (one_of(2)) {
        task->pending = 1;
        task->lists[below(CHANNELS) * TASK_LEVELS + below(4)].count = 1;
    }
    task->last_level = below(4);
    task->last_channel = below(CHANNELS);
    ppu->run.cycles = 5000;
    for (uint32_t c = 0; c < CHANNELS; c++)
        suspend[c].since = ppu->run.cycles - below(3);
    for (uint32_t k = 0; k < SLOTS; k++) {
        task->slots[k].begun = 5001 - below(3) - 1024 * below(4);
        task->slots[k].woken = 5000 - below(8);
    }
    look(&wanted);
}

// ---- the rules
static const struct running_task *at(uint32_t slot) {
    return &wanted.slots[slot];
}

static bool every_slot_busy(void) {
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (!at(k)->task.slot.busy) return false;
    }
    return true;
}

// The level that waits for a slot, or -1.
static int waiting_level(void) {
    uint32_t channel, level;
    return every_slot_busy() && task_management_pick(task, &channel, &level) ? (int)level : -1;
}

static bool steps_aside(const struct running_task *r) {
    return r->task.save && r->running > 0;
}

static bool may_be_evicted(uint32_t slot) {
    const struct running_task *r = at(slot);
    bool one_leaves = false, saver_leaves = false;
    for (uint32_t k = 0; k < SLOTS; k++) {
        one_leaves = one_leaves || at(k)->evicted;
        saver_leaves = saver_leaves || (at(k)->evicted && at(k)->task.save);
    }
    return r->task.slot.busy && !r->evicted && (more_ctas(r) || steps_aside(r)) && !saver_leaves &&
           !(one_leaves && !r->task.save);
}

// Another slot's CTA of the level or above may go out.
static bool other_is_ready(uint32_t slot, uint32_t level) {
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (k != slot && at(k)->task.group >= level && may_go_out(at(k))) return true;
    }
    return false;
}

// Of the slot's warps none can go on, and one waits for children.
static bool is_at_rest(uint32_t slot) {
    bool waits = false;
    for (uint32_t s = 0; s < SMS; s++) {
        const struct sm *sm = task->sms[s];
        for (uint32_t l = 0; l < sm->launch_count; l++) {
            if (sm->launches[l].slot == slot) return false;
        }
        for (uint32_t w = 0; w < WARPS; w++) {
            const struct warp *warp = &sm->warps[w];
            const bool for_children = warp->children.left == 0 && warp->children.running > 0;
            if (!warp->running || warp->slot != slot) continue;
            if (!for_children && !warp->at_barrier) return false;
            waits = waits || for_children;
        }
    }
    return waits;
}

static bool had_its_slice(uint32_t slot) {
    const struct running_task *r = at(slot);
    const int level = waiting_level();
    if (slice == 0 || !steps_aside(r) || ppu->run.cycles < r->begun + 1024 * slice) return false;
    if (level >= 0 && (round_robin || (uint32_t)level == r->task.group)) return true;
    return other_is_ready(slot, round_robin ? 0 : r->task.group);
}

// Who goes before whom: those that step aside, then lower levels, then lower slots.
static uint32_t rank(uint32_t slot) {
    return (at(slot)->task.save ? 0u : 64u) + at(slot)->task.group;
}
static uint32_t goes_first(uint32_t level, bool aside) {
    uint32_t first = SLOTS;
    for (uint32_t k = SLOTS; k-- > 0;) {
        const struct running_task *r = at(k);
        if (r->task.slot.kill || r->task.group >= level || !may_be_evicted(k) || (aside && !steps_aside(r))) continue;
        if (first == SLOTS || rank(k) <= rank(first)) first = k;
    }
    return first;
}
static bool none_before(uint32_t slot, uint32_t level, bool aside) {
    const uint32_t first = goes_first(level, aside);
    return first == SLOTS || rank(slot) <= rank(first);
}

static bool has_a_reason(uint32_t slot) {
    const struct running_task *r = at(slot);
    const int level = waiting_level();
    if (is_suspended(r->task.slot.channel) || had_its_slice(slot)) return true;
    if (steps_aside(r) && (is_at_rest(slot) || ppu->run.cycles - r->woken <= 4) &&
        (level >= 0 || other_is_ready(slot, 0)))
        return true;
    if (round_robin) return false;
    if (level > (int)r->task.group && none_before(slot, (uint32_t)level, false)) return true;
    return steps_aside(r) && other_is_ready(slot, r->task.group + 1) && none_before(slot, 64, true);
}

static struct trace_event is_evicted(uint32_t slot) {
    struct running_task *r = &wanted.slots[slot];
    struct trace_event must = event_now(TRACE_TASK_EVICT);
    r->evicted = true;
    r->task.slot.stop = r->task.save;
    must.task_evict.slot = slot;
    must.task_evict.channel = r->task.slot.channel;
    must.task_evict.tmd = r->task.slot.tmd;
    return must;
}

// Alone: the slot that goes, or SLOTS.
static uint32_t goes_now(void) {
    const uint32_t best = work_distributor_next(task);
    const bool crowded = best < SLOTS && work_distributor_room(task, best) == SMS;
    const int level = waiting_level();
    uint32_t first = SLOTS;
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (is_suspended(at(k)->task.slot.channel) && !at(k)->task.slot.kill && may_be_evicted(k)) return k;
    }
    if (!round_robin && level >= 0) first = goes_first((uint32_t)level, false);
    if (!round_robin && crowded && first == SLOTS) first = goes_first(at(best)->task.group, true);
    if (first < SLOTS || !(level >= 0 || crowded)) return first;
    // Of what rests and is in the way the lowest.
    for (uint32_t k = SLOTS; k-- > 0;) {
        const bool fits = steps_aside(at(k)) && !at(k)->task.slot.kill && may_be_evicted(k) && is_at_rest(k) &&
                          (level >= 0 || other_is_ready(k, 0));
        if (fits && (first == SLOTS || at(k)->task.group <= at(first)->task.group)) first = k;
    }
    for (uint32_t k = 0; k < SLOTS && first == SLOTS; k++) {
        if (!at(k)->task.slot.kill && may_be_evicted(k) && had_its_slice(k)) first = k;
    }
    return first;
}

// ---- tests
Test(eviction, follow, .init = set_up, .fini = tear_down,
     .description = "TU-5 a task that may be evicted is, for a reason; else it is refused [model]") {
    uint32_t count = 0;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, must = {0}, rtl = {.kind = TRACE_TASK_EVICT};
        char says[REASON] = "";
        random_eviction();
        const uint32_t slot = below(SLOTS + 1);
        rtl.task_evict.slot = slot;
        const char *why = slot == SLOTS || !may_be_evicted(slot) ? "which cannot leave, or not now"
                          : !has_a_reason(slot)                  ? "but nobody waits for it"
                                                                 : NULL;
        if (why == NULL) must = is_evicted(slot);
        count += why == NULL;
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check();
        if (why == NULL) check_event(&model, &must);
    }
    cr_assert_gt(count, TURNS / 50);
}

Test(eviction, step, .init = set_up, .fini = tear_down,
     .description = "TU-5 alone: who is evicted, and that the time in traps is no part of a slice [model]") {
    uint32_t count = 0;
    for (uint32_t turn = 0; turn < 2 * TURNS; turn++) {
        struct trace_event must = {0};
        random_eviction();
        for (uint32_t i = 0; i < SMS * WARPS && slice > 0; i++) {
            const struct warp *warp = &task->sms[i / WARPS]->warps[i % WARPS];
            if (warp->running && (warp->resume || warp->divergence.trapped))
                wanted.slots[warp->slot].begun = ppu->run.cycles;
        }
        const uint32_t slot = goes_now();
        if (slot < SLOTS) must = is_evicted(slot);
        count += slot < SLOTS;
        cr_assert_eq(eviction_step(task), slot < SLOTS);
        cr_assert_eq(emits, slot < SLOTS ? 1 : 0);
        check();
        if (slot < SLOTS) check_event(&emitted[0], &must);
    }
    cr_assert_gt(count, TURNS / 50);
}

// ---- nothing can go on
static bool nothing_goes_on(void) {
    bool waiting = false;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        if (is_suspended(c)) return false;
    }
    for (uint32_t k = 0; k < SLOTS; k++) {
        const struct checked_task *one = &at(k)->task;
        if (!one->slot.kill && ((one->slot.busy && one->queue) || one->slot.stop)) return false;
    }
    for (uint32_t s = 0; s < SMS; s++) {
        const struct sm *sm = task->sms[s];
        if (sm->launch_count > 0) return false;
        for (uint32_t w = 0; w < WARPS; w++) {
            const struct warp *warp = &sm->warps[w];
            const bool for_children = warp->children.left == 0 && warp->children.running > 0;
            if (warp->running && !warp->at_barrier && !for_children) return false;
            waiting = waiting || (warp->running && for_children);
        }
    }
    return waiting;
}

static struct trace_event is_stuck_in(uint32_t slot) {
    struct running_task *r = &wanted.slots[slot];
    struct trace_event must = event_now(TRACE_TASK_STUCK);
    r->stuck = true;
    must.task_stuck.slot = slot;
    must.task_stuck.channel = r->task.slot.channel;
    must.task_stuck.tmd = r->task.slot.tmd;
    wanted.fault =
        (struct fault_report){.channel = r->task.slot.channel, .code = FAULT_CHILD_DEADLOCK, .info = r->task.slot.tmd};
    return must;
}

// States in which nothing goes on, but for one thing in some.
static void random_stuck(void) {
    random_eviction();
    for (uint32_t s = 0; s < SMS; s++) {
        struct sm *sm = task->sms[s];
        sm->launch_count = one_of(12) ? 1 : 0;
        for (uint32_t w = 0; w < WARPS; w++) {
            struct warp *warp = &sm->warps[w];
            warp->running = one_of(2);
            warp->at_barrier = one_of(3);
            warp->children.left = one_of(24);
            warp->children.running = one_of(24) ? 0 : 1;
        }
    }
    for (uint32_t k = 0; k <= SLOTS; k++) {
        struct running_task *r = &task->slots[k];
        r->task.slot.kill = one_of(6);
        r->task.queue = one_of(12);
        r->task.slot.stop = one_of(12);
        r->stuck = one_of(4);
        r->running = one_of(3) ? 0 : 1;
    }
    for (uint32_t c = 0; c < CHANNELS; c++)
        suspend[c] = (struct task_suspend){.on = one_of(12), .before = one_of(12), .since = ppu->run.cycles - below(3)};
    if (!one_of(8)) task->queued = 0;
    look(&wanted);
}

Test(stuck, follow, .init = set_up, .fini = tear_down,
     .description = "TU-8 a task that holds up its children is told of it when nothing can go on [model]") {
    uint32_t count = 0;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event model, must = {0}, rtl = {.kind = TRACE_TASK_STUCK};
        char says[REASON] = "";
        random_stuck();
        const uint32_t slot = below(SLOTS + 1);
        rtl.task_stuck.slot = slot;
        const char *why = NULL;
        if (slot == SLOTS || !at(slot)->task.slot.busy || at(slot)->running == 0) {
            why = "but none runs there";
        } else if (!nothing_goes_on() || wanted.queued > 0 || at(slot)->stuck) {
            why = "but something can go on";
        } else {
            must = is_stuck_in(slot);
            count++;
        }
        check_taken(task_follow(task, &rtl, &model, (struct why){says, sizeof says}), says, why);
        check();
        if (why == NULL) check_event(&model, &must);
    }
    cr_assert_gt(count, TURNS / 100);
}

Test(stuck, step, .init = set_up, .fini = tear_down,
     .description = "TU-8 alone: the lowest task that runs and was not told [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event must = {0};
        uint32_t slot = SLOTS;
        random_stuck();
        for (uint32_t k = SLOTS; k-- > 0;) {
            const struct running_task *r = at(k);
            if (!r->task.slot.busy || r->task.slot.kill || r->running == 0 || r->stuck) continue;
            if (slot == SLOTS || r->task.group <= at(slot)->task.group) slot = k;
        }
        if (wanted.queued > 0 || !nothing_goes_on()) slot = SLOTS;
        if (slot < SLOTS) must = is_stuck_in(slot);
        cr_assert_eq(stuck_step(task), slot < SLOTS);
        cr_assert_eq(emits, slot < SLOTS ? 1 : 0);
        check();
        if (slot < SLOTS) check_event(&emitted[0], &must);
    }
}
