// Tasks whose CTAs step aside, in the task unit of the model: parents that wait for children, and whom a higher level
// needs. Their programs have a small handler, which keeps what the kernels here use: in a pool with a stack for each
// lane, so the CTA that left last comes back first.
#include <stdio.h>

#include "instruction_fetch.h"
#include "isa/assembler.h"
#include "task_world.h"

#define SAVING 0x2000u       // the program region: the handler, then
#define PARENT_CODE 0x400u   // launches the TMD of its CTA and waits for its end, then counts at DONE
#define LEAF_CODE 0x600u     // counts at DONE
#define SPINNER_CODE 0x700u  // waits for the word at FLAG, then counts at DONE
#define SETTER_CODE 0x800u   // sets FLAG, and counts at DONE
#define POOL 0x8000u         // a counter for each lane, then records
#define CHILDREN \
    0x5200u  // addresses / 256 of the TMDs that PARENT_CODE launches, by CTA and grid (word y of the TMD's name)
#define DONE 0x5100u  // a word for each CTA: how often it came to its end
#define FLAG 0x50F0u

// The record of a lane: TPC, CTAID_X, R10 to R13, predicates. R0 to R5 are the handler's.
static const char *const handler =
    "SRD R0, TPC\nS2R R1, SR_LANEID\nSHL R1, R1, 2\nIADD R1, R1, 0x8000\nLDG.32 R3, [R1]\nP2R R2\n"
    "ISETP.EQ P0, R0, 0\n@P0 BRA restore\n"
    "ISUB R4, R1, 0x8000\nSHL R4, R4, 3\nSHL R5, R3, 10\nIADD R4, R4, R5\nIADD R4, R4, 0x8080\n"
    "STG.32 [R4], R0\nS2R R5, SR_CTAID_X\nSTG.32 [R4 + 4], R5\nSTG.32 [R4 + 8], R10\nSTG.32 [R4 + 12], R11\n"
    "STG.32 [R4 + 16], R12\nSTG.32 [R4 + 20], R13\nSTG.32 [R4 + 24], R2\n"
    "IADD R3, R3, 1\nSTG.32 [R1], R3\nTLEAVE\n"
    "restore:\nISUB R3, R3, 1\nSTG.32 [R1], R3\n"
    "ISUB R4, R1, 0x8000\nSHL R4, R4, 3\nSHL R5, R3, 10\nIADD R4, R4, R5\nIADD R4, R4, 0x8080\n"
    "LDG.32 R0, [R4]\nR2S TPC, R0\nLDG.32 R0, [R4 + 4]\nR2S CTA_X, R0\nLDG.32 R10, [R4 + 8]\nLDG.32 R11, [R4 + 12]\n"
    "LDG.32 R12, [R4 + 16]\nLDG.32 R13, [R4 + 20]\nLDG.32 R2, [R4 + 24]\nR2P R2, 0x7F\nTRET\n";
// By lane 0 alone; others end at once.
static const char *const parent =
    "S2R R10, SR_LANEID\nISETP.NE P1, R10, 0\n@P1 EXIT\nS2R R10, SR_CTAID_X\nSHL R10, R10, 2\n"
    "S2R R11, SR_TMD\nSHR R11, R11, 3\nIADD R11, R10, R11\nLDG.32 R12, [R11 + 0x5200]\nLAUNCH.WAIT R12\n"
    "S2R R11, SR_CTAID_X\nSHL R11, R11, 2\nLDG.32 R13, [R11 + 0x5100]\nIADD R13, R13, 1\nSTG.32 [R11 + 0x5100], R13\n"
    "EXIT\n";
static const char *const leaf =
    "S2R R10, SR_LANEID\nISETP.NE P1, R10, 0\n@P1 EXIT\nLDG.32 R13, [RZ + 0x50F4]\nIADD R13, R13, 1\n"
    "STG.32 [RZ + 0x50F4], R13\nEXIT\n";
static const char *const spinner =
    "spin:\nLDG.32 R10, [RZ + 0x50F0]\nISETP.EQ P1, R10, 0\n@P1 BRA spin\nS2R R10, SR_LANEID\nISETP.NE P1, R10, 0\n"
    "@P1 EXIT\nS2R R11, SR_CTAID_X\nSHL R11, R11, 2\nLDG.32 R13, [R11 + 0x5100]\nIADD R13, R13, 1\n"
    "STG.32 [R11 + 0x5100], R13\nEXIT\n";
static const char *const setter = "MOV R10, 1\nSTG.32 [RZ + 0x50F0], R10\nEXIT\n";

static void put_code(struct ppu *ppu, uint32_t channel, uint32_t offset, const char *body) {
    struct code_object object;
    char error[256], source[4096];
    const int length = snprintf(source, sizeof source, ".kernel test\n%s\n", body);
    cr_assert(length > 0 && (size_t)length < sizeof source);
    cr_assert(assemble(source, (size_t)length, "test", &object, error, sizeof error), "%s", error);
    write_space(ppu, channel, SAVING + offset, object.text, 8 * object.text_words);
    code_object_free(&object);
}

static void put_programs(struct ppu *ppu) {
    for (uint32_t c = 0; c < 2; c++) {
        put_code(ppu, c, 0, handler);
        put_code(ppu, c, PARENT_CODE, parent);
        put_code(ppu, c, LEAF_CODE, leaf);
        put_code(ppu, c, SPINNER_CODE, spinner);
        put_code(ppu, c, SETTER_CODE, setter);
    }
}

// The TMD at addr: ctas CTAs of a warp.
static void put_tmd(struct ppu *ppu, uint32_t channel, uint32_t addr, uint32_t code, uint32_t ctas, uint32_t level,
                    bool saves) {
    uint32_t tmd[TMD_WORDS];
    make_tmd(tmd, code, ctas, 1, 1);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 0x100);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, 16);
    tmd_set(tmd, TMD_QMD_GROUP_ID, 0, level);
    tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, saves);
    write_space(ppu, channel, addr, tmd, TMD_BYTES);
}

static void launch_at(struct ppu *ppu, uint32_t channel, uint32_t addr) {
    cr_assert(task_can_launch(ppu->task));
    task_launch(ppu->task, channel, addr, SAVING, 0);
}

// CTA cta of the parent at addr launches the one at child.
static void name_child(struct ppu *ppu, uint32_t addr, uint32_t cta, uint32_t child) {
    write_space(ppu, 0, CHILDREN + addr / 8 + 4 * cta, &(uint32_t){child >> 8}, 4);
}

static struct world *begin_saving(void) {
    struct world *w = begin();
    put_programs(w->ppu);
    return w;
}

// All that left has come back, and nothing of it is left in the TMD.
static void all_came_back(const struct world *w, uint32_t channel, uint32_t addr) {
    static const enum tmd_field fields[] = {TMD_TANDEM_STATE, TMD_TANDEM_SAVED, TMD_DEPENDENCE_COUNTER,
                                            TMD_CTA_RASTER_WIDTH_RESUME, TMD_CTA_RASTER_DEPTH_RESUME};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        cr_assert_eq(field_at(w, channel, addr, fields[i]), 0, "0x%x: field %zu", addr, i);
}

static uint32_t left(const struct world *w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++)
        count += w->events[i].kind == TRACE_CTA_END && w->events[i].cta_end.left != 0;
    return count;
}

static uint32_t resumed(const struct world *w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++)
        count += w->events[i].kind == TRACE_CTA_LAUNCH && w->events[i].cta_launch.resumed != 0;
    return count;
}

// A chain of `depth` parents and a leaf, each of one CTA.
static void chain(struct ppu *ppu, uint32_t depth, bool saves, bool levels) {
    for (uint32_t k = 0; k <= depth; k++) {
        put_tmd(ppu, 0, 0x100 * (k + 1), k == depth ? LEAF_CODE : PARENT_CODE, 1, levels ? k * 7 % 5 : 0, saves);
        name_child(ppu, 0x100 * (k + 1), 0, 0x100 * (k + 2));
    }
    launch_at(ppu, 0, 0x100);
}

Test(step_aside, chain_of_parents,
     .description =
         "TU-13 parents that wait leave when their children need the place, deeper than slots and warps, "
         "whatever the levels, and go on when these have ended [model]") {
    for (uint32_t levels = 0; levels < 2; levels++) {
        struct world *w = begin_saving();
        chain(w->ppu, 10, true, levels != 0);
        run(w->ppu);
        cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "%s",
                     fault_name(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE)));
        cr_assert_eq(read_word(w->ppu, 0, DONE), 10);
        cr_assert_eq(number_of(w, TRACE_TASK_END), 11);
        cr_assert_geq(number_of(w, TRACE_TASK_PARKED), 8, "two can stay");
        cr_assert_eq(number_of(w, TRACE_TASK_FREED), number_of(w, TRACE_TASK_PARKED));
        cr_assert_eq(left(w), resumed(w));
        cr_assert_geq(left(w), 8);
        cr_assert_eq(number_of(w, TRACE_TASK_STUCK), 0);
        for (uint32_t k = 0; k < 11; k++)
            all_came_back(w, 0, 0x100 * (k + 1));
        cr_assert(task_channel_idle(w->ppu->task, 0));
        end(w);
    }
}

Test(step_aside, parents_that_cannot,
     .description =
         "TU-13 parents that cannot step aside wait until CHILD_DEADLOCK, also among those that can "
         "[model]") {
    struct world *w = begin_saving();
    chain(w->ppu, 3, false, false);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_CHILD_DEADLOCK);
    cr_assert_eq(number_of(w, TRACE_TASK_EVICT), 0);
    end(w);
    w = begin_saving();
    chain(w->ppu, 3, true, false);
    put_tmd(w->ppu, 0, 0x200, PARENT_CODE, 1, 0, false);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "one of the two slots is enough");
    cr_assert_eq(read_word(w->ppu, 0, DONE), 3);
    end(w);
}

Test(step_aside, many_ctas,
     .description =
         "TU-13 a grid of parents: each CTA launches a child of its own, all come to their end once, with "
         "their own places [model]") {
    struct world *w = begin_saving();
    put_tmd(w->ppu, 0, 0x100, PARENT_CODE, 6, 0, true);
    for (uint32_t k = 0; k < 6; k++) {
        put_tmd(w->ppu, 0, 0x200 + 0x100 * k, PARENT_CODE, 1, k % 3, true);
        put_tmd(w->ppu, 0, 0x800 + 0x100 * k, LEAF_CODE, 1 + k % 2, 0, k % 2 != 0);
        name_child(w->ppu, 0x100, k, 0x200 + 0x100 * k);
        name_child(w->ppu, 0x200 + 0x100 * k, 0, 0x800 + 0x100 * k);
    }
    launch_at(w->ppu, 0, 0x100);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "%s",
                 fault_name(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE)));
    cr_assert_eq(read_word(w->ppu, 0, DONE), 7, "its own, and the six of one CTA");
    for (uint32_t k = 1; k < 6; k++)
        cr_assert_eq(read_word(w->ppu, 0, DONE + 4 * k), 1, "CTA %u: %u", k, read_word(w->ppu, 0, DONE + 4 * k));
    cr_assert_eq(left(w), resumed(w));
    cr_assert_gt(left(w), 0);
    for (uint32_t k = 0; k < 13; k++)
        all_came_back(w, 0, 0x100 * (k + 1));
    end(w);
}

Test(step_aside, who_needs_the_place, .description = "TU-13 a parent stays while nobody needs what it holds [model]") {
    struct world *w = begin_saving();
    chain(w->ppu, 1, true, false);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_TASK_EVICT), 0);
    cr_assert_eq(read_word(w->ppu, 0, DONE), 1);
    cr_assert_eq(field_at(w, 0, 0x200, TMD_TANDEM_PARENT), 0, "it was never pending");
    end(w);
}

Test(step_aside, out_of_an_endless_loop,
     .description =
         "TU-14 a task of a higher level gets a place on an SM, and a slot, from CTAs that never end; they "
         "go on where they were [model]") {
    for (uint32_t others = 0; others < 2; others++) {
        struct world *w = begin_saving();
        // Both warps spin; with others = 1 both slots are taken as well.
        put_tmd(w->ppu, 0, 0x100, SPINNER_CODE, others == 0 ? 3 : 1, 2, true);
        launch_at(w->ppu, 0, 0x100);
        if (others != 0) {
            put_tmd(w->ppu, 0, 0x200, SPINNER_CODE, 1, 1, true);
            launch_at(w->ppu, 0, 0x200);
        }
        ppu_step(w->ppu, 100);
        put_tmd(w->ppu, 1, 0x300, SETTER_CODE, 1, 9, false);
        launch_at(w->ppu, 1, 0x300);
        for (uint32_t i = 0; i < 5000 && number_of(w, TRACE_TASK_END) == 0; i++)
            cr_assert_eq(ppu_step(w->ppu, 1), 1);
        cr_assert_eq(nth(w, TRACE_TASK_END, 0)->task_end.tmd, 0x300);
        cr_assert_eq(nth(w, TRACE_TASK_EVICT, 0)->task_evict.tmd, others == 0 ? 0x100 : 0x200, "the lowest level");
        cr_assert_eq(number_of(w, TRACE_TASK_EVICT), 1);
        ppu_set_trace(w->ppu, NULL, NULL);
        ppu_step(w->ppu, 3000);
        cr_assert_not(task_channel_idle(w->ppu->task, 0));
        write_space(w->ppu, 0, FLAG, &(uint32_t){1}, 4);
        run(w->ppu);
        cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "%s",
                     fault_name(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE)));
        for (uint32_t k = 0; k < (others == 0 ? 3u : 1u); k++)
            cr_assert_eq(read_word(w->ppu, 0, DONE + 4 * k), others == 0 ? 1 : 2);
        all_came_back(w, 0, 0x100);
        end(w);
    }
}

Test(step_aside, turns,
     .description =
         "TU-14 when the levels take turns nobody has to leave for a higher level, but "
         "what waits for children does [model]") {
    struct world *w = begin_saving();
    ppu_reg_write(w->ppu, REG_TASK_SCHEDULE, 1);
    put_tmd(w->ppu, 0, 0x100, SPINNER_CODE, 2, 2, true);
    launch_at(w->ppu, 0, 0x100);
    ppu_step(w->ppu, 100);
    put_tmd(w->ppu, 1, 0x300, SETTER_CODE, 1, 9, false);
    launch_at(w->ppu, 1, 0x300);
    ppu_step(w->ppu, 1000);
    cr_assert_eq(number_of(w, TRACE_TASK_EVICT), 0);
    write_space(w->ppu, 0, FLAG, &(uint32_t){1}, 4);
    run(w->ppu);
    cr_assert_eq(number_of(w, TRACE_TASK_END), 2);
    chain(w->ppu, 5, true, true);
    run(w->ppu);
    cr_assert_gt(number_of(w, TRACE_TASK_PARKED), 0);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
    end(w);
}

Test(step_aside, fault_in_the_middle,
     .description =
         "TU-13 TU-11 the channel faults while parents leave, are away or come back: all of it ends, the "
         "other channel goes on [model]") {
    for (uint32_t steps = 20; steps < 1500; steps += 37) {
        struct world *w = begin_saving();
        chain(w->ppu, 6, true, steps % 2 != 0);
        ppu_step(w->ppu, steps);
        host_fault(w->ppu->host, &(struct fault_report){0, FAULT_METHOD, 0, 0});
        put_tmd(w->ppu, 1, 0x300, LEAF_CODE, 3, 1, false);
        launch_at(w->ppu, 1, 0x300);
        run(w->ppu);
        cr_assert(task_channel_idle(w->ppu->task, 0), "after %u steps", steps);
        cr_assert(task_channel_idle(w->ppu->task, 1));
        for (uint32_t k = 0; k < 2; k++)
            cr_assert_not(task_slots(w->ppu->task)[k]->busy);
        // What was away is written anew before it is launched again.
        channel_register(w->ppu, 0, CHANNEL_CONTROL, 2);
        write_space(w->ppu, 0, POOL, (uint32_t[32]){0}, 128);
        write_space(w->ppu, 0, DONE, (uint32_t[1]){0}, 4);
        ppu_set_trace(w->ppu, NULL, NULL);
        chain(w->ppu, 6, true, false);
        run(w->ppu);
        cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE, "after %u steps: %s", steps,
                     fault_name(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE)));
        cr_assert_eq(read_word(w->ppu, 0, DONE), 6);
        end(w);
    }
}

Test(step_aside, relaunched,
     .description = "TU-13 TU-11 what is away cannot be launched by others, nor freed by who does not count [model]") {
    struct world *w = begin_saving();
    chain(w->ppu, 4, true, false);
    while (number_of(w, TRACE_TASK_PARKED) == 0)
        cr_assert_eq(ppu_step(w->ppu, 1), 1);
    const uint32_t away = nth(w, TRACE_TASK_PARKED, 0)->task_parked.tmd;
    cr_assert_eq(field_at(w, 0, away, TMD_TANDEM_STATE) & 3, 3, "parked");
    cr_assert_eq(field_at(w, 0, away, TMD_TANDEM_SAVED), 1);
    cr_assert_eq(field_at(w, 0, away, TMD_DEPENDENCE_COUNTER), 1);
    cr_assert_eq(field_at(w, 0, away, TMD_CTA_RASTER_DEPTH_RESUME), 1, "all are out");
    launch_at(w->ppu, 0, away);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_ACTIVE);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
    // A thread has set its counter to 0: the child's end finds that it was not counted.
    w = begin_saving();
    chain(w->ppu, 4, true, false);
    while (number_of(w, TRACE_TASK_PARKED) == 0)
        cr_assert_eq(ppu_step(w->ppu, 1), 1);
    write_space(w->ppu, 0, nth(w, TRACE_TASK_PARKED, 0)->task_parked.tmd + 4 * TMD_DEPENDENCE_COUNTER_WORD,
                &(uint32_t){0}, 4);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_TMD_DEPENDENCE_COUNTER);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_INFO), nth(w, TRACE_TASK_PARKED, 0)->task_parked.tmd);
    cr_assert(task_channel_idle(w->ppu->task, 0));
    end(w);
}

// Keeps what the task unit tells alone: loops that spin tell much else.
static void task_sink(void *context, const struct trace_event *event) {
    if (event->kind == TRACE_TASK_EVICT || event->kind == TRACE_CTA_END || event->kind == TRACE_CHILD_LAUNCH)
        sink(context, event);
}

// Of channel 0 nothing is in the task table.
static bool suspended(struct world *w) {
    return CHANNEL_STATUS_SUSPENDED_OF(channel_read(w->ppu, 0, CHANNEL_STATUS)) != 0;
}

Test(step_aside, suspended_channel,
     .description =
         "TU-14 CONTROL.SUSPEND: its CTAs leave, what is launched waits in its lists, children too, the other channel "
         "goes on; then all of it comes to its end [model]") {
    struct world *w = begin_saving();
    put_tmd(w->ppu, 0, 0x100, SPINNER_CODE, 3, 2, true);
    put_tmd(w->ppu, 0, 0x200, LEAF_CODE, 1, 9, true);
    put_tmd(w->ppu, 1, 0x300, LEAF_CODE, 5, 1, false);
    launch_at(w->ppu, 0, 0x100);
    ppu_step(w->ppu, 300);
    cr_assert_not(suspended(w));
    channel_register(w->ppu, 0, CHANNEL_CONTROL, CHANNEL_CONTROL_SUSPEND(1u));
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_CONTROL), CHANNEL_CONTROL_SUSPEND(1u));
    cr_assert_not(suspended(w), "two CTAs run");
    launch_at(w->ppu, 0, 0x200);
    launch_at(w->ppu, 1, 0x300);
    run(w->ppu);
    cr_assert(suspended(w));
    cr_assert_eq(left(w), 2);
    cr_assert_eq(field_at(w, 0, 0x100, TMD_TANDEM_SAVED), 2);
    cr_assert_eq(field_at(w, 0, 0x100, TMD_TANDEM_STATE) & 3, 2);
    cr_assert_eq(field_at(w, 0, 0x200, TMD_TANDEM_STATE) & 3, 1);
    cr_assert(task_channel_idle(w->ppu->task, 1));
    cr_assert_eq(task_outstanding(w->ppu->task, 0), 2);
    cr_assert_eq(read_word(w->ppu, 0, 0x50F4), 0);
    channel_register(w->ppu, 0, CHANNEL_CONTROL, 0);
    cr_assert_not(suspended(w));
    write_space(w->ppu, 0, FLAG, &(uint32_t){1}, 4);
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
    for (uint32_t k = 0; k < 3; k++)
        cr_assert_eq(read_word(w->ppu, 0, DONE + 4 * k), 1);
    cr_assert_eq(read_word(w->ppu, 0, 0x50F4), 1);
    all_came_back(w, 0, 0x100);
    end(w);
}

Test(step_aside, suspended_at_any_time,
     .description =
         "TU-14 TU-13 a channel of parents and children is suspended at any moment, again and again, stands still, "
         "goes on, and ends as if nothing had been; or it faults meanwhile [model]") {
    for (uint32_t steps = 20; steps < 900; steps += 31) {
        struct world *w = begin_saving();
        chain(w->ppu, 6, true, steps % 2 != 0);
        ppu_set_trace(w->ppu, NULL, NULL);
        for (uint32_t turn = 0; turn < 6; turn++) {
            ppu_step(w->ppu, steps);
            channel_register(w->ppu, 0, CHANNEL_CONTROL, CHANNEL_CONTROL_SUSPEND(1u));
            run(w->ppu);
            cr_assert(suspended(w), "after %u steps", steps);
            channel_register(w->ppu, 0, CHANNEL_CONTROL, 0);
        }
        if (steps % 3 == 0) {
            channel_register(w->ppu, 0, CHANNEL_CONTROL, CHANNEL_CONTROL_SUSPEND(1u));
            host_fault(w->ppu->host, &(struct fault_report){0, FAULT_METHOD, 0, 0});
        }
        run(w->ppu);
        cr_assert(task_channel_idle(w->ppu->task, 0), "after %u steps", steps);
        if (steps % 3 != 0) {
            cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
            cr_assert_eq(read_word(w->ppu, 0, DONE), 6);
        }
        end(w);
    }
}

Test(step_aside, suspended_without_saving,
     .description =
         "TU-14 of a suspended channel a task that cannot step aside leaves between its CTAs; parents that wait for "
         "children which wait are not stuck [model]") {
    struct world *w = begin_saving();
    ppu_set_trace(w->ppu, task_sink, w);
    put_tmd(w->ppu, 0, 0x100, SPINNER_CODE, 3, 2, false);
    launch_at(w->ppu, 0, 0x100);
    ppu_step(w->ppu, 300);
    channel_register(w->ppu, 0, CHANNEL_CONTROL, CHANNEL_CONTROL_SUSPEND(1u));
    ppu_step(w->ppu, 2000);
    cr_assert_not(suspended(w));
    write_space(w->ppu, 0, FLAG, &(uint32_t){1}, 4);
    run(w->ppu);
    cr_assert(suspended(w));
    cr_assert_eq(left(w), 0);
    cr_assert_eq(field_at(w, 0, 0x100, TMD_CTA_RASTER_WIDTH_RESUME), 2);
    channel_register(w->ppu, 0, CHANNEL_CONTROL, 0);
    run(w->ppu);
    cr_assert_eq(read_word(w->ppu, 0, DONE + 8), 1);
    chain(w->ppu, 1, false, false);
    for (uint32_t i = 0; i < 2000 && number_of(w, TRACE_CHILD_LAUNCH) == 0; i++)
        ppu_step(w->ppu, 1);
    channel_register(w->ppu, 0, CHANNEL_CONTROL, CHANNEL_CONTROL_SUSPEND(1u));
    run(w->ppu);
    cr_assert_eq(channel_read(w->ppu, 0, CHANNEL_FAULT_CODE), FAULT_NONE);
    channel_register(w->ppu, 0, CHANNEL_CONTROL, 0);
    run(w->ppu);
    cr_assert_eq(read_word(w->ppu, 0, 0x50F4), 1);
    end(w);
}

Test(step_aside, slices,
     .description =
         "TU-14 TASK_SCHEDULE.SLICE: tasks of one level make place for each other after that time and go behind those "
         "that wait; not for a lower level, unless the levels take turns [model]") {
    for (uint32_t levels = 0; levels < 3; levels++) {
        struct world *w = begin_saving();
        ppu_set_trace(w->ppu, task_sink, w);
        ppu_reg_write(w->ppu, REG_TASK_SCHEDULE, REG_TASK_SCHEDULE_SLICE(2) | (levels == 2));
        for (uint32_t k = 0; k < 4; k++) {
            put_tmd(w->ppu, 0, 0x100 * (k + 1), SPINNER_CODE, 1, levels != 0 && k >= 2 ? 1 : 2, true);
            launch_at(w->ppu, 0, 0x100 * (k + 1));
            ppu_step(w->ppu, 200);
        }
        ppu_step(w->ppu, 900);
        cr_assert_eq(number_of(w, TRACE_TASK_EVICT), 0, "before the slice is over");
        for (uint32_t i = 0; i < 40000 && number_of(w, TRACE_TASK_EVICT) < 4; i++)
            ppu_step(w->ppu, 1);
        cr_assert_eq(number_of(w, TRACE_TASK_EVICT), levels == 1 ? 0 : 4);
        if (levels == 0) {
            uint32_t seen = 0;
            for (uint32_t k = 0; k < 4; k++)
                seen |= 1u << nth(w, TRACE_TASK_EVICT, k)->task_evict.tmd / 0x100;
            cr_assert_eq(seen, 0x1E, "each of the four had its turn: 0x%x", seen);
        }
        ppu_set_trace(w->ppu, NULL, NULL);
        write_space(w->ppu, 0, FLAG, &(uint32_t){1}, 4);
        run(w->ppu);
        cr_assert_eq(read_word(w->ppu, 0, DONE), 4);
        end(w);
    }
}

// Another device follows the events of the first; both must say the same.
Test(step_aside, follows_itself,
     .description = "TU-13 TU-14 following agrees with going alone, with every event [model]") {
    struct world *w = begin_saving();
    struct ppu *follower = new_ppu();
    struct ppu *both[] = {w->ppu, follower};
    put_programs(follower);
    for (unsigned d = 0; d < 2; d++) {
        chain(both[d], 5, true, true);
        put_tmd(both[d], 1, 0x100, LEAF_CODE, 4, 3, true);
        launch_at(both[d], 1, 0x100);
    }
    run(w->ppu);
    cr_assert_gt(number_of(w, TRACE_TASK_PARKED), 0);
    for (uint32_t i = 0; i < w->count; i++) {
        struct trace_event model;
        char why[256] = "", text[400];
        trace_event_print(&w->events[i], text, sizeof text);
        fetch_before(follower, &w->events[i], SAVING);
        cr_assert(ppu_follow(follower, &w->events[i], &model, why, sizeof why), "%s: %s", text, why);
        cr_assert_eq(trace_event_compare(&w->events[i], &model), -1, "%s", text);
    }
    char why[256];
    cr_assert(task_quiescent(follower->task, (struct why){why, sizeof why}), "%s", why);
    cr_assert_eq(memcmp(ppu_mem(w->ppu), ppu_mem(follower), ppu_mem_size(follower)), 0);
    ppu_destroy(follower);
    end(w);
}
