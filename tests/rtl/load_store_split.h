// When load_store's requests stand there: the rules in the unit's head said a second time, cycle by cycle, of what has
// come in. How long load_collect keeps requests it does not know: of a window of LSU_DEPTH requests after nothing was
// inside it says each one's cycle.
#ifndef TANDEM_TESTS_RTL_LOAD_STORE_SPLIT_H
#define TANDEM_TESTS_RTL_LOAD_STORE_SPLIT_H

#include "load_store_world.h"

// Whether there is a place for a request of an instruction: of one, also when it becomes free in this cycle; of two, what was free
// at its beginning, and a write stands alone.
static bool has_place(const struct world &w, const struct instruction &i, bool asked) {
    if (REQUEST_CYCLES == 1) return w.stands == 0 || asked;
    return i.d.store ? w.stands == 0 : w.stands < 2 && !w.stands_write;
}

// Whether a request goes over in this cycle and whether a fault is told; then what the edge makes of it.
static void follow_split(struct world &w, bool asked) {
    struct bench *b = &w.bench;
    const Vload_store &u = *w.up;
    const bool free = REQUEST_CYCLES == 1 || w.between == nullptr;  // memory's port
    const bool passes = free && ((REQUEST_CYCLES > 1 && w.stands_reads[0]) || u.req_ready_i);
    if (asked && w.stands == 0) bench_fail(b, "a request too early");
    if (w.stands != 0 && !asked && passes && (!w.stands_reads[0] || !u.l1_enable_i)) bench_fail(b, "a request is late");
    const bool could = w.split_of != nullptr && has_place(w, *w.split_of, asked);
    const bool was_busy = w.split_of != nullptr;
    if (asked) {
        w.stands--;
        w.stands_reads[0] = w.stands_reads[1];
        w.stands_write = false;
    }
    if (could) {
        struct instruction &i = *w.split_of;
        struct warp twin = i.twin;
        twin.access.pending = w.split_left;
        const uint64_t match = load_store_next(&w.sm, &twin);
        const bool whole = !i.d.store || w.merged + 1 >= groups_of(match), last = match == w.split_left;
        const bool waits = i.twin.due.shared != 0 && w.cycle < i.shared_ends && last &&
                           (w.portion_last || (u.shared_left_i >> first_portion(match) & 1) != 0);
        if (!whole) w.merged++;
        if (whole && !waits) {
            w.merged = 0;
            w.stands_reads[w.stands++] = !i.d.store && !i.d.atomic;
            w.stands_write = i.d.store;
            w.split_left &= ~match;
            if (last) {
                w.split_of = nullptr;
                i.left_intake = w.portion_last;
            }
        }
    }
    struct instruction *serve = nullptr;
    for (struct instruction &i : w.inside)
        if (serve == nullptr && !i.served) serve = &i;
    if (serve != nullptr && serve->in >= w.cycle) serve = nullptr;
    const bool tells = serve != nullptr && !serve->good && !was_busy;
    if (u.check_fault_valid_o != tells) bench_fail(b, "the fault of a check: %u, not %u", u.check_fault_valid_o, tells);
    if (serve == nullptr) return;
    if (serve->untaken == 0) {
        if (!was_busy && (serve->good || u.check_fault_taken_i)) serve->served = serve->left_intake = true;
    } else if (w.split_of == nullptr) {
        const uint32_t p = first_portion(serve->untaken);
        w.split_of = serve;
        w.split_left = serve->untaken & portion_of(p);
        serve->untaken &= ~portion_of(p);
        w.portion_last = serve->served = serve->untaken == 0;
    }
}

#endif
