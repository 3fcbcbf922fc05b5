// Tasks that wait for the ends of others: the task unit starts them, in memory they are words of TMDs.
#include "gen/registers.h"
#include "on_devices.h"
#include "task/tmd.h"

#define DEADLINE 8000000u
#define TASKS_MOST 512u

// note: takes the next number and notes it as that of its task. hold: as note, when the gate is open. wrong: faults.
// again: counts, and sets the counter of another task, to 2 when the count is at its limit.
// make, wait: each thread launches a task of a list; wait then notes as note does.
static const char programs[] =
    ".kernel note\n.registers 8\n.arg global count\n.arg global noted\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    MOV R3, 1\n    ATOMG.ADD R4, [R1], R3\n"
    "    STG.32 [R2], R4\n    EXIT\n"
    ".kernel hold\n.registers 8\n.arg global count\n.arg global noted\n.arg global gate\n"
    "    LDC.32 R5, c[0][RZ + 0x48]\n"
    "again:\n    ATOMG.ADD R4, [R5], RZ\n    ISETP.EQ P0, R4, 0\n    @P0 BRA again\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    MOV R3, 1\n    ATOMG.ADD R4, [R1], R3\n"
    "    STG.32 [R2], R4\n    EXIT\n"
    ".kernel wrong\n.registers 8\n.arg global count\n.arg global noted\n.arg global gate\n"
    "    LDC.32 R5, c[0][RZ + 0x48]\n"
    "more:\n    ATOMG.ADD R4, [R5], RZ\n    ISETP.EQ P0, R4, 0\n    @P0 BRA more\n"
    "    MOV R4, 0x0FFFFFF0\n    STG.32 [R4], R4\n    EXIT\n"
    ".kernel again\n.registers 8\n.arg global count\n.arg global other\n.arg value limit\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R5, c[0][RZ + 0x48]\n    LDG.32 R2, "
    "[R2]\n"
    "    MOV R3, 1\n    ATOMG.ADD R4, [R1], R3\n    IADD R4, R4, 1\n    MOV R6, 1\n    ISETP.GE P0, R4, R5\n"
    "    @P0 MOV R6, 2\n    STG.32 [R2], R6\n    EXIT\n"
    ".kernel make\n.registers 8\n.arg global count\n.arg global noted\n.arg global list\n"
    "    LDC.32 R2, c[0][RZ + 0x48]\n    S2R R0, SR_TID_X\n    SHL R0, R0, 2\n    IADD R2, R2, R0\n    LDG.32 R4, "
    "[R2]\n"
    "    LAUNCH R4\n    EXIT\n"
    ".kernel wait\n.registers 8\n.arg global count\n.arg global noted\n.arg global list\n"
    "    LDC.32 R2, c[0][RZ + 0x48]\n    S2R R0, SR_TID_X\n    SHL R0, R0, 2\n    IADD R2, R2, R0\n    LDG.32 R4, "
    "[R2]\n"
    "    LAUNCH.WAIT R4\n    ISETP.NE P1, R0, 0\n    @P1 EXIT\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    MOV R3, 1\n    ATOMG.ADD R4, [R1], R3\n"
    "    STG.32 [R2], R4\n    EXIT\n";

struct world {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel, *other;
    tandem_addr count, gate, list, noted;
    tandem_addr tmd[TASKS_MOST];
    uint32_t tasks;
};

// A launch through the driver: the channel has the program's region from then on.
static void set_region(struct world *w, struct tandem_channel *channel) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const tandem_addr elsewhere = w->list;
    const struct tandem_argument arguments[] = {{&elsewhere, 4}, {&elsewhere, 4}};
    must(w->device, TANDEM_OK, tandem_launch(channel, w->module, "note", &one, arguments, 2));
    must(w->device, TANDEM_OK, tandem_finish(channel, DEADLINE));
}

static void begin(struct world *w, const char *name) {
    *w = (struct world){.device = open_device(name)};
    w->module = load_assembly(w->device, programs);
    must(w->device, TANDEM_OK, tandem_channel_open(w->device, 16, 0, &w->channel));
    must(w->device, TANDEM_OK, tandem_channel_open(w->device, 16, 0, &w->other));
    w->count = new_words(w->device, 1);
    w->gate = new_words(w->device, 1);
    w->list = new_words(w->device, 64);
    w->noted = new_words(w->device, TASKS_MOST);
    set_region(w, w->channel);
    set_region(w, w->other);
    write_word(w->device, w->count, 1);
}

static void end(struct world *w) {
    must(w->device, TANDEM_OK, tandem_channel_close(w->channel));
    must(w->device, TANDEM_OK, tandem_channel_close(w->other));
    tandem_module_unload(w->module);
    close_device(w->device);
}

// The number of a new task. Of what it does the name says; `make` and `wait` have as many threads.
static uint32_t build_threads(struct world *w, const char *kernel, uint32_t threads) {
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const tandem_addr noted = w->noted + 4 * w->tasks, third = kernel[0] == 'm' || kernel[1] == 'a' ? w->list : w->gate;
    const struct tandem_argument arguments[] = {{&w->count, 4}, {&noted, 4}, {&third, 4}};
    const struct tandem_scheduling plain = {0, false};
    write_word(w->device, noted, 0);
    must(w->device, TANDEM_OK,
         tandem_task_build(w->channel, w->module, kernel, &range, &plain, arguments, kernel[0] == 'n' ? 2 : 3,
                           &w->tmd[w->tasks]));
    return w->tasks++;
}

static uint32_t build(struct world *w, const char *kernel) {
    return build_threads(w, kernel, 1);
}

static void write_field(struct world *w, uint32_t task, uint32_t word, uint32_t value) {
    write_word(w->device, w->tmd[task] + 4 * word, value);
}

static void set_counter(struct world *w, uint32_t task, uint32_t value) {
    write_field(w, task, TMD_DEPENDENCE_COUNTER_WORD, value);
}

static uint32_t counter(struct world *w, uint32_t task) {
    return read_word(w->device, w->tmd[task] + 4 * TMD_DEPENDENCE_COUNTER_WORD);
}

// `task` frees the TMD at address / 256.
static void frees_at(struct world *w, uint32_t task, uint32_t which, uint32_t place) {
    write_field(w, task, TMD_DEPENDENT_QMD_POINTER_WORD + which, 1u << TMD_DEPENDENT_QMD_SCHEDULE_ENABLE_LOW | place);
}

static void frees(struct world *w, uint32_t task, uint32_t which, uint32_t other) {
    frees_at(w, task, which, w->tmd[other] >> 8);
    const uint32_t before = counter(w, other);
    set_counter(w, other, before == 0 ? 2 : before + 1);
}

static void launch(struct world *w, uint32_t task) {
    must(w->device, TANDEM_OK, tandem_launch_tmd(w->channel, w->tmd[task]));
}

static void finish(struct world *w) {
    must(w->device, TANDEM_OK, tandem_finish(w->channel, DEADLINE));
}

// The place of a task among all, from 1; 0: it has not run.
static uint32_t place(struct world *w, uint32_t task) {
    return read_word(w->device, w->noted + 4 * task);
}

static void in_order(struct world *w, uint32_t first, uint32_t then) {
    cr_assert(place(w, first) != 0 && place(w, first) < place(w, then), "task %u is number %u, %u is number %u", first,
              place(w, first), then, place(w, then));
}

// ---- shapes ----
// Launched from the last to the first, so that all wait, and from the first to the last.
static void chains(const char *name) {
    struct world w;
    begin(&w, name);
    for (uint32_t backwards = 0; backwards < 2; backwards++) {
        const uint32_t length = 12, first = w.tasks;
        for (uint32_t i = 0; i < length; i++)
            build(&w, "note");
        for (uint32_t i = 0; i + 1 < length; i++)
            frees(&w, first + i, i % 2, first + i + 1);
        for (uint32_t i = 0; i < length; i++)
            launch(&w, first + (backwards != 0 ? length - 1 - i : i));
        finish(&w);
        for (uint32_t i = 0; i < length; i++) {
            cr_assert_eq(place(&w, first + i), 1 + first + i, "task %u is number %u", i, place(&w, first + i));
            cr_assert_eq(counter(&w, first + i), 0);
        }
    }
    end(&w);
}
ON_DEVICES(dependents, chains,
           "TU-15 each task of a chain starts when the one before has ended, whoever is launched first")

static void fan(const char *name) {
    struct world w;
    begin(&w, name);
    // A tree of pairs, and back into one.
    for (uint32_t i = 0; i < 31; i++)
        build(&w, "note");
    const uint32_t last = build(&w, "note");
    for (uint32_t i = 0; i < 15; i++) {
        frees(&w, i, 0, 2 * i + 1);
        frees(&w, i, 1, 2 * i + 2);
    }
    for (uint32_t i = 15; i < 31; i++)
        frees(&w, i, i % 2, last);
    cr_assert_eq(counter(&w, last), 17);
    for (uint32_t i = 0; i < 32; i++)
        launch(&w, (i * 13 + 5) % 32);
    finish(&w);
    for (uint32_t i = 0; i < 15; i++) {
        in_order(&w, i, 2 * i + 1);
        in_order(&w, i, 2 * i + 2);
    }
    cr_assert_eq(place(&w, 0), 1);
    cr_assert_eq(place(&w, last), 32);
    end(&w);
}
ON_DEVICES(dependents, fan, "TU-15 TU-2 tasks that free two, and one that waits for sixteen")

static void diamonds(const char *name) {
    struct world w;
    begin(&w, name);
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t top = w.tasks;
        for (uint32_t i = 0; i < 4; i++)
            build(&w, "note");
        frees(&w, top, 0, top + 1);
        frees(&w, top, 1, top + 2);
        frees(&w, top + 1, 0, top + 3);
        frees(&w, top + 2, 1, top + 3);
        if (k != 0) frees(&w, top - 1, 0, top);
    }
    for (uint32_t i = w.tasks; i-- > 0;)
        launch(&w, i);
    finish(&w);
    for (uint32_t k = 0; k < 16; k++) {
        cr_assert_eq(place(&w, 4 * k), 4 * k + 1);
        cr_assert_eq(place(&w, 4 * k + 3), 4 * k + 4);
    }
    end(&w);
}
ON_DEVICES(dependents, diamonds, "TU-15 diamonds, one behind the other")

// Only the first is launched. The others have what a launch would write, and no launch is counted.
static void not_launched(const char *name) {
    struct world w;
    begin(&w, name);
    const uint32_t length = 300;
    uint32_t region = 0;
    // What a launch writes: taken from one that waits.
    const uint32_t waits = build(&w, "note");
    set_counter(&w, waits, 2);
    launch(&w, waits);
    finish(&w);
    cr_assert_eq(counter(&w, waits), 1);
    cr_assert_eq(place(&w, waits), 0, "it runs");
    region = read_word(w.device, w.tmd[waits] + 4 * TMD_TANDEM_REGION_WORD);
    for (uint32_t i = 0; i < length; i++) {
        build(&w, "note");
        if (i == 0) continue;
        frees_at(&w, i, i % 2, w.tmd[i + 1] >> 8);
        set_counter(&w, i + 1, 1);
        write_field(&w, i + 1, TMD_TANDEM_REGION_WORD, region);
    }
    frees_at(&w, length, 0, w.tmd[waits] >> 8);
    launch(&w, 1);
    finish(&w);
    for (uint32_t i = 1; i <= length; i++)
        cr_assert_eq(place(&w, i), i, "task %u is number %u", i, place(&w, i));
    cr_assert_eq(place(&w, waits), length + 1);
    end(&w);
}
ON_DEVICES(dependents, not_launched, "TU-15 WQ-6 a chain of hundreds whose first task alone is launched")

// Two tasks free each other: each sets the counter of the other again, which has handed it over, until the count is at the limit.
static void ring_of(const char *name, uint32_t limit) {
    struct world w;
    begin(&w, name);
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_scheduling plain = {0, false};
    const tandem_addr others = w.list;
    for (uint32_t i = 0; i < 2; i++) {
        const tandem_addr other = others + 4 * i;
        const struct tandem_argument arguments[] = {{&w.count, 4}, {&other, 4}, {&limit, 4}};
        must(w.device, TANDEM_OK,
             tandem_task_build(w.channel, w.module, "again", &one, &plain, arguments, 3, &w.tmd[w.tasks++]));
    }
    for (uint32_t i = 0; i < 2; i++)
        write_word(w.device, others + 4 * i, w.tmd[1 - i] + 4 * TMD_DEPENDENCE_COUNTER_WORD);
    frees(&w, 0, 0, 1);
    frees(&w, 1, 0, 0);
    set_counter(&w, 0, 1);  // its launch is the last, and leaves what later starts need in its TMD
    launch(&w, 1);
    launch(&w, 0);
    must(w.device, TANDEM_OK, tandem_finish(w.channel, 40 * (uint64_t)DEADLINE));
    cr_assert_eq(read_word(w.device, w.count), limit);
    end(&w);
}

static void ring(const char *name) {
    ring_of(name, 200);
}
ON_DEVICES(dependents, ring, "TU-15 tasks that free each other, again and again")
Test(dependents, ten_thousand_model, .description = "TU-15 a chain of 10,000 tasks [model]") {
    ring_of("model:small", 10000);
}
Test(dependents, ten_thousand_rtl, .description = "TU-15 a chain of 10,000 tasks [rtl]") {
    ring_of("rtl:nano", 10000);
}

// ---- who ends when ----
// Those that wait are launched while the first runs, before it, and when it has ended.
static void orders(const char *name) {
    struct world w;
    begin(&w, name);
    const uint32_t first = build(&w, "hold"), second = build(&w, "note"), third = build(&w, "note");
    frees(&w, first, 0, second);
    frees(&w, first, 1, third);
    launch(&w, second);
    launch(&w, first);
    must(w.device, TANDEM_OK, tandem_submit(w.channel));
    must(w.device, TANDEM_OK, tandem_run(w.device, 3000));
    cr_assert_eq(place(&w, second), 0);
    cr_assert_eq(counter(&w, second), 1);
    write_word(w.device, w.gate, 1);
    finish(&w);
    in_order(&w, first, second);
    cr_assert_eq(counter(&w, third), 1);
    cr_assert_eq(place(&w, third), 0, "it was not launched");
    launch(&w, third);
    finish(&w);
    in_order(&w, second, third);
    // A launch at any time around the end of what it waits for.
    for (uint32_t k = 0; k < 40; k++) {
        const uint32_t before = build(&w, "note"), after = build(&w, "note");
        frees(&w, before, 0, after);
        launch(&w, before);
        for (uint32_t i = 0; i < k; i++)
            must(w.device, TANDEM_OK, tandem_method(w.channel, 0, 0x10, 0));
        launch(&w, after);
        finish(&w);
        in_order(&w, before, after);
    }
    end(&w);
}
ON_DEVICES(dependents, orders,
           "TU-15 WQ-6 launched before, during and after the end of what they wait for; WFI waits for them")

// Threads launch tasks that wait, and what they wait for.
static void children(const char *name) {
    struct world w;
    begin(&w, name);
    for (uint32_t i = 0; i < 16; i++)
        build(&w, "note");
    for (uint32_t i = 0; i < 15; i++)
        frees(&w, i, 0, i + 1);
    for (uint32_t i = 0; i < 16; i++)
        write_word(w.device, w.list + 4 * i, w.tmd[(i * 7 + 3) % 16] >> 8);
    const uint32_t maker = build_threads(&w, "make", 16), behind = build(&w, "note");
    frees(&w, maker, 1, behind);
    launch(&w, behind);
    launch(&w, maker);
    finish(&w);
    for (uint32_t i = 0; i + 1 < 16; i++)
        in_order(&w, i, i + 1);
    cr_assert_neq(place(&w, behind), 0);
    // A parent that waits goes on when all have ended, those that were parked too.
    for (uint32_t i = 0; i < 15; i++)
        set_counter(&w, i + 1, 2);
    const uint32_t parent = build_threads(&w, "wait", 16), last = build(&w, "note");
    frees(&w, parent, 0, last);
    launch(&w, last);
    launch(&w, parent);
    finish(&w);
    for (uint32_t i = 0; i + 1 < 16; i++)
        in_order(&w, i, i + 1);
    in_order(&w, 15, parent);
    in_order(&w, parent, last);
    end(&w);
}
ON_DEVICES(dependents, children, "TU-15 TU-8 tasks that wait are launched by threads; parents wait for them")

// Levels and lists: what is free goes into the list of its level as any launch.
static void levels(const char *name) {
    struct world w;
    begin(&w, name);
    const uint32_t first = build(&w, "hold");
    uint32_t waiting[8];
    for (uint32_t i = 0; i < 8; i++) {
        waiting[i] = build(&w, "note");
        write_field(&w, waiting[i], TMD_QMD_GROUP_ID_WORD,
                    read_word(w.device, w.tmd[waiting[i]] + 4 * TMD_QMD_GROUP_ID_WORD) | (i * 5)
                                                                                             << TMD_QMD_GROUP_ID_LOW);
    }
    for (uint32_t i = 0; i < 7; i++)
        frees(&w, i == 0 ? first : waiting[i - 1], 0, waiting[i]);
    frees(&w, first, 1, waiting[7]);
    for (uint32_t i = 8; i-- > 0;)
        launch(&w, waiting[i]);
    launch(&w, first);
    must(w.device, TANDEM_OK, tandem_submit(w.channel));
    write_word(w.device, w.gate, 1);
    finish(&w);
    for (uint32_t i = 0; i + 1 < 7; i++)
        in_order(&w, waiting[i], waiting[i + 1]);
    in_order(&w, first, waiting[7]);
    end(&w);
}
ON_DEVICES(dependents, levels, "TU-15 TU-2 tasks of different levels that wait for each other")

// ---- what is wrong ----
static void expect_fault(struct world *w, uint32_t code, uint32_t info) {
    struct tandem_fault fault;
    must(w->device, TANDEM_CHANNEL_FAULT, tandem_wait(w->channel, w->gate, 1000, DEADLINE));
    cr_assert(tandem_channel_fault(w->channel, &fault));
    cr_assert_eq(fault.code, code, "%s", fault.text);
    cr_assert_eq(fault.info, info, "0x%x: %s", fault.info, fault.text);
    must(w->device, TANDEM_OK, tandem_finish(w->other, DEADLINE));
    must(w->device, TANDEM_OK, tandem_channel_reset(w->channel));
    // The channel works.
    set_region(w, w->channel);
    const uint32_t good = build(w, "note"), behind = build(w, "note");
    frees(w, good, 0, behind);
    launch(w, behind);
    launch(w, good);
    finish(w);
    in_order(w, good, behind);
}

static void wrong(const char *name) {
    struct world w;
    begin(&w, name);
    const uint32_t size = (uint32_t)tandem_reg_read(w.device, REG_CHANNEL_BASE + CHANNEL_SPACE_SIZE);
    const uint32_t places[] = {size >> 8, 0x00FFFFFF, 0x01000000, 0x7FFFFFFF};
    for (uint32_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const uint32_t task = build(&w, "note");
        frees_at(&w, task, i % 2, places[i]);
        launch(&w, task);
        must(w.device, TANDEM_OK, tandem_submit(w.channel));
        expect_fault(&w, FAULT_TMD_DEPENDENT_QMD, places[i] << 8);
        cr_assert_eq(place(&w, task), 0, "it is refused before it starts");
    }
    // A counter that has not counted this end.
    const uint32_t task = build(&w, "note"), other = build(&w, "note");
    frees_at(&w, task, 1, w.tmd[other] >> 8);
    launch(&w, task);
    must(w.device, TANDEM_OK, tandem_submit(w.channel));
    expect_fault(&w, FAULT_TMD_DEPENDENCE_COUNTER, w.tmd[other]);
    cr_assert_neq(place(&w, task), 0, "its end is what is wrong");
    cr_assert_eq(place(&w, other), 0);
    // What is free is no good TMD: refused as any.
    const uint32_t first = build(&w, "note"), second = build(&w, "note");
    frees(&w, first, 0, second);
    write_word(w.device, w.tmd[second] + 72, 0);  // QMD_VERSION
    launch(&w, second);
    must(w.device, TANDEM_OK, tandem_submit(w.channel));
    expect_fault(&w, FAULT_TMD_VERSION, w.tmd[second]);
    set_counter(&w, second, 1);
    launch(&w, first);
    must(w.device, TANDEM_OK, tandem_submit(w.channel));
    expect_fault(&w, FAULT_TMD_VERSION, w.tmd[second]);
    end(&w);
}
ON_DEVICES(dependents, wrong,
           "TU-15 TU-11 pointers out of the space, counters that are 0: named faults, other channels go on")

// One that others wait for faults, or the channel is reset while it runs: they never start, and hold nothing up.
static void faults(const char *name) {
    struct world w;
    begin(&w, name);
    for (uint32_t stop = 0; stop < 2; stop++) {
        const uint32_t chain = w.tasks;
        for (uint32_t i = 0; i < 5; i++)
            build(&w, i == 2 ? stop != 0 ? "hold" : "wrong" : "note");
        for (uint32_t i = 0; i < 4; i++)
            frees(&w, chain + i, 0, chain + i + 1);
        write_word(w.device, w.gate, 0);
        for (uint32_t i = 0; i < 5; i++)
            launch(&w, chain + 4 - i);
        must(w.device, TANDEM_OK, tandem_submit(w.channel));
        for (unsigned k = 0; k < 1000 && place(&w, chain + 1) == 0; k++)
            must(w.device, TANDEM_OK, tandem_run(w.device, 100));
        must(w.device, TANDEM_OK, tandem_run(w.device, 1000));
        if (stop != 0) {
            must(w.device, TANDEM_OK, tandem_channel_reset(w.channel));
        } else {
            struct tandem_fault fault;
            write_word(w.device, w.gate, 1);
            must(w.device, TANDEM_CHANNEL_FAULT, tandem_wait(w.channel, w.gate, 1000, DEADLINE));
            cr_assert(tandem_channel_fault(w.channel, &fault));
            cr_assert_eq(fault.code, FAULT_MEMORY_BOUNDS, "%s", fault.text);
            must(w.device, TANDEM_OK, tandem_channel_reset(w.channel));
        }
        set_region(&w, w.channel);
        for (uint32_t i = 2; i < 5; i++) {
            cr_assert_eq(place(&w, chain + i), 0, "task %u of %u has run", i, stop);
            cr_assert_eq(counter(&w, chain + i), i == 2 ? 0 : 1);
        }
        // What is left can be freed again: by a task that ends well.
        const uint32_t again = build(&w, "note");
        frees_at(&w, again, 1, w.tmd[chain + 3] >> 8);
        launch(&w, again);
        finish(&w);
        in_order(&w, again, chain + 3);
        in_order(&w, chain + 3, chain + 4);
    }
    end(&w);
}
ON_DEVICES(dependents, faults,
           "TU-15 WQ-6 what a faulted or stopped task would have freed never starts, and nothing hangs")

// Nobody frees it: it is not started, and the channel does not wait for it.
static void never_freed(const char *name) {
    struct world w;
    begin(&w, name);
    const uint32_t task = build(&w, "note");
    set_counter(&w, task, 3);
    launch(&w, task);
    finish(&w);
    cr_assert_eq(place(&w, task), 0);
    cr_assert_eq(counter(&w, task), 2);
    // A parent that waits for such a child: nothing can go on.
    const uint32_t parent = build_threads(&w, "wait", 1);
    write_word(w.device, w.list, w.tmd[task] >> 8);
    set_counter(&w, task, 3);
    launch(&w, parent);
    must(w.device, TANDEM_OK, tandem_submit(w.channel));
    expect_fault(&w, FAULT_CHILD_DEADLOCK, w.tmd[parent]);
    cr_assert_eq(place(&w, task), 0);
    end(&w);
}
ON_DEVICES(dependents, never_freed,
           "TU-15 WQ-6 a task that nobody frees does not start; the channel does not wait for it")

// ---- through the driver ----
static void launch_all(struct world *w, uint32_t first, uint32_t count, uint32_t step) {
    for (uint32_t i = 0; i < count; i++)
        must(w->device, TANDEM_OK, tandem_task_launch(w->channel, w->module, w->tmd[first + i * step % count]));
}

// One that frees many, many that one waits for, twice; any order of launches.
static void driver_call(const char *name) {
    struct world w;
    struct tandem_dependence all[64];
    begin(&w, name);
    enum { MIDDLE = 13 };
    for (uint32_t i = 0; i < MIDDLE + 2; i++)
        build(&w, "note");
    for (uint32_t i = 0; i < MIDDLE; i++) {
        all[2 * i] = (struct tandem_dependence){w.tmd[0], w.tmd[1 + i]};
        all[2 * i + 1] = (struct tandem_dependence){w.tmd[1 + i], w.tmd[MIDDLE + 1]};
    }
    for (uint32_t k = 0; k < 3; k++) {
        must(w.device, TANDEM_OK, tandem_channel_reset(w.channel));  // what the channel knew is forgotten
        must(w.device, TANDEM_OK, tandem_task_dependences(w.channel, all, 2 * MIDDLE));
        launch_all(&w, 0, MIDDLE + 2, k == 0 ? 1 : k == 1 ? MIDDLE + 1 : 7);
        finish(&w);
        cr_assert_eq(place(&w, 0), 1 + k * (MIDDLE + 2));
        cr_assert_eq(place(&w, MIDDLE + 1), (k + 1) * (MIDDLE + 2), "number %u", place(&w, MIDDLE + 1));
        for (uint32_t i = 0; i < MIDDLE + 2; i++)
            cr_assert_eq(counter(&w, i), 0);
    }
    // All at once wait for all: each pair stands for itself.
    const uint32_t first = w.tasks;
    for (uint32_t i = 0; i < 16; i++)
        build(&w, "note");
    for (uint32_t i = 0; i < 64; i++)
        all[i] = (struct tandem_dependence){w.tmd[first + i / 8], w.tmd[first + 8 + i % 8]};
    must(w.device, TANDEM_OK, tandem_task_dependences(w.channel, all, 64));
    launch_all(&w, first, 16, 3);
    finish(&w);
    for (uint32_t i = 0; i < 64; i++)
        in_order(&w, first + i / 8, first + 8 + i % 8);
    // What cannot be.
    must(w.device, TANDEM_BAD_ARGUMENT,
         tandem_task_dependences(w.channel, &(struct tandem_dependence){w.tmd[0], w.tmd[0]}, 1));
    const struct tandem_dependence round[] = {{w.tmd[0], w.tmd[1]}, {w.tmd[1], w.tmd[2]}, {w.tmd[2], w.tmd[0]}};
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_task_dependences(w.channel, round, 3));
    must(w.device, TANDEM_BAD_ARGUMENT,
         tandem_task_dependences(w.channel, &(struct tandem_dependence){w.tmd[0], w.tmd[1] + 4}, 1));
    must(w.device, TANDEM_BAD_ARGUMENT, tandem_task_launch(w.channel, w.module, w.tmd[0] + 128));
    cr_assert_eq(tandem_task_dependences(w.channel, &(struct tandem_dependence){w.tmd[0], 0xFFFFFF00}, 1),
                 TANDEM_BAD_ARGUMENT);
    must(w.device, TANDEM_OK, tandem_task_dependences(w.channel, NULL, 0));
    end(&w);
}
ON_DEVICES(dependents, driver_call, "TU-15 any number waits for any number, as the application says it to the driver")
