// Pending lists and eviction in the task unit of the model.
#include "task_world.h"

Test(task_lists, order_of_the_lists,
     .description = "TU-2 TU-3 highest priority first; in a level first in first out, but for ADD_TO_HEAD [model]") {
    struct world *w = begin();
    static const uint32_t group[] = {3, 40, 3, 63};
    for (uint32_t i = 0; i < 4; i++)
        launch_group(w, 0, 0x100 * (i + 1), group[i], false);
    cr_assert_not(task_can_launch(w->ppu->task), "nano keeps four that wait to be taken in");
    make_pending(w->ppu);
    cr_assert(task_can_launch(w->ppu->task));
    cr_assert_eq(pending_in(w, 0, 3), 2);
    cr_assert_eq(pending_in(w, 0, 40), 1);
    cr_assert_eq(pending_in(w, 0, 63), 1);
    launch_group(w, 0, 0x500, 3, true);
    make_pending(w->ppu);
    // The links are in the TMDs.
    cr_assert_eq(field_at(w, 0, 0x500, TMD_SCHEDULER_NEXT_QMD_POINTER), 1);
    cr_assert_eq(field_at(w, 0, 0x100, TMD_SCHEDULER_NEXT_QMD_POINTER), 3);
    cr_assert_eq(field_at(w, 0, 0x500, TMD_TANDEM_STATE), 3 << 2 | 1);
    cr_assert_eq(field_at(w, 0, 0x500, TMD_TANDEM_REGION), REGION);
    cr_assert_eq(task_outstanding(w->ppu->task, 0), 5);
    run(w->ppu);
    static const uint32_t order[] = {0x400, 0x200, 0x500, 0x100, 0x300};
    for (uint32_t i = 0; i < 5; i++) {
        cr_assert_eq(nth(w, TRACE_TASK_START, i)->task_start.tmd, order[i]);
        cr_assert_eq(field_at(w, 0, order[i], TMD_TANDEM_STATE), 0);
    }
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
}

Test(task_lists, round_robin,
     .description = "TU-2 TASK_SCHEDULE: the levels take turns, and the channels of a level [model]") {
    struct world *w = begin();
    ppu_reg_write(w->ppu, REG_TASK_SCHEDULE, 0xFFFFFFFF);
    cr_assert_eq(ppu_reg_read(w->ppu, REG_TASK_SCHEDULE), 0xFF01);
    static const struct {
        uint32_t channel, group;
    } launches[] = {{0, 3}, {0, 3}, {0, 40}, {1, 40}, {0, 40}, {1, 63}, {0, 0}};
    for (uint32_t i = 0; i < 7; i++) {
        launch_group(w, launches[i].channel, 0x100 * (i + 1), launches[i].group, false);
        make_pending(w->ppu);
    }
    ppu_reg_write(w->ppu, REG_TASK_SCHEDULE, 0);
    cr_assert_eq(ppu_reg_read(w->ppu, REG_TASK_SCHEDULE), 0xFF01, "not while tasks are outstanding");
    run(w->ppu);
    static const uint32_t order[] = {0x600, 0x300, 0x100, 0x700, 0x400, 0x200, 0x500};
    for (uint32_t i = 0; i < 7; i++)
        cr_assert_eq(nth(w, TRACE_TASK_START, i)->task_start.tmd, order[i], "%u: 0x%x", i,
                     nth(w, TRACE_TASK_START, i)->task_start.tmd);
    ppu_reg_write(w->ppu, REG_TASK_SCHEDULE, 0);
    cr_assert_eq(ppu_reg_read(w->ppu, REG_TASK_SCHEDULE), 0);
    end(w);
}

Test(task_lists, launched_twice,
     .description = "TU-11 a TMD that is pending cannot be launched again, later it can [model]") {
    struct world *w = begin();
    launch_group(w, 0, 0x100, 7, false);
    make_pending(w->ppu);
    launch_group(w, 1, 0x100, 7, false);  // of another channel: another TMD
    make_pending(w->ppu);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_TASK_END), 2);
    task_launch(w->ppu->task, 0, 0x100, REGION, 0);
    make_pending(w->ppu);
    task_launch(w->ppu->task, 0, 0x100, REGION, 0);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "the first was started before");
    task_launch(w->ppu->task, 0, 0x100, REGION, 0);
    make_pending(w->ppu);
    task_launch(w->ppu->task, 0, 0x100, REGION, 0);
    make_pending(w->ppu);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_ACTIVE);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_INFO), 0x100);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    // What was dropped may be launched again as it is.
    cr_assert_eq(field_at(w, 0, 0x100, TMD_TANDEM_STATE), 7 << 2 | 1);
    channel_register(w->ppu, 0, CHANNEL_CONTROL, 2);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
    const uint32_t ended = number_of(w, TRACE_TASK_END);
    task_launch(w->ppu->task, 0, 0x100, REGION, 0);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
    cr_assert_eq(number_of(w, TRACE_TASK_END), ended + 1);
    end(w);
}

Test(task_lists, dropped_lists,
     .description = "TU-2 the lists of a channel that faults are dropped, those of others go on [model]") {
    struct world *w = begin();
    for (uint32_t i = 0; i < 12; i++) {
        launch_group(w, i % 2, 0x100 * (i + 1), i % 3, false);
        make_pending(w->ppu);
    }
    cr_assert_eq(task_outstanding(w->ppu->task, 0), 6);
    host_fault(w->ppu->host, &(struct fault_report){0, FAULT_METHOD, 0, 0});
    run(w->ppu);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    cr_assert(task_channel_idle(w->ppu->task, 1));
    cr_assert_eq(number_of(w, TRACE_TASK_END), 6);
    cr_assert_eq(number_of(w, TRACE_TASK_REFUSED), 0);
    cr_assert_eq(number_of(w, TRACE_TASK_DROP), 3);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_eq(nth(w, TRACE_TASK_DROP, i)->task_drop.channel, 0);
        cr_assert_eq(nth(w, TRACE_TASK_DROP, i)->task_drop.count, 2);
    }
    end(w);
}

Test(task_lists, broken_links,
     .description =
         "TU-2 TU-11 a thread that overwrites a link or a state: TMD_LINK on its channel, no harm to "
         "others [model]") {
    static const struct {
        uint32_t word, value, ended;
    } cases[] = {
        {5, 0x50, 1},        // leads to what is no TMD
        {5, 1, 1},           // to itself, which has been started
        {5, 4, 2},           // over the next ones: the fourth starts, and links to nobody
        {5, 0xFFFFFFFF, 0},  // past 2^32
        {5, 0xFFFFFF, 1},    // past the space
        {58, 0, 0},          // not pending
        {6, 8, 0},           // in another level
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world *w = begin();
        for (uint32_t k = 0; k < 8; k++) {
            launch_group(w, k / 4, 0x100 * (k % 4 + 1), 5, false);
            make_pending(w->ppu);
        }
        write_space(w->ppu, 0, 0x100 + 4 * cases[i].word, &cases[i].value, 4);
        run(w->ppu);
        cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_LINK, "case %zu: %s", i,
                     fault_name(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE)));
        cr_assert_eq(channel_read(w->ppu, 1, CHANNEL_FAULT_CODE), FAULT_NONE);
        uint32_t started[2] = {0, 0};
        for (uint32_t k = 0; k < number_of(w, TRACE_TASK_START); k++)
            started[nth(w, TRACE_TASK_START, k)->task_start.channel]++;
        cr_assert_eq(started[0], cases[i].ended, "case %zu: %u", i, started[0]);
        cr_assert_eq(started[1], 4);
        cr_assert(task_channel_idle(w->ppu->task, 0));
        cr_assert(task_channel_idle(w->ppu->task, 1));
        end(w);
    }
}

static uint32_t launches_of(const struct world *w, uint32_t slot_tmd, uint32_t counts[], uint32_t size) {
    uint32_t tmd_in[8] = {0}, all = 0;
    memset(counts, 0, size * sizeof counts[0]);
    for (uint32_t i = 0; i < w->count; i++) {
        const struct trace_event *e = &w->events[i];
        if (e->kind == TRACE_TASK_START) tmd_in[e->task_start.slot] = e->task_start.tmd;
        if (e->kind != TRACE_CTA_LAUNCH || tmd_in[e->cta_launch.slot] != slot_tmd) continue;
        cr_assert_lt(e->cta_launch.x, size);
        counts[e->cta_launch.x]++;
        all++;
    }
    return all;
}

Test(task_lists, evicted,
     .description =
         "TU-5 the lowest task is evicted for a higher one and goes on where it stopped, at the head of its "
         "list; every CTA once; its place is in its TMD meanwhile [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS], counts[60];
    for (uint32_t i = 0; i < 3; i++) {  // levels 2, 1 run, another of level 1 waits
        make_tmd(tmd, GOOD_CODE, 60, 1, 1);
        tmd_set(tmd, TMD_QMD_GROUP_ID, 0, i == 0 ? 2 : 1);
        launch_tmd(w->ppu, 0, 0x100 * (i + 1), tmd);
    }
    while (number_of(w, TRACE_CTA_LAUNCH) < 62)  // all of the first, some of the second
        cr_assert_eq(ppu_step(w->ppu, 1), 1);
    for (uint32_t i = 3; i < 5; i++) {
        make_tmd(tmd, GOOD_CODE, 60, 1, 1);
        tmd_set(tmd, TMD_QMD_GROUP_ID, 0, 7);
        launch_tmd(w->ppu, 1, 0x100 * (i + 1), tmd);
    }
    bool resting = false;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 100000 && !resting; i++) {
        if (ppu_step(w->ppu, 1) == 0) resting = true;
        for (uint32_t tmd_at = 0x200; tmd_at <= 0x300; tmd_at += 0x100) {
            if (field_at(w, 0, tmd_at, TMD_TANDEM_STATE) != (1 << 2 | 2)) continue;
            const uint32_t done = launches_of(w, tmd_at, counts, 60);
            cr_assert_eq(field_at(w, 0, tmd_at, TMD_CTA_RASTER_WIDTH_RESUME), done);
            seen++;
        }
    }
    cr_assert(resting);
    cr_assert_gt(seen, 0);
    for (uint32_t i = 0; i < number_of(w, TRACE_TASK_EVICT); i++)
        cr_assert_geq(nth(w, TRACE_TASK_EVICT, i)->task_evict.tmd, 0x200, "those of level 1");
    for (uint32_t i = 0; i < 5; i++) {
        cr_assert_eq(launches_of(w, 0x100 * (i + 1), counts, 60), 60);
        for (uint32_t k = 0; k < 60; k++)
            cr_assert_eq(counts[k], 1, "task %u, CTA %u", i, k);
        cr_assert_eq(field_at(w, i / 3, 0x100 * (i + 1), TMD_CTA_RASTER_WIDTH_RESUME), 0);
    }
    cr_assert_eq(number_of(w, TRACE_TASK_END), 5);
    end(w);
}

Test(task_lists, not_evicted,
     .description = "TU-5 nobody is evicted for an equal, nor when the levels take turns [model]") {
    for (uint32_t turns = 0; turns < 2; turns++) {
        struct world *w = begin();
        ppu_reg_write(w->ppu, REG_TASK_SCHEDULE, turns);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t tmd[TMD_WORDS];
            make_tmd(tmd, GOOD_CODE, 30, 1, 1);
            tmd_set(tmd, TMD_QMD_GROUP_ID, 0, turns == 0 || i < 2 ? 5 : 6);
            launch_tmd(w->ppu, 0, 0x100 * (i + 1), tmd);
        }
        run(w->ppu);
        cr_assert_eq(number_of(w, TRACE_TASK_EVICT), 0);
        cr_assert_eq(number_of(w, TRACE_CTA_LAUNCH), 120);
        end(w);
    }
}

Test(task_lists, evicted_and_killed,
     .description = "TU-5 a task that is evicted when its channel faults is gone, and the slot is used [model]") {
    for (uint32_t steps = 0; steps < 40; steps++) {
        struct world *w = begin();
        uint32_t tmd[TMD_WORDS];
        for (uint32_t i = 0; i < 2; i++) {
            make_tmd(tmd, GOOD_CODE, 200, 1, 1);
            launch_tmd(w->ppu, 0, 0x100 * (i + 1), tmd);
        }
        ppu_step(w->ppu, 100);
        tmd_set(tmd, TMD_QMD_GROUP_ID, 0, 63);
        launch_tmd(w->ppu, 1, 0x300, tmd);
        while (number_of(w, TRACE_TASK_EVICT) == 0)
            cr_assert_eq(ppu_step(w->ppu, 1), 1);
        ppu_step(w->ppu, steps);
        host_fault(w->ppu->host, &(struct fault_report){0, FAULT_METHOD, 0, 0});
        run(w->ppu);
        cr_assert(task_channel_idle(w->ppu->task, 0));
        cr_assert(task_channel_idle(w->ppu->task, 1));
        uint32_t counts[200];
        cr_assert_eq(launches_of(w, 0x300, counts, 200), 200);
        end(w);
    }
}

Test(task_lists, resume_overwritten,
     .description = "TU-5 TU-11 a thread overwrites where an evicted task goes on: TMD_RESUME on its channel [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    for (uint32_t i = 0; i < 2; i++) {
        make_tmd(tmd, LOOP_CODE, 1, 1, 1);
        tmd_set(tmd, TMD_QMD_GROUP_ID, 0, 3);
        if (i == 1) make_tmd(tmd, GOOD_CODE, 200, 1, 1);
        launch_tmd(w->ppu, 0, 0x100 * (i + 1), tmd);
    }
    ppu_step(w->ppu, 100);
    make_tmd(tmd, GOOD_CODE, 300, 1, 1);
    tmd_set(tmd, TMD_QMD_GROUP_ID, 0, 63);
    launch_tmd(w->ppu, 1, 0x300, tmd);
    for (uint32_t i = 0; i < 10000 && field_at(w, 0, 0x200, TMD_TANDEM_STATE) != 2; i++)
        cr_assert_eq(ppu_step(w->ppu, 1), 1);
    cr_assert_eq(field_at(w, 0, 0x200, TMD_TANDEM_STATE), 2);
    cr_assert_neq(field_at(w, 0, 0x200, TMD_CTA_RASTER_WIDTH_RESUME), 0);
    write_space(w->ppu, 0, 0x200 + 56, &(uint32_t){200}, 4);
    ppu_set_trace(w->ppu, NULL, NULL);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_RESUME, "%s",
                 fault_name(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE)));
    cr_assert_eq(channel_read(w->ppu, 1, CHANNEL_FAULT_CODE), FAULT_NONE);
    end(w);
}
