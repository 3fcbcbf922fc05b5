// The task unit of the model: CTAs, releases, refusals, faults, and following events.
#include "instruction_fetch.h"
#include "task_world.h"

Test(task, every_cta_once,
     .description = "TU-6 width * height * depth CTAs, x fastest, then y, then z, each exactly once [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, GOOD_CODE, 3, 4, 2);
    launch_tmd(w->ppu, 1, 0x700, tmd);
    cr_assert_not(task_channel_idle(w->ppu->task, 1));
    cr_assert(task_channel_idle(w->ppu->task, 0));
    cr_assert_eq(task_outstanding(w->ppu->task, 1), 1);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_CTA_LAUNCH), 24);
    for (uint32_t i = 0; i < 24; i++) {
        const struct trace_cta_launch *e = &nth(w, TRACE_CTA_LAUNCH, i)->cta_launch;
        cr_assert_eq(e->x, i % 3);
        cr_assert_eq(e->y, i / 3 % 4);
        cr_assert_eq(e->z, i / 12);
    }
    const struct trace_event *start = nth(w, TRACE_TASK_START, 0), *task_end = nth(w, TRACE_TASK_END, 0);
    cr_assert_eq(start->task_start.tmd, 0x700);
    cr_assert_eq(start->task_start.channel, 1);
    cr_assert_eq(start->task_start.pc, GOOD_CODE / 8);
    cr_assert_eq(number_of(w, TRACE_CTA_END), 24);
    cr_assert_not_null(task_end);
    cr_assert_eq(task_end->task_end.killed, 0);
    cr_assert(task_channel_idle(w->ppu->task, 1));
    cr_assert_not(task_slots(w->ppu->task)[0]->busy);
    char why[100];
    cr_assert(task_quiescent(w->ppu->task, (struct why){why, sizeof why}));
    end(w);
}

Test(task, sequential,
     .description = "TU-6 SEQUENTIALLY_RUN_CTAS: a CTA starts when the one before has ended [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, GOOD_CODE, 6, 1, 1);
    tmd_set(tmd, TMD_SEQUENTIALLY_RUN_CTAS, 0, 1);
    launch_tmd(w->ppu, 0, 0x100, tmd);
    run(w->ppu);
    int running = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->events[i].kind == TRACE_CTA_LAUNCH) running++;
        if (w->events[i].kind == TRACE_CTA_END) running--;
        cr_assert_leq(running, 1);
    }
    cr_assert_eq(number_of(w, TRACE_TASK_END), 1);
    end(w);
}

static void set_release(uint32_t tmd[TMD_WORDS], unsigned r, uint32_t addr, bool one_word, int red_op, uint32_t format,
                        uint32_t payload) {
    tmd_set(tmd, r == 0 ? TMD_SEMAPHORE_RELEASE_ENABLE0 : TMD_SEMAPHORE_RELEASE_ENABLE1, 0, 1);
    tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, r, addr);
    tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, r, one_word);
    tmd_set(tmd, TMD_RELEASE_RED_ENABLE, r, red_op >= 0);
    tmd_set(tmd, TMD_RELEASE_RED_OP, r, red_op >= 0 ? (uint32_t)red_op : 0);
    tmd_set(tmd, TMD_RELEASE_FORMAT, r, format);
    tmd_set(tmd, TMD_RELEASE_PAYLOAD, r, payload);
}

Test(task, releases,
     .description = "TU-1 WQ-7 RELEASE0 then RELEASE1 at the end: one word, and 16 bytes with a time [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, GOOD_CODE, 2, 1, 1);
    set_release(tmd, 0, RELEASE + 0x14, true, -1, 0, 0xABCD);
    set_release(tmd, 1, RELEASE + 0x20, false, -1, 0, 0x1234);
    const uint32_t noise[4] = {1, 2, 3, 4};
    write_space(w->ppu, 0, RELEASE + 0x10, noise, 16);
    write_space(w->ppu, 0, RELEASE + 0x20, noise, 16);
    launch_tmd(w->ppu, 0, 0x100, tmd);
    run(w->ppu);
    cr_assert_eq(read_word(w->ppu, 0, RELEASE + 0x10), 1);
    cr_assert_eq(read_word(w->ppu, 0, RELEASE + 0x14), 0xABCD);
    cr_assert_eq(read_word(w->ppu, 0, RELEASE + 0x18), 3);
    cr_assert_eq(read_word(w->ppu, 0, RELEASE + 0x20), 0x1234);
    cr_assert_eq(read_word(w->ppu, 0, RELEASE + 0x24), 0);
    const uint32_t time = read_word(w->ppu, 0, RELEASE + 0x28);
    cr_assert_eq(time % 40, 0, "nanoseconds of whole cycles");
    cr_assert_gt(time, 0);
    // Both come after the last CTA and before the end of the task.
    uint32_t releases = 0, ctas = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct trace_event *e = &w->events[i];
        if (e->kind == TRACE_CTA_END) ctas++;
        if (e->kind == TRACE_PERFORM && e->perform.port == MEM_PORT_TASK && e->perform.op == MEM_WRITE) {
            cr_assert_eq(ctas, 2);
            cr_assert_eq(e->perform.wstrb, releases == 0 ? 0x00F00000u : 0x0000FFFFu);
            releases++;
        }
        if (e->kind == TRACE_TASK_END) cr_assert_eq(releases, 2);
    }
    cr_assert_eq(releases, 2);
    end(w);
}

Test(task, reductions, .description = "TU-1 the eight reductions of a release, signed and unsigned [model]") {
    static const struct {
        int op;
        uint32_t format, old, payload, result;
    } cases[] = {
        {0, 0, 5, 0xFFFFFFFF, 4},
        {1, 1, 5, 0xFFFFFFFF, 0xFFFFFFFF},
        {1, 0, 5, 0xFFFFFFFF, 5},
        {2, 1, 5, 0xFFFFFFFF, 5},
        {2, 0, 5, 0xFFFFFFFF, 0xFFFFFFFF},
        {3, 0, 5, 5, 0},
        {3, 0, 4, 5, 5},
        {4, 0, 0, 5, 5},
        {4, 0, 3, 5, 2},
        {5, 0, 0xF0, 0x3C, 0x30},
        {6, 0, 0xF0, 0x3C, 0xFC},
        {7, 0, 0xF0, 0x3C, 0xCC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world *w = begin();
        uint32_t tmd[TMD_WORDS];
        make_tmd(tmd, GOOD_CODE, 1, 1, 1);
        set_release(tmd, 0, RELEASE + 8, true, cases[i].op, cases[i].format, cases[i].payload);
        write_space(w->ppu, 0, RELEASE + 8, &cases[i].old, 4);
        launch_tmd(w->ppu, 0, 0x100, tmd);
        run(w->ppu);
        cr_assert_eq(read_word(w->ppu, 0, RELEASE + 8), cases[i].result, "case %zu: 0x%x", i,
                     read_word(w->ppu, 0, RELEASE + 8));
        end(w);
    }
}

Test(task, refused_alone,
     .description =
         "TU-11 a malformed TMD faults its channel; pending tasks of it are dropped; the other channel goes on "
         "[model]") {
    struct world *w = begin();
    uint32_t good[TMD_WORDS], bad[TMD_WORDS];
    make_tmd(good, GOOD_CODE, 2, 2, 1);
    make_tmd(bad, GOOD_CODE, 2, 2, 1);
    tmd_set(bad, TMD_REGISTER_COUNT, 0, 0);
    launch_tmd(w->ppu, 0, 0x100, bad);
    launch_tmd(w->ppu, 1, 0x100, good);
    launch_tmd(w->ppu, 1, 0x200, good);
    run(w->ppu);
    const struct trace_task_refused *refused = &nth(w, TRACE_TASK_REFUSED, 0)->task_refused;
    cr_assert_eq(refused->channel, 0);
    cr_assert_eq(refused->tmd, 0x100);
    cr_assert_eq(refused->code, FAULT_TMD_REGISTER_COUNT);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_REGISTER_COUNT);
    cr_assert_eq(channel_read(w->ppu, 1, CHANNEL_FAULT_CODE), FAULT_NONE);
    cr_assert_eq(number_of(w, TRACE_TASK_END), 2);
    cr_assert_eq(number_of(w, TRACE_CTA_LAUNCH), 8);
    // What comes for the faulted channel now is dropped without being read.
    const uint32_t performed = number_of(w, TRACE_PERFORM);
    launch_tmd(w->ppu, 0, 0x300, good);
    run(w->ppu);
    cr_assert_eq(nth(w, TRACE_TASK_REFUSED, 1)->task_refused.code, FAULT_NONE);
    cr_assert_eq(nth(w, TRACE_TASK_REFUSED, 1)->task_refused.tmd, 0x300);
    cr_assert_eq(number_of(w, TRACE_PERFORM), performed);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
}

Test(task, outside_the_space, .description = "TU-11 WQ-4 a TMD outside the space of its channel is refused [model]") {
    struct world *w = begin();
    task_launch(w->ppu->task, 0, SPACE_SIZE, REGION, 0);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_FETCH);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_INFO), SPACE_SIZE);
    cr_assert_eq(number_of(w, TRACE_TASK_START), 0);
    end(w);
}

Test(
    task, warp_fault_kills,
    .description = "TU-4 TU-11 a fault of a warp ends its task as killed, without releases; the rest goes on [model]") {
    struct world *w = begin();
    uint32_t bad[TMD_WORDS], good[TMD_WORDS];
    make_tmd(bad, BAD_CODE, 50, 1, 1);
    set_release(bad, 0, RELEASE, true, -1, 0, 99);
    make_tmd(good, GOOD_CODE, 3, 1, 1);
    set_release(good, 0, RELEASE, true, -1, 0, 7);
    launch_tmd(w->ppu, 0, 0x100, bad);
    launch_tmd(w->ppu, 1, 0x100, good);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_ILLEGAL_INSTRUCTION);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_PC), BAD_CODE / 8);
    cr_assert_eq(read_word(w->ppu, 0, RELEASE), 0);
    cr_assert_eq(read_word(w->ppu, 1, RELEASE), 7);
    uint32_t killed = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const struct trace_task_end *e = &nth(w, TRACE_TASK_END, i)->task_end;
        cr_assert_eq(e->killed, e->channel == 0);
        killed += e->killed;
    }
    cr_assert_eq(killed, 1);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
}

Test(task, release_that_fails,
     .description = "TU-11 a release that the memory answers with an error faults the channel [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    // The second space reaches past the memory.
    channel_register(w->ppu, 1, CHANNEL_SPACE_SIZE, 2 * SPACE_SIZE);
    make_tmd(tmd, GOOD_CODE, 1, 1, 1);
    set_release(tmd, 0, SPACE_SIZE + 0x40, true, -1, 0, 1);
    set_release(tmd, 1, RELEASE, true, -1, 0, 1);
    launch_tmd(w->ppu, 1, 0x100, tmd);
    run(w->ppu);
    cr_assert_eq(nth(w, TRACE_TASK_END, 0)->task_end.killed, 1);
    cr_assert_eq(channel_read(w->ppu, 1, CHANNEL_FAULT_CODE), FAULT_BUS_ERROR);
    cr_assert_eq(channel_read(w->ppu, 1, CHANNEL_FAULT_INFO), SPACE_SIZE + 0x40);
    cr_assert_eq(read_word(w->ppu, 1, RELEASE), 0, "the second one is not written");
    end(w);
}

Test(task, several_at_once,
     .description = "TU-4 TU-10 tasks run at once, one in each slot; the next waits for a slot [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    for (uint32_t i = 0; i < 4; i++) {
        make_tmd(tmd, GOOD_CODE, 10, 1, 1);
        launch_tmd(w->ppu, i % 2, 0x100 * (i + 1), tmd);
    }
    run(w->ppu);
    int running = 0, most = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->events[i].kind == TRACE_TASK_START) running++;
        if (w->events[i].kind == TRACE_TASK_END) running--;
        if (running > most) most = running;
    }
    cr_assert_eq(most, 2, "nano has two slots");
    cr_assert_eq(number_of(w, TRACE_CTA_LAUNCH), 40);
    end(w);
}

// ---- in tandem ----
// Another device follows the events of the first; both must say the same.
Test(task, follows_itself,
     .description = "TU-1 TU-6 WQ-6 following agrees with going alone, with every event [model]") {
    struct world *w = begin();
    struct ppu *follower = new_ppu();
    struct ppu *both[] = {w->ppu, follower};
    for (unsigned d = 0; d < 2; d++) {
        uint32_t tmd[TMD_WORDS];
        for (uint32_t i = 0; i < 4; i++) {
            make_tmd(tmd, i == 3 ? BAD_CODE : GOOD_CODE, 2 + i, 2, 1);
            tmd_set(tmd, TMD_QMD_GROUP_ID, 0, i % 2 * 9);
            set_release(tmd, 0, RELEASE + 32 * i, i % 2 == 0, i == 2 ? 0 : -1, 0, 5 + i);
            launch_tmd(both[d], i / 3, 0x100 * (i + 1), tmd);
        }
    }
    run(w->ppu);
    for (uint32_t i = 0; i < w->count; i++) {
        struct trace_event model;
        char why[256] = "", text[400];
        trace_event_print(&w->events[i], text, sizeof text);
        fetch_before(follower, &w->events[i], REGION);
        cr_assert(ppu_follow(follower, &w->events[i], &model, why, sizeof why), "%s: %s", text, why);
        cr_assert_eq(trace_event_compare(&w->events[i], &model), -1, "%s", text);
    }
    char why[256];
    cr_assert(task_quiescent(follower->task, (struct why){why, sizeof why}), "%s", why);
    cr_assert_eq(memcmp(ppu_mem(w->ppu), ppu_mem(follower), ppu_mem_size(follower)), 0);
    ppu_destroy(follower);
    end(w);
}

static bool refused(struct ppu *ppu, const struct trace_event *event) {
    struct trace_event model;
    char why[256] = "";
    memset(&model, 0, sizeof model);
    if (task_follow(ppu->task, event, &model, (struct why){why, sizeof why})) return false;
    cr_assert_gt(strlen(why), 10, "%s", why);
    return true;
}

Test(task, illegal_events, .description = "TU-4 TU-6 events that are not due are refused, with a reason [model]") {
    struct world *w = begin();
    struct ppu *ppu = w->ppu;
    uint32_t tmd[TMD_WORDS];
    static const enum trace_kind kinds[] = {TRACE_TASK_TAKE,  TRACE_TASK_START,   TRACE_CTA_LAUNCH,   TRACE_CTA_END,
                                            TRACE_TASK_END,   TRACE_TASK_PENDING, TRACE_TASK_REFUSED, TRACE_TASK_DROP,
                                            TRACE_TASK_EVICT, TRACE_PERFORM};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct trace_event event = {.kind = kinds[i]};
        cr_assert(refused(ppu, &event), "%s on an idle device", trace_kind_name(kinds[i]));
        struct trace_event far = event;
        memset(&far.task_start, 0xFF, 8);  // slots, SMs and channels that do not exist
        cr_assert(refused(ppu, &far), "%s", trace_kind_name(kinds[i]));
    }
    make_tmd(tmd, GOOD_CODE, 2, 1, 1);
    tmd_set(tmd, TMD_SEQUENTIALLY_RUN_CTAS, 0, 1);
    set_release(tmd, 0, RELEASE, false, -1, 0, 1);
    launch_tmd(ppu, 0, 0x100, tmd);
    const struct trace_event start = {.kind = TRACE_TASK_START, .task_start = {.tmd = 0x100}};
    cr_assert(refused(ppu, &start), "before its TMD is read");
    take_in(ppu);
    struct trace_event model;
    cr_assert(task_follow(ppu->task, &start, &model, (struct why){NULL, 0}));
    cr_assert(refused(ppu, &start), "the slot is taken");
    const struct trace_event launch = {.kind = TRACE_CTA_LAUNCH}, task_end = {.kind = TRACE_TASK_END},
                             cta_end = {.kind = TRACE_CTA_END};
    cr_assert(task_follow(ppu->task, &launch, &model, (struct why){NULL, 0}));
    cr_assert(refused(ppu, &launch), "the first one still runs");
    cr_assert(refused(ppu, &cta_end), "the SM has not said so");
    cr_assert(refused(ppu, &task_end), "a CTA runs");
    struct trace_event dropped = {.kind = TRACE_TASK_REFUSED};
    cr_assert(refused(ppu, &dropped), "the channel does not stand faulted");
    task_cta_done(ppu->task, 0, 0, false);
    cr_assert(task_follow(ppu->task, &cta_end, &model, (struct why){NULL, 0}));
    cr_assert(refused(ppu, &task_end), "a CTA is missing");
    cr_assert(task_follow(ppu->task, &launch, &model, (struct why){NULL, 0}));
    task_cta_done(ppu->task, 0, 0, false);
    cr_assert(task_follow(ppu->task, &cta_end, &model, (struct why){NULL, 0}));
    cr_assert(refused(ppu, &launch), "all are out");
    cr_assert(refused(ppu, &task_end), "the release is missing");
    struct trace_event release = {.kind = TRACE_PERFORM,
                                  .perform = {.port = 2, .op = MEM_WRITE, .addr = RELEASE, .wstrb = 0xFFFF}};
    release.perform.wdata[0] = 1;
    release.perform.wdata[8] = 40;
    ppu->task->last_time = 80;
    cr_assert(refused(ppu, &release), "time runs backwards");
    ppu->task->last_time = 40;
    cr_assert(task_follow(ppu->task, &release, &model, (struct why){NULL, 0}));
    cr_assert_eq(trace_event_compare(&release, &model), -1);
    cr_assert(refused(ppu, &release), "once is enough");
    cr_assert(task_follow(ppu->task, &task_end, &model, (struct why){NULL, 0}));
    end(w);
}

Test(task, values_are_computed,
     .description = "TU-6 wrong values of the RTL are seen: a CTA, a release, a refusal, killed [model]") {
    struct world *w = begin();
    struct ppu *ppu = w->ppu;
    struct trace_event model;
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, GOOD_CODE, 1, 2, 1);
    set_release(tmd, 0, RELEASE, true, -1, 0, 77);
    launch_tmd(ppu, 0, 0x100, tmd);
    take_in(ppu);
    struct trace_event event = {.kind = TRACE_TASK_START, .task_start = {.tmd = 0x100, .pc = 1}};
    cr_assert(task_follow(ppu->task, &event, &model, (struct why){NULL, 0}));
    cr_assert_str_eq(trace_field_name(TRACE_TASK_START, trace_event_compare(&event, &model)), "pc");
    for (unsigned i = 0; i < 2; i++) {
        event = (struct trace_event){.kind = TRACE_CTA_LAUNCH};  // y stays 0
        cr_assert(task_follow(ppu->task, &event, &model, (struct why){NULL, 0}));
        cr_assert_eq(trace_event_compare(&event, &model) == -1, i == 0);
        task_cta_done(ppu->task, 0, 0, false);
        event = (struct trace_event){.kind = TRACE_CTA_END};
        cr_assert(task_follow(ppu->task, &event, &model, (struct why){NULL, 0}));
    }
    event = (struct trace_event){.kind = TRACE_PERFORM,
                                 .perform = {.port = 2, .op = MEM_WRITE, .addr = RELEASE, .wstrb = 0xF, .wdata = {78}}};
    cr_assert(task_follow(ppu->task, &event, &model, (struct why){NULL, 0}));
    cr_assert_str_eq(trace_field_name(TRACE_PERFORM, trace_event_compare(&event, &model)), "wdata");
    event = (struct trace_event){.kind = TRACE_TASK_END, .task_end = {.tmd = 0x100, .killed = 1}};
    cr_assert(task_follow(ppu->task, &event, &model, (struct why){NULL, 0}));
    cr_assert_str_eq(trace_field_name(TRACE_TASK_END, trace_event_compare(&event, &model)), "killed");
    tmd_set(tmd, TMD_QMD_VERSION, 0, 5);
    launch_tmd(ppu, 0, 0x200, tmd);
    take_in(ppu);
    event = (struct trace_event){.kind = TRACE_TASK_REFUSED,
                                 .task_refused = {.tmd = 0x200, .code = FAULT_TMD_KIND, .info = 0x200}};
    cr_assert(task_follow(ppu->task, &event, &model, (struct why){NULL, 0}));
    cr_assert_str_eq(trace_field_name(TRACE_TASK_REFUSED, trace_event_compare(&event, &model)), "code");
    end(w);
}

Test(task, killed_running,
     .description = "TU-4 tasks of a channel that faults are stopped, even in an endless loop [model]") {
    struct world *w = begin();
    uint32_t loop[TMD_WORDS], bad[TMD_WORDS];
    make_tmd(loop, LOOP_CODE, 1, 1, 1);
    make_tmd(bad, GOOD_CODE, 1, 1, 1);
    tmd_set(bad, TMD_QMD_VERSION, 0, 0);
    launch_tmd(w->ppu, 0, 0x100, loop);
    ppu_step(w->ppu, 300);
    cr_assert_not(task_channel_idle(w->ppu->task, 0));
    w->count = 0;
    ppu_set_trace(w->ppu, NULL, NULL);
    launch_tmd(w->ppu, 0, 0x200, bad);
    run(w->ppu);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_VERSION);
    end(w);
}

Test(task, defect, .description = "the model's deliberate defect 123: y does not go up [model]") {
    struct world *w = begin();
    uint32_t tmd[TMD_WORDS];
    ppu_inject(w->ppu, 123);
    make_tmd(tmd, GOOD_CODE, 1, 2, 1);
    launch_tmd(w->ppu, 0, 0x100, tmd);
    ppu_step(w->ppu, 200);
    cr_assert_eq(nth(w, TRACE_CTA_LAUNCH, 1)->cta_launch.y, 0);
    end(w);
}
