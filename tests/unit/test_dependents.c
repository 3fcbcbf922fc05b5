// Tasks that wait for the ends of others, in the task unit of the model: alone, and what it takes from an RTL.
#include "task_world.h"

static void set_frees(uint32_t tmd[TMD_WORDS], unsigned i, uint32_t addr) {
    tmd_set(tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i, 1);
    tmd_set(tmd, TMD_DEPENDENT_QMD_POINTER, i, addr >> 8);
}

// A task that waits for `counter` ends, its launch counted, and frees the one at `frees` (0: none).
static void launch_waiting(struct world *w, uint32_t addr, uint32_t counter, uint32_t frees) {
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, GOOD_CODE, 1, 1, 1);
    tmd_set(tmd, TMD_DEPENDENCE_COUNTER, 0, counter);
    if (frees != 0) set_frees(tmd, 1, frees);
    launch_tmd(w->ppu, 0, addr, tmd);
}

static uint32_t index_of(const struct world *w, enum trace_kind kind, uint32_t n) {
    const struct trace_event *event = nth(w, kind, n);
    cr_assert_not_null(event, "there is no event %s number %u", trace_kind_name(kind), n);
    return (uint32_t)(event - w->events);
}

Test(dependents, chain, .description = "TU-15 parked, freed by the end before, which counts after that [model]") {
    struct world *w = begin();
    launch_waiting(w, 0x300, 2, 0);
    launch_waiting(w, 0x200, 2, 0x300);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_TASK_PARKED), 2);
    cr_assert_eq(number_of(w, TRACE_TASK_START), 0);
    cr_assert(task_channel_idle(w->ppu->task, 0), "what waits does not count");
    cr_assert_eq(field_at(w, 0, 0x300, TMD_DEPENDENCE_COUNTER), 1);
    cr_assert_eq(field_at(w, 0, 0x300, TMD_TANDEM_REGION), REGION);
    launch_waiting(w, 0x100, 0, 0x200);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_TASK_END), 3);
    cr_assert_eq(number_of(w, TRACE_TASK_FREED), 2);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_eq(nth(w, TRACE_TASK_START, i)->task_start.tmd, 0x100 * (i + 1));
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert_lt(index_of(w, TRACE_TASK_FREED, i), index_of(w, TRACE_TASK_END, i));
        cr_assert_lt(index_of(w, TRACE_TASK_FREED, i), index_of(w, TRACE_TASK_START, i + 1));
    }
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
}

Test(dependents, launch_is_the_last,
     .description = "TU-15 all have ended before the launch: it goes on at once [model]") {
    struct world *w = begin();
    launch_waiting(w, 0x100, 1, 0);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_TASK_PARKED), 0);
    cr_assert_eq(number_of(w, TRACE_TASK_END), 1);
    end(w);
}

Test(dependents, counters, .description = "TU-15 an end that was not counted is a named fault [model]") {
    struct world *w = begin();
    launch_waiting(w, 0x100, 0, 0x800);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_DEPENDENCE_COUNTER);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_INFO), 0x800);
    cr_assert_eq(nth(w, TRACE_TASK_END, 0)->task_end.killed, 1);
    end(w);
}

// The counter changes between the check of the TMD and the count of the launch: only software that miscounts does so.
Test(dependents, counted_before,
     .description = "TU-15 a launch that finds its counter at 0 is refused by name [model]") {
    struct world *w = begin();
    struct trace_event event;
    char why[200] = "";
    launch_waiting(w, 0x100, 1, 0);
    take_in(w->ppu);
    write_space(w->ppu, 0, 0x100 + 4 * TMD_DEPENDENCE_COUNTER_WORD, &(uint32_t){0}, 4);
    for (uint32_t i = 0; i < 2; i++) {
        struct trace_event perform = {.kind = TRACE_PERFORM};
        perform.perform.op = i == 0 ? MEM_WRITE : MEM_ATOMIC;
        perform.perform.addr = 0x1E0 + (i == 0 ? 0 : 4 * TMD_DEPENDENCE_COUNTER_WORD - 0xE0);
        perform.perform.wstrb = i == 0 ? 0xFF0F0 : 0;
        const uint32_t region = REGION, minus_one = UINT32_MAX;
        memcpy(perform.perform.wdata + (i == 0 ? 4 : 0), i == 0 ? &region : &minus_one, 4);
        cr_assert(task_management_write(w->ppu->task, &perform, &event), "write %u is not the next", i);
    }
    const struct trace_event parked = {.kind = TRACE_TASK_PARKED};
    cr_assert_not(task_follow(w->ppu->task, &parked, &event, (struct why){why, sizeof why}));
    struct trace_event refused = {.kind = TRACE_TASK_REFUSED};
    refused.task_refused.code = FAULT_TMD_DEPENDENCE_COUNTER;
    cr_assert(task_follow(w->ppu->task, &refused, &event, (struct why){why, sizeof why}), "%s", why);
    cr_assert_eq(event.task_refused.code, FAULT_TMD_DEPENDENCE_COUNTER);
    cr_assert_eq(event.task_refused.info, 0x100);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
}

static void refused(struct world *w, const struct trace_event *rtl, const char *words) {
    struct trace_event event;
    char why[200] = "";
    cr_assert_not(task_follow(w->ppu->task, rtl, &event, (struct why){why, sizeof why}), "%s",
                  trace_kind_name(rtl->kind));
    cr_assert_not_null(strstr(why, words), "\"%s\" does not say \"%s\"", why, words);
}

Test(dependents, not_taken_over, .description = "TU-15 what the model does not take from an RTL [model]") {
    struct world *w = begin();
    struct trace_event start = {.kind = TRACE_TASK_START}, parked = {.kind = TRACE_TASK_PARKED},
                       pending = {.kind = TRACE_TASK_PENDING}, freed = {.kind = TRACE_TASK_FREED};
    start.task_start.tmd = parked.task_parked.tmd = pending.task_pending.tmd = freed.task_freed.tmd = 0x100;
    refused(w, &parked, "parked");
    refused(w, &freed, "frees");
    launch_waiting(w, 0x100, 2, 0);
    take_in(w->ppu);
    refused(w, &start, "waits for others");
    refused(w, &parked, "has not been counted");
    refused(w, &pending, "pending");
    freed.task_freed.slot = 99;
    refused(w, &freed, "frees");
    end(w);
    w = begin();
    launch_waiting(w, 0x100, 0, 0);
    take_in(w->ppu);
    refused(w, &parked, "does not wait for others");
    end(w);
}
