// Tasks of a channel that are stopped, looked at, and go on; tasks of one level that take turns by slices of time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 400000000u
#define SAVES ".registers 16\n.local_bytes 48\n.saves 1\n"
#define STEPS 400u  // of steady

// steady, hasty: R7 = R0 * R6 in each turn of the loop, R0 the thread's number in the grid; hasty does not save.
// ticker: counts its turns in memory until the word is not 0; stubborn: waits for that, and does not save.
// parent: one thread launches the task whose address / 256 is in the word, waits for its end and leaves 7.
static const char program[] =
    ".handler\n"
#define LOOP                                                                                         \
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDG.32 R3, [R1]\n"          \
    "    S2R R0, SR_CTAID_X\n    S2R R4, SR_NTID_X\n    S2R R5, SR_TID_X\n    IMAD R0, R0, R4, R5\n" \
    "    MOV R6, 0\n    MOV R7, 0\n"                                                                 \
    "again:\n    IADD R7, R7, R0\n    IADD R6, R6, 1\n    ISETP.LT P0, R6, R3\n    @P0 BRA again\n"  \
    "    SHL R8, R0, 2\n    IADD R2, R2, R8\n    STG.32 [R2], R7\n    EXIT\n"
    ".kernel steady\n" SAVES ".arg global steps\n.arg global out\n" LOOP
    ".kernel hasty\n.registers 16\n.arg global steps\n.arg global out\n" LOOP ".kernel ticker\n" SAVES
    ".arg global word\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    MOV R4, 1\n"
    "again:\n    ATOMG.ADD RZ, [R2], R4\n    LDG.32 R3, [R1]\n    ISETP.EQ P0, R3, 0\n    @P0 BRA again\n    EXIT\n"
    ".kernel stubborn\n.registers 8\n.arg global word\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "again:\n    LDG.32 R3, [R1]\n    ISETP.EQ P0, R3, 0\n    @P0 BRA again\n    EXIT\n"
    ".kernel parent\n" SAVES
    ".arg global word\n.arg global out\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDG.32 R3, [R1]\n    LAUNCH.WAIT R3\n"
    "    MOV R4, 7\n    STG.32 [R2], R4\n    EXIT\n";

struct stop {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel, *other;
    uint32_t width, warps;  // threads of a warp; warps of the device
    tandem_addr word, out;
};

static void begin(struct stop *s, const char *config, uint32_t words) {
    struct tandem_info info;
    char name[64];
    snprintf(name, sizeof name, "%s,mem=64", config);
    s->device = open_device(name);
    tandem_get_info(s->device, &info);
    s->width = info.threads;
    s->warps = info.warps * info.sms;
    s->module = load_assembly(s->device, program);
    must(s->device, TANDEM_OK, tandem_channel_open(s->device, 16, 0, &s->channel));
    must(s->device, TANDEM_OK, tandem_channel_open(s->device, 16, 0, &s->other));
    s->word = new_words(s->device, 1);
    s->out = new_words(s->device, words);
}

static void end(struct stop *s) {
    must(s->device, TANDEM_OK, tandem_channel_close(s->channel));
    must(s->device, TANDEM_OK, tandem_channel_close(s->other));
    tandem_module_unload(s->module);
    close_device(s->device);
}

static tandem_addr build(struct stop *s, struct tandem_channel *channel, const char *kernel, uint32_t threads,
                         uint32_t local, tandem_addr word, tandem_addr out) {
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {local}};
    const struct tandem_argument arguments[] = {{&word, 4}, {&out, 4}};
    tandem_addr tmd = 0;
    must(s->device, TANDEM_OK, tandem_task_build(channel, s->module, kernel, &range, NULL, arguments, 2, &tmd));
    return tmd;
}

static void launch(struct stop *s, struct tandem_channel *channel, tandem_addr tmd) {
    must(s->device, TANDEM_OK, tandem_task_launch(channel, s->module, tmd));
    must(s->device, TANDEM_OK, tandem_submit(channel));
}

static struct tandem_task_look look_at(struct stop *s, tandem_addr tmd) {
    struct tandem_task_look look;
    must(s->device, TANDEM_OK, tandem_task_look(s->channel, tmd, &look));
    return look;
}

// Each saved warp is in the middle of its loop; the sum of what its threads have counted.
static uint64_t look_into(struct stop *s, tandem_addr tmd, uint32_t local) {
    const struct tandem_task_look look = look_at(s, tmd);
    uint64_t counted = 0;
    cr_assert(look.saves);
    cr_assert(look.state == TANDEM_TASK_EVICTED || (look.ctas == 0 && look.state != TANDEM_TASK_MAY_RUN));
    for (uint32_t n = 0; n < look.warps; n++) {
        struct tandem_saved_warp warp;
        uint32_t r[8];
        must(s->device, TANDEM_OK, tandem_task_warp(s->channel, tmd, n, &warp));
        cr_assert(warp.pc > 100 && warp.index < (local + s->width - 1) / s->width && warp.cta[1] == 0 &&
                  warp.cta[2] == 0 && warp.registers == 16);
        cr_assert_eq(warp.active, s->width == 64 ? UINT64_MAX : (UINT64_C(1) << s->width) - 1);
        for (uint32_t t = 0; t < s->width; t += 5) {
            must(s->device, TANDEM_OK, tandem_task_registers(s->channel, tmd, n, t, r, 8));
            if (r[6] == 0) continue;  // it has hardly begun
            cr_assert_eq(r[0], warp.cta[0] * local + warp.index * s->width + t);
            cr_assert(r[7] == r[0] * r[6] || r[7] == r[0] * (r[6] + 1), "%u * %u, %u", r[0], r[6], r[7]);
            counted += r[6];
        }
    }
    must(s->device, TANDEM_BAD_ARGUMENT,
         tandem_task_warp(s->channel, tmd, look.warps, &(struct tandem_saved_warp){.pc = 0}));
    return counted;
}

// Stopped again and again; what stands in memory stays as it is, and the results are those of a run without.
static void stop_and_go(const char *name) {
    struct stop s;
    begin(&s, name, 4096);
    const uint32_t local = (s.warps < 4 ? 1 : 2) * s.width, threads = (s.warps + 3) * s.width / local * local;
    write_word(s.device, s.word, STEPS);
    const tandem_addr task = build(&s, s.channel, "steady", threads, local, s.word, s.out);
    launch(&s, s.channel, task);
    uint32_t saved = 0;
    for (uint32_t turn = 0; turn < 4; turn++) {
        must(s.device, TANDEM_OK, tandem_run(s.device, 1500 + 77 * turn));
        must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
        const uint64_t counted = look_into(&s, task, local);
        saved += look_at(&s, task).warps;
        must(s.device, TANDEM_OK, tandem_run(s.device, 3000));
        cr_assert_eq(look_into(&s, task, local), counted, "it has gone on");
        must(s.device, TANDEM_OK, tandem_channel_continue(s.channel));
    }
    cr_assert_gt(saved, 0);
    must(s.device, TANDEM_OK, tandem_finish(s.channel, DEADLINE));
    for (uint32_t t = 0; t < threads; t++)
        cr_assert_eq(read_word(s.device, s.out + 4 * t), t * STEPS, "thread %u", t);
    end(&s);
}
ON_DEVICES(stop, stop_and_go,
           "TU-14 a channel's tasks stop in the middle, are looked at and go on with the same results")

// What is launched meanwhile waits; another channel goes on; a parent is away until its child has run.
static void stands_still(const char *name) {
    struct stop s;
    begin(&s, name, 64);
    write_word(s.device, s.word, 3);
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    const tandem_addr late = build(&s, s.channel, "steady", s.width, s.width, s.word, s.out),
                      other = build(&s, s.other, "hasty", s.width, s.width, s.word, s.out);
    cr_assert_eq(look_at(&s, late).state, TANDEM_TASK_ENDED);
    launch(&s, s.channel, late);
    launch(&s, s.other, other);
    must(s.device, TANDEM_OK, tandem_finish(s.other, DEADLINE));
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    cr_assert_eq(look_at(&s, late).state, TANDEM_TASK_PENDING);
    cr_assert_eq(read_word(s.device, s.out + 4), 3, "of the other channel");
    write_word(s.device, s.out + 4, 0);
    must(s.device, TANDEM_TIMEOUT, tandem_finish(s.channel, 20000));
    cr_assert_not_null(strstr(tandem_message(s.device), "stopped"), "%s", tandem_message(s.device));
    must(s.device, TANDEM_OK, tandem_channel_continue(s.channel));
    must(s.device, TANDEM_OK, tandem_finish(s.channel, DEADLINE));
    cr_assert_eq(read_word(s.device, s.out + 4), 3);
    // A parent and its child.
    const tandem_addr flag = new_words(s.device, 2), child = build(&s, s.channel, "ticker", 1, 1, flag, flag + 4);
    write_word(s.device, s.word, child >> 8);
    const tandem_addr parent = build(&s, s.channel, "parent", 1, 1, s.word, s.out);
    launch(&s, s.channel, parent);
    for (uint32_t i = 0; i < 1000 && read_word(s.device, flag + 4) == 0; i++)
        must(s.device, TANDEM_OK, tandem_run(s.device, 200));
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    const struct tandem_task_look of_parent = look_at(&s, parent), of_child = look_at(&s, child);
    cr_assert_eq(of_parent.state, TANDEM_TASK_PARENT);
    cr_assert(of_parent.waits_for == 1 && of_parent.ctas == 1 && of_parent.warps == 1);
    cr_assert_eq(of_child.state, TANDEM_TASK_EVICTED);
    cr_assert_eq(of_child.warps, 1);
    write_word(s.device, flag, 1);
    must(s.device, TANDEM_OK, tandem_run(s.device, 3000));
    cr_assert_neq(read_word(s.device, s.out), 7);
    must(s.device, TANDEM_OK, tandem_channel_continue(s.channel));
    must(s.device, TANDEM_OK, tandem_finish(s.channel, DEADLINE));
    cr_assert_eq(read_word(s.device, s.out), 7);
    end(&s);
}
ON_DEVICES(stop, stands_still,
           "TU-14 what a stopped channel launches waits, its parents are away, other channels go on")

// What cannot leave, what is not stopped, faults, reset and close.
static void refused(const char *name) {
    struct stop s;
    struct tandem_task_look look;
    struct tandem_saved_warp warp;
    uint32_t word;
    begin(&s, name, 64);
    const tandem_addr task = build(&s, s.channel, "stubborn", 1, 1, s.word, s.out),
                      ticker = build(&s, s.channel, "ticker", 1, 1, s.word, s.out);
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_channel_continue(s.channel));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_look(s.channel, task, &look));
    launch(&s, s.channel, task);
    must(s.device, TANDEM_OK, tandem_run(s.device, 3000));
    must(s.device, TANDEM_TIMEOUT, tandem_channel_stop(s.channel, 5000));
    cr_assert_not_null(strstr(tandem_message(s.device), ".saves"), "%s", tandem_message(s.device));
    cr_assert_eq(look_at(&s, task).state, TANDEM_TASK_MAY_RUN);
    write_word(s.device, s.word, 1);
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 1));
    cr_assert_eq(look_at(&s, task).state, TANDEM_TASK_ENDED);
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_look(s.channel, task + 4, &look));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_look(s.channel, 0xFFFFFF00, &look));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_warp(s.channel, task, 0, &warp));
    must(s.device, TANDEM_OK, tandem_channel_continue(s.channel));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_channel_continue(s.channel));
    // Reset while stopped: nothing of it is left, and the channel works.
    write_word(s.device, s.word, 0);
    launch(&s, s.channel, ticker);
    must(s.device, TANDEM_OK, tandem_run(s.device, 3000));
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    cr_assert_eq(look_at(&s, ticker).warps, 1);
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_registers(s.channel, ticker, 0, 64, &word, 1));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_registers(s.channel, ticker, 0, 0, &word, 17));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_task_registers(s.channel, ticker, 1, 0, &word, 1));
    must(s.device, TANDEM_OK, tandem_channel_reset(s.channel));
    must(s.device, TANDEM_BAD_ARGUMENT, tandem_channel_continue(s.channel));
    write_word(s.device, s.word, 1);
    launch(&s, s.channel, build(&s, s.channel, "ticker", 1, 1, s.word, s.out));
    must(s.device, TANDEM_OK, tandem_finish(s.channel, DEADLINE));
    // A fault while stopped: a launch of what is pending already.
    write_word(s.device, s.word, 0);
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    const tandem_addr twice = build(&s, s.channel, "ticker", 1, 1, s.word, s.out);
    launch(&s, s.channel, twice);
    launch(&s, s.channel, twice);
    must(s.device, TANDEM_OK, tandem_run(s.device, 5000));
    must(s.device, TANDEM_CHANNEL_FAULT, tandem_channel_stop(s.channel, 0));
    must(s.device, TANDEM_CHANNEL_FAULT, tandem_channel_continue(s.channel));
    must(s.device, TANDEM_CHANNEL_FAULT, tandem_task_look(s.channel, twice, &look));
    must(s.device, TANDEM_OK, tandem_channel_reset(s.channel));
    // Closed while stopped: its task ends with it, its number can be had again.
    launch(&s, s.channel, build(&s, s.channel, "ticker", 1, 1, s.word, s.out));
    must(s.device, TANDEM_OK, tandem_run(s.device, 3000));
    must(s.device, TANDEM_OK, tandem_channel_stop(s.channel, 0));
    must(s.device, TANDEM_OK, tandem_channel_close(s.channel));
    must(s.device, TANDEM_OK, tandem_channel_open(s.device, 16, 0, &s.channel));
    write_word(s.device, s.word, 1);
    launch(&s, s.channel, build(&s, s.channel, "ticker", 1, 1, s.word, s.out));
    must(s.device, TANDEM_OK, tandem_finish(s.channel, DEADLINE));
    end(&s);
}
ON_DEVICES(stop, refused,
           "TU-14 stops that cannot be, faults, resets and ends of stopped channels are told and hang nothing")

// More endless kernels than slots: all of them make progress; each fills all warps, so that one needs another's place.
static void slices(const char *config, uint32_t slice, bool wide, uint32_t cycles) {
    struct stop s;
    struct tandem_info info;
    uint32_t before[16];
    begin(&s, config, 64);
    tandem_get_info(s.device, &info);
    const uint32_t tasks = wide ? 2 : info.task_slots + 1, threads = wide ? s.warps * s.width : 1;
    tandem_reg_write(s.device, REG_TASK_SCHEDULE, REG_TASK_SCHEDULE_SLICE(slice));
    for (uint32_t k = 0; k < tasks; k++) {
        launch(&s, s.channel, build(&s, s.channel, "ticker", threads, wide ? s.width : 1, s.word, s.out + 4 * k));
        must(s.device, TANDEM_OK, tandem_run(s.device, 3000));
    }
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t k = 0; k < tasks; k++)
            before[k] = read_word(s.device, s.out + 4 * k);
        must(s.device, TANDEM_OK, tandem_run(s.device, cycles));
        for (uint32_t k = 0; k < tasks; k++) {
            const bool goes_on = read_word(s.device, s.out + 4 * k) != before[k];
            cr_assert(goes_on || (slice == 0 && k + 1 == tasks), "task %u of %u stands at %u", k, tasks, before[k]);
            cr_assert(!goes_on || slice != 0 || k + 1 != tasks);
        }
    }
    write_word(s.device, s.word, 1);
    must(s.device, TANDEM_OK, tandem_finish(s.channel, DEADLINE));
    end(&s);
}
#define SHOWS "TU-14 endless kernels of one level take turns by slices of time, in slots and on multiprocessors"
Test(stop, slices_model, .description = SHOWS " [model]") {
    slices("model:small", 1, false, 300000);
    slices("model:small", 1, true, 300000);
    slices("model:nano", 1, true, 300000);
}
Test(stop, slices_nano, .description = SHOWS " [tandem]") {
    slices("tandem:nano", 4, false, 250000);
    slices("tandem:nano", 4, true, 250000);
}
Test(stop, slices_small, .description = SHOWS " [tandem]") {
    slices("tandem:small", 4, false, 300000);
    slices("tandem:small", 4, true, 300000);
}
Test(stop, without_slices, .description = "TU-14 without slices one of them waits for the others [tandem]") {
    slices("model:nano", 0, false, 50000);
    slices("model:nano", 0, true, 50000);
    slices("tandem:nano", 0, false, 20000);
}
