// Child tasks: LAUNCH hands them from a thread straight to the task unit.
#include <string.h>

#include "gen/methods.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "task/tmd.h"

#define DEADLINE 4000000u

// child: counts itself. parent: each thread launches the child of its own number and, after the wait, notes the count.
// together: as parent, when all CTAs have begun. careless: does not wait. half: the first CTA launches, the second faults a while
// later.
static const char family[] =
    ".kernel child\n.registers 8\n.arg global count\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 1\n    ATOMG.ADD RZ, [R1], R2\n    EXIT\n"
    ".kernel parent\n.registers 8\n.arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n"
    "    S2R R0, SR_CTAID_X\n    S2R R4, SR_NTID_X\n    S2R R5, SR_TID_X\n    IMAD R0, R0, R4, R5\n    SHL R0, R0, 2\n"
    "    IADD R2, R2, R0\n    IADD R3, R3, R0\n    LDG.32 R4, [R2]\n"
    "    LAUNCH.WAIT R4\n"
    "    LDG.32 R5, [R1]\n    STG.32 [R3], R5\n    EXIT\n"
    ".kernel together\n.registers 8\n.arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n    S2R R0, SR_CTAID_X\n    SHL R0, R0, 2\n"
    "    IADD R2, R2, R0\n    LDG.32 R4, [R2]\n    S2R R6, SR_NCTAID_X\n    MOV R5, 1\n    ATOMG.ADD RZ, [R3], R5\n"
    "meet:\n    ATOMG.ADD R5, [R3], RZ\n    ISETP.LT P0, R5, R6\n    @P0 BRA meet\n"
    "    LAUNCH.WAIT R4\n    EXIT\n"
    ".kernel careless\n.registers 8\n.arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R2, c[0][RZ + 0x44]\n    S2R R0, SR_TID_X\n    SHL R0, R0, 2\n    IADD R2, R2, R0\n    LDG.32 R4, "
    "[R2]\n"
    "    ISETP.NE P0, R0, 4\n    @P0 LAUNCH R4\n    EXIT\n"
    ".kernel half\n.registers 8\n.arg global count\n.arg global tmds\n.arg global seen\n"
    "    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n    S2R R0, SR_CTAID_X\n"
    "    S2R R5, SR_TID_X\n    SHL R5, R5, 2\n    IADD R2, R2, R5\n    ISETP.NE P0, R0, 0\n    @P0 BRA wrong\n"
    "    LDG.32 R4, [R2]\n    LAUNCH R4\n    EXIT\n"
    "wrong:\n    LDG.32 R4, [R3]\n"
    "again:\n    IADD R4, R4, -1\n    ISETP.GT P1, R4, 0\n    @P1 BRA again\n"
    "    MOV R4, 0x0FFFFFF0\n    STG.32 [R4], R4\n    EXIT\n";

struct family {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel, *other;
    tandem_addr count, tmds, seen;
};

static void begin(struct family *f, const char *name) {
    f->device = open_device(name);
    f->module = load_assembly(f->device, family);
    must(f->device, TANDEM_OK, tandem_channel_open(f->device, 16, 0, &f->channel));
    must(f->device, TANDEM_OK, tandem_channel_open(f->device, 16, 0, &f->other));
    f->count = new_words(f->device, 1);
    f->tmds = new_words(f->device, 64);
    f->seen = new_words(f->device, 64);
}

static void end(struct family *f) {
    must(f->device, TANDEM_OK, tandem_channel_close(f->channel));
    must(f->device, TANDEM_OK, tandem_channel_close(f->other));
    tandem_module_unload(f->module);
    close_device(f->device);
}

static tandem_addr build(struct family *f, const char *kernel, uint32_t threads) {
    struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    struct tandem_argument arguments[] = {{&f->count, 4}, {&f->tmds, 4}, {&f->seen, 4}};
    const struct tandem_scheduling plain = {0, false};
    tandem_addr tmd = 0;
    must(f->device, TANDEM_OK,
         tandem_task_build(f->channel, f->module, kernel, &range, &plain, arguments,
                           strcmp(kernel, "child") == 0 ? 1 : 3, &tmd));
    return tmd;
}

static void launch(struct family *f, const char *kernel, uint32_t global, uint32_t local) {
    struct tandem_range range = {.dimensions = 1, .global = {global}, .local = {local}};
    struct tandem_argument arguments[] = {{&f->count, 4}, {&f->tmds, 4}, {&f->seen, 4}};
    must(f->device, TANDEM_OK, tandem_launch(f->channel, f->module, kernel, &range, arguments, 3));
}

static void children(const char *name) {
    struct family f;
    begin(&f, name);
    for (uint32_t i = 0; i < 12; i++)
        write_word(f.device, f.tmds + 4 * i, build(&f, "child", 1 + i) >> 8);
    launch(&f, "parent", 12, 12);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    for (uint32_t i = 0; i < 12; i++)
        cr_assert_eq(read_word(f.device, f.seen + 4 * i), 78, "thread %u saw %u", i,
                     read_word(f.device, f.seen + 4 * i));
    // Again, without waiting: the channel is idle only when the children have ended. One thread launches nothing.
    launch(&f, "careless", 12, 12);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    cr_assert_eq(read_word(f.device, f.count), 2 * 78 - 2);
    end(&f);
}
ON_DEVICES(children, children, "TU-8 WQ-6 each thread launches a child; the warp goes on when they have ended")

// Children that are parents, as many generations as there are warps, at most four; the last one counts itself.
static void generations(const char *name) {
    struct family f;
    begin(&f, name);
    const uint32_t warps = tandem_reg_read(f.device, REG_CONFIG0) >> 16 & 0xFF, depth = warps < 4 ? warps : 4;
    const tandem_addr tmds = f.tmds, seen = f.seen;
    for (uint32_t i = depth - 1; i > 0; i--) {
        f.tmds = tmds + 4 * i;
        f.seen = seen + 4 * i;
        write_word(f.device, tmds + 4 * (i - 1), build(&f, i == depth - 1 ? "child" : "parent", 1) >> 8);
    }
    f.tmds = tmds;
    f.seen = seen;
    launch(&f, "parent", 1, 1);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    for (uint32_t i = 0; i + 1 < depth; i++)
        cr_assert_eq(read_word(f.device, seen + 4 * i), 1, "generation %u", i);
    end(&f);
}
ON_DEVICES(children, generations, "TU-8 children that are parents and wait, down to the last warp")

// Parents in every warp, all there before the first launches: their children never get one. The channel faults, others
// go on.
static void deadlock(const char *name) {
    struct family f;
    begin(&f, name);
    const uint32_t config = tandem_reg_read(f.device, REG_CONFIG0), warps = (config >> 16 & 0xFF) * (config >> 24);
    for (uint32_t i = 0; i < warps; i++)
        write_word(f.device, f.tmds + 4 * i, build(&f, "child", 1) >> 8);
    launch(&f, "together", warps, 1);
    must(f.device, TANDEM_OK, tandem_submit(f.channel));
    struct tandem_fault fault;
    must(f.device, TANDEM_CHANNEL_FAULT, tandem_wait(f.channel, f.seen, 1000, DEADLINE));
    cr_assert(tandem_channel_fault(f.channel, &fault));
    cr_assert_eq(fault.code, FAULT_CHILD_DEADLOCK, "%s", fault.text);
    must(f.device, TANDEM_OK, tandem_finish(f.other, DEADLINE));
    must(f.device, TANDEM_OK, tandem_channel_reset(f.channel));
    // With a warp to spare it works.
    write_word(f.device, f.count, 0);
    launch(&f, "parent", warps - 1, 1);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    cr_assert_eq(read_word(f.device, f.count), warps - 1);
    end(&f);
}
ON_DEVICES(children, deadlock, "TU-8 parents that leave no warp to their children fault, nothing hangs")

static void malformed(const char *name) {
    struct family f;
    begin(&f, name);
    tandem_addr bad = build(&f, "child", 1);
    write_word(f.device, bad + 72, 0);  // QMD_VERSION
    const struct {
        uint32_t number, code;
    } cases[] = {
        {bad >> 8, FAULT_TMD_VERSION}, {0x00FFFFFF, FAULT_TMD_FETCH}, {0x01000000 + (bad >> 8), FAULT_TMD_FETCH}};
    for (uint32_t i = 0; i < 3; i++) {
        write_word(f.device, f.tmds, cases[i].number);
        launch(&f, i % 2 == 0 ? "parent" : "careless", 1, 1);
        must(f.device, TANDEM_OK, tandem_submit(f.channel));
        struct tandem_fault fault;
        must(f.device, TANDEM_CHANNEL_FAULT, tandem_wait(f.channel, f.seen, 1000, DEADLINE));
        cr_assert(tandem_channel_fault(f.channel, &fault));
        cr_assert_eq(fault.code, cases[i].code, "case %u: %s", i, fault.text);
        must(f.device, TANDEM_OK, tandem_channel_reset(f.channel));
    }
    end(&f);
}
ON_DEVICES(children, malformed, "TU-8 TU-11 a malformed child faults the channel of its parent")

static void killed_while_launching(const char *name) {
    struct family f;
    begin(&f, name);
    static const uint32_t delays[] = {1, 5, 10, 15, 20, 30, 40, 60};
    for (uint32_t k = 0; k < sizeof delays / sizeof delays[0]; k++) {
        for (uint32_t i = 0; i < 32; i++)
            write_word(f.device, f.tmds + 4 * i, build(&f, "child", 1) >> 8);
        write_word(f.device, f.seen, delays[k]);
        launch(&f, "half", 64, 32);
        must(f.device, TANDEM_OK, tandem_submit(f.channel));
        struct tandem_fault fault;
        must(f.device, TANDEM_CHANNEL_FAULT, tandem_wait(f.channel, f.seen, 1000, DEADLINE));
        cr_assert(tandem_channel_fault(f.channel, &fault));
        cr_assert_eq(fault.code, FAULT_MEMORY_BOUNDS, "after %u rounds: %s", delays[k], fault.text);
        must(f.device, TANDEM_OK, tandem_finish(f.other, DEADLINE));
        must(f.device, TANDEM_OK, tandem_channel_reset(f.channel));
    }
    write_word(f.device, f.count, 0);
    for (uint32_t i = 0; i < 32; i++)
        write_word(f.device, f.tmds + 4 * i, build(&f, "child", 1) >> 8);
    launch(&f, "parent", 32, 32);
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    cr_assert_eq(read_word(f.device, f.count), 32);
    end(&f);
}
ON_DEVICES(children, killed_while_launching,
           "TU-8 WQ-7 a warp that is stopped in the middle of its launches leaves nothing behind")

// Methods that take the host's time on the other channel.
static void write_nothing(struct family *f, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        must(f->device, TANDEM_OK, tandem_method(f->other, 0, HOST_SEMAPHOREA, 0));
}

// Launches of the CPU's channel arrive while threads launch, and malformed ones while a warp faults.
static void beside_the_host(const char *name) {
    struct family f;
    begin(&f, name);
    struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    struct tandem_argument count = {&f.count, 4};
    for (uint32_t i = 0; i < 32; i++)
        write_word(f.device, f.tmds + 4 * i, build(&f, "child", 1) >> 8);
    launch(&f, "careless", 32, 32);
    write_nothing(&f, 150);
    for (uint32_t i = 0; i < 12; i++)
        must(f.device, TANDEM_OK, tandem_launch(f.other, f.module, "child", &one, &count, 1));
    must(f.device, TANDEM_OK, tandem_submit(f.channel));
    must(f.device, TANDEM_OK, tandem_submit(f.other));
    must(f.device, TANDEM_OK, tandem_finish(f.channel, DEADLINE));
    must(f.device, TANDEM_OK, tandem_finish(f.other, DEADLINE));
    cr_assert_eq(read_word(f.device, f.count), 31 + 12);
    const tandem_addr bad = build(&f, "child", 1);
    write_word(f.device, bad + 72, 0);  // QMD_VERSION
    for (uint32_t delay = 1; delay < 40; delay += 3) {
        write_word(f.device, f.seen, delay);
        launch(&f, "half", 64, 32);
        must(f.device, TANDEM_OK, tandem_launch_tmd(f.other, bad));
        // Methods that keep the host from stopping channels for a while.
        write_nothing(&f, 1500);
        must(f.device, TANDEM_OK, tandem_submit(f.channel));
        must(f.device, TANDEM_OK, tandem_submit(f.other));
        struct tandem_fault fault;
        must(f.device, TANDEM_CHANNEL_FAULT, tandem_wait(f.channel, f.seen, 1000, DEADLINE));
        must(f.device, TANDEM_CHANNEL_FAULT, tandem_wait(f.other, f.seen, 1000, DEADLINE));
        cr_assert(tandem_channel_fault(f.other, &fault));
        cr_assert_eq(fault.code, FAULT_TMD_VERSION, "after %u rounds: %s", delay, fault.text);
        must(f.device, TANDEM_OK, tandem_channel_reset(f.channel));
        must(f.device, TANDEM_OK, tandem_channel_reset(f.other));
    }
    end(&f);
}
ON_DEVICES(children, beside_the_host, "TU-8 TU-11 children, the CPU's launches and faults of two channels at once")
