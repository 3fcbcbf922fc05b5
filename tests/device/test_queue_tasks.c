// Tasks fed by a ring of entries that grows while they run: the CPU appends, threads append, a ring that is used many
// times over, entries of full and of smaller CTAs, eviction of a task that waits, counters that cannot be.
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 4000000u
#define RING 16u

// eat: thread i of a CTA takes its i-th entry, a number, and counts it; [most] gets the largest number of entries of a
// CTA. make: one thread appends the numbers from `from` on, and closes the queue.
static const char program[] =
    ".kernel eat\n.registers 16\n.arg global ring\n.arg global counts\n.arg global most\n"
    "    S2R R0, SR_CTAID_X\n    S2R R1, SR_CTAID_Y\n    S2R R2, SR_TID_X\n"
    "    LDC.32 R8, c[0][RZ + 0x48]\n    ATOMG.UMAX RZ, [R8], R1\n"
    "    ISETP.GE P0, R2, R1\n    @P0 EXIT\n"
    "    IADD R0, R0, R2\n    S2R R3, SR_NCTAID_X\n    IADD R3, R3, -1\n    AND R0, R0, R3\n"
    "    S2R R3, SR_NCTAID_Z\n    IMUL R0, R0, R3\n"
    "    LDC.32 R4, c[0][RZ + 0x40]\n    IADD R4, R4, R0\n    LDG.32 R5, [R4]\n    SHL R5, R5, 2\n"
    "    LDC.32 R6, c[0][RZ + 0x44]\n    IADD R6, R6, R5\n    MOV R7, 1\n    ATOMG.ADD RZ, [R6], R7\n    EXIT\n"
    ".kernel make\n.registers 16\n.arg global ring\n.arg global tmd\n.arg value from\n.arg value end\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n"
    "    LDC.32 R4, c[0][RZ + 0x4C]\n    LDG.32 R5, [R2]\n"
    "room:\n    LDG.32 R6, [R2 + 4]\n    IADD R6, R6, 16\n    ISETP.EQ P0, R6, R5\n    @P0 BRA room\n"
    "    AND R7, R5, 15\n    SHL R7, R7, 2\n    IADD R7, R7, R1\n    STG.32 [R7], R3\n    MEMBAR\n"
    "    MOV R8, 1\n    ATOMG.ADD R5, [R2], R8\n    IADD R5, R5, 1\n    IADD R3, R3, 1\n"
    "    ISETP.NE P0, R3, R4\n    @P0 BRA room\n"
    "    MEMBAR\n    MOV R8, 0xFFFFFEFF\n    ATOMG.AND RZ, [R2 + 24], R8\n    EXIT\n"
    ".kernel mark\n.registers 8\n.arg global word\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 1\n    STG.32 [R1], R2\n    EXIT\n";

static const struct tandem_scheduling low = {0, false};

struct eater {
    struct tandem_queue queue;
    tandem_addr tmd, counts, most;
    uint32_t total;
};

static void launch_eater(struct tandem_device *device, struct tandem_channel *channel, struct tandem_module *module,
                         struct eater *eater, uint32_t per_cta, uint32_t total) {
    eater->total = total;
    eater->counts = new_words(device, total);
    eater->most = new_words(device, 1);
    eater->queue = (struct tandem_queue){
        .ring = new_words(device, RING), .entries = RING, .entry_bytes = 4, .per_cta = per_cta, .waiting = per_cta > 4};
    struct tandem_argument arguments[] = {{&eater->queue.ring, 4}, {&eater->counts, 4}, {&eater->most, 4}};
    must(device, TANDEM_OK,
         tandem_launch_queue(channel, module, "eat", 16, &eater->queue, &low, arguments, 3, &eater->tmd));
    must(device, TANDEM_OK, tandem_submit(channel));
}

static void append(struct tandem_device *device, const struct eater *eater, uint32_t from, uint32_t end) {
    uint32_t tries = 0;
    while (from < end) {
        uint32_t entries[RING], appended;
        const uint32_t count = end - from < 7 ? end - from : 7;
        for (uint32_t i = 0; i < count; i++)
            entries[i] = from + i;
        must(device, TANDEM_OK, tandem_queue_append(device, eater->tmd, &eater->queue, entries, count, &appended));
        from += appended;
        if (appended < count) must(device, TANDEM_OK, tandem_run(device, 100));
        cr_assert_lt(tries++, 20000, "entry %u finds no room", from);
    }
}

static void each_once(struct tandem_device *device, const struct eater *eater) {
    for (uint32_t i = 0; i < eater->total; i++)
        cr_assert_eq(read_word(device, eater->counts + 4 * i), 1, "entry %u: %u times", i,
                     read_word(device, eater->counts + 4 * i));
    cr_assert_eq(read_word(device, eater->tmd) & 0x7FFFFFFF, eater->total, "OUTER_PUT");
    cr_assert_eq(read_word(device, eater->tmd + 4), eater->total, "OUTER_GET");
    const uint32_t most = read_word(device, eater->most);
    cr_assert(most >= 1 && most <= eater->queue.per_cta, "a CTA with %u entries", most);
}

static void cpu_appends(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, program);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    static const uint32_t per_ctas[] = {1, 4, 16};
    for (uint32_t i = 0; i < 3; i++) {
        struct eater eater;
        launch_eater(device, channel, module, &eater, per_ctas[i], 10 * RING + 3);
        must(device, TANDEM_OK, tandem_run(device, 2000));  // it waits, empty
        append(device, &eater, 0, 5);
        must(device, TANDEM_OK, tandem_run(device, 3000));
        append(device, &eater, 5, eater.total);
        must(device, TANDEM_OK, tandem_queue_close(device, eater.tmd));
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        each_once(device, &eater);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(queue_tasks, cpu_appends, "TU-7 the CPU appends ten times what the ring holds, every entry runs once")

static void threads_append(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, program);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    struct eater eater;
    uint32_t from = 0;
    launch_eater(device, channel, module, &eater, 4, 6 * RING + 1);
    struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    struct tandem_argument arguments[] = {{&eater.queue.ring, 4}, {&eater.tmd, 4}, {&from, 4}, {&eater.total, 4}};
    must(device, TANDEM_OK, tandem_launch(channel, module, "make", &one, arguments, 4));
    must(device, TANDEM_OK, tandem_submit(channel));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    each_once(device, &eater);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(queue_tasks, threads_append, "TU-7 threads of another task append while the queue runs, and close it")

// Queues that wait for entries hold every slot; an urgent task takes one, and then they go on.
static void waiting_evicted(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, program);
    struct tandem_channel *channel = NULL, *high = NULL;
    const uint32_t slots = tandem_reg_read(device, REG_CONFIG1) >> 8 & 0xFF;
    struct eater eaters[8];
    must(device, TANDEM_OK, tandem_channel_open(device, 32, 0, &channel));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &high));
    for (uint32_t k = 0; k < slots; k++)
        launch_eater(device, channel, module, &eaters[k], 4, RING + 5);
    must(device, TANDEM_OK, tandem_run(device, 4000));
    append(device, &eaters[0], 0, 6);
    must(device, TANDEM_OK, tandem_run(device, 4000));
    tandem_addr word = new_words(device, 1);
    struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    struct tandem_argument argument = {&word, 4};
    const struct tandem_scheduling urgent = {.level = 5};
    must(device, TANDEM_OK, tandem_launch_scheduled(high, module, "mark", &one, &urgent, &argument, 1));
    must(device, TANDEM_OK, tandem_submit(high));
    must(device, TANDEM_OK, tandem_finish(high, DEADLINE));
    cr_assert_eq(read_word(device, word), 1);
    for (uint32_t k = 0; k < slots; k++) {
        append(device, &eaters[k], k == 0 ? 6 : 0, eaters[k].total);
        must(device, TANDEM_OK, tandem_queue_close(device, eaters[k].tmd));
    }
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    for (uint32_t k = 0; k < slots; k++)
        each_once(device, &eaters[k]);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(high));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(queue_tasks, waiting_evicted,
           "TU-7 TU-5 a queue that waits gives its slot to a higher level and goes on later")

// OUTER_PUT beyond the ring, OUTER_PUT gone back, and another fault of the channel: the task ends, nothing hangs.
static void wrong_counters(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, program);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    for (uint32_t i = 0; i < 3; i++) {
        struct eater eater;
        struct tandem_fault fault;
        launch_eater(device, channel, module, &eater, 4, RING);
        must(device, TANDEM_OK, tandem_run(device, 3000));
        append(device, &eater, 0, 8);
        must(device, TANDEM_OK, tandem_run(device, 6000));
        cr_assert_eq(read_word(device, eater.tmd + 4), 8, "OUTER_GET");
        if (i == 0) write_word(device, eater.tmd, 8 + RING + 1);
        if (i == 1) write_word(device, eater.tmd, 7);
        if (i == 2) {
            must(device, TANDEM_OK, tandem_method(channel, 1, 0x1FFC, 0));
            must(device, TANDEM_OK, tandem_submit(channel));
        }
        must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, eater.most, 1000, DEADLINE));
        cr_assert(tandem_channel_fault(channel, &fault));
        if (i < 2) {
            cr_assert_eq(fault.code, FAULT_TMD_GET_PUT_TOO_LARGE, "%s", fault.text);
            cr_assert_eq(fault.info, eater.tmd);
        }
        must(device, TANDEM_OK, tandem_channel_reset(channel));
    }
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(queue_tasks, wrong_counters,
           "TU-7 TU-11 counters that cannot be fault by name, a faulted channel ends its queue")

Test(queue_tasks, bad_arguments, .description = "TU-7 queues that the driver refuses [model]") {
    struct tandem_device *device = open_device("model:small");
    struct tandem_module *module = load_assembly(device, program);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    tandem_addr words = new_words(device, 1), tmd;
    struct tandem_argument arguments[] = {{&words, 4}, {&words, 4}, {&words, 4}};
    const struct tandem_queue good = {.ring = words, .entries = 16, .entry_bytes = 4, .per_cta = 1};
    struct tandem_queue bad[7];
    for (uint32_t i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].entries = 0;
    bad[1].entries = 24;
    bad[2].entry_bytes = 0;
    bad[3].entry_bytes = 65536;
    bad[4].per_cta = 129;
    bad[5].waiting = 256;
    bad[6].filled = 17;
    for (uint32_t i = 0; i < 7; i++)
        must(device, TANDEM_BAD_ARGUMENT,
             tandem_launch_queue(channel, module, "eat", 16, &bad[i], &low, arguments, 3, &tmd));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
