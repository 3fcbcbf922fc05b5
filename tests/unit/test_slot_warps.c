// Which warps are stopped and what becomes of them, and what the task unit is told of the warps of a slot, held against
// the rules said once more on random warps.
#include "task_slots.h"

#define TURNS 20000u

static struct sm *sm;

static void random_warps(void) {
    random_table();
    sm = task->sms[below(SMS)];
    if (one_of(2)) sm->launch_count = 0;
    sm->trap = (struct trap){.on = one_of(3), .saved = one_of(2), .warp = below(WARPS), .pc = below(100)};
    sm->fetch_cache.time = below(100);
    for (uint32_t w = 0; w <= WARPS; w++) {
        struct warp *warp = &sm->warps[w];
        warp->running = !one_of(4);
        warp->faulted = one_of(6);
        warp->held = one_of(6);
        warp->at_barrier = one_of(3);
        warp->resume = one_of(3);
        warp->slot = below(SLOTS);
        warp->cta = below(WARPS);
        warp->pc = 1 + below(1000);
        warp->instr_pc = below(1000);
        warp->fetched_since = 1000;
        warp->children.left = one_of(3);
        warp->children.running = one_of(2) ? 1 + below(3) : 0;
        warp->divergence.trapped = one_of(6);
        warp->divergence.resumed = one_of(6);
        warp->divergence.reason[KIND_NONE] = random_bits(&seed) & UINT32_MAX;
        sm->ctas[w].waiting = 1 + below(3);
    }
}

static bool wants_to_stop(const struct warp *warp) {
    const struct running_task *r = &task->slots[warp->slot];
    if (!warp->running || warp->faulted || r->task.slot.kill) return false;
    if (warp->divergence.trapped || warp->divergence.resumed) return false;  // in a trap, or within an instruction
    return warp->resume || r->task.slot.stop;
}

Test(slot_warps, stops, .init = set_up, .fini = tear_down,
     .description = "TU-12 TU-14 a warp stops between two instructions, once, while no other is in a trap [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_warps();
        for (uint32_t w = 0; w < WARPS; w++) {
            const struct warp *warp = &sm->warps[w];
            cr_assert_eq(warp_stops(sm, warp), wants_to_stop(warp));
            cr_assert_eq(warp_can_stop(sm, warp),
                         wants_to_stop(warp) && !sm->trap.on && !warp->held && warp->children.left == 0);
        }
    }
}

Test(slot_warps, stop, .init = set_up, .fini = tear_down,
     .description = "TU-12 a warp that is stopped enters a trap at pc 0, and comes again to a barrier [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        struct trace_event event;
        random_warps();
        memset(&event, 0, sizeof event);
        const uint32_t number = below(WARPS);
        struct warp *warp = &sm->warps[number];
        const struct warp before = *warp;
        const uint32_t waiting = sm->ctas[warp->cta].waiting, from = before.at_barrier ? before.instr_pc : before.pc;
        const bool tell = !one_of(4);
        warp_stop(sm, number, tell ? &event : NULL);
        cr_assert_eq(sm->ctas[warp->cta].waiting, waiting - before.at_barrier);
        cr_assert_not(warp->at_barrier);
        cr_assert_not(warp->resume);
        cr_assert_eq(warp->children.running, 0);
        cr_assert_eq(warp->children.left, before.children.left);
        cr_assert_eq(warp->pc, 0);
        cr_assert_eq(warp->instr_pc, before.instr_pc);
        cr_assert_eq(warp->fetched_since, sm->fetch_cache.time);
        cr_assert(warp->divergence.trapped);
        cr_assert_eq(warp->divergence.resumed, before.divergence.resumed);
        cr_assert_eq(warp->divergence.reason[KIND_NONE], before.divergence.reason[KIND_NONE]);
        cr_assert(warp->running == before.running && warp->faulted == before.faulted && warp->held == before.held);
        cr_assert(sm->trap.on && !sm->trap.saved);
        cr_assert_eq(sm->trap.warp, number);
        cr_assert_eq(sm->trap.pc, from);
        if (!tell) continue;
        cr_assert_eq(event.kind, TRACE_WARP_STOP);
        cr_assert_eq(event.warp_stop.warp, number);
        cr_assert_eq(event.warp_stop.pc, from);
        cr_assert_eq(event.warp_stop.active,
                     before.divergence.trapped ? UINT32_MAX : before.divergence.reason[KIND_NONE]);
    }
}

Test(slot_warps, rest, .init = set_up, .fini = tear_down,
     .description = "TU-13 TU-14 a slot rests, waits for children, is in a trap: as its warps say [model]") {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        random_warps();
        const uint32_t slot = below(SLOTS);
        bool rests = true, waits = false, trapped = false;
        for (uint32_t w = 0; w < WARPS; w++) {
            const struct warp *warp = &sm->warps[w];
            const bool of_children = warp->children.running != 0 && warp->children.left == 0;
            if (!warp->running || warp->slot != slot) continue;
            waits |= of_children;
            rests &= of_children || warp->at_barrier;
            trapped |= warp->divergence.trapped || warp->resume;
        }
        for (uint32_t l = 0; l < sm->launch_count; l++)
            rests = rests && sm->launches[l].slot != slot;
        cr_assert_eq(sm_slot_rests(sm, slot), rests);
        cr_assert_eq(sm_slot_waits(sm, slot), waits);
        cr_assert_eq(sm_slot_trapped(sm, slot), trapped);
    }
}
