// Token queues that are longer than what a multiprocessor keeps, on every kind of device: deep nesting, tokens that go to
// memory and come back, queues of the size that the device's name asks for, memory that fails or is not there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 40000000u
#define TEXT_MAX (64u << 10)

static const char head[] =
    ".kernel nested\n"
    ".registers 12\n"
    ".arg global out\n"
    "    S2R R0, SR_TID_X\n"
    "    LDC.32 R3, c[0][0x40]\n"
    "    SHL R4, R0, 2\n"
    "    IADD R3, R3, R4\n"
    "    MOV R6, 0\n";

// Divergent ifs, one inside of the other: thread t leaves the then-part of if t. Each level's SYNC token and, where
// threads part, a DIV token stand until its end. out[t]: the levels it was in, and 1000 for each join.
static char *nested_ifs(uint32_t depth) {
    char *text = malloc(TEXT_MAX), *to = text;
    cr_assert_not_null(text);
    to += sprintf(to, "%s", head);
    for (uint32_t i = 0; i < depth; i++)
        to += sprintf(to, "    SSY join%u\n    ISETP.EQ P0, R0, %u\n    @P0 BRA else%u\n    IADD R6, R6, 1\n", i, i, i);
    for (uint32_t i = depth; i-- > 0;)
        to += sprintf(to, "    SYNC\nelse%u:\n    SYNC\njoin%u:\n    IADD R6, R6, 1000\n", i, i);
    to += sprintf(to, "    STG.32 [R3], R6\n    EXIT\n");
    cr_assert_lt(to - text, (long)TEXT_MAX);
    return text;
}

static void ifs(const char *name) {
    const uint32_t depth = 100;
    struct tandem_device *device = open_device(name);
    char *text = nested_ifs(depth);
    struct tandem_module *module = load_assembly(device, text);
    struct tandem_channel *channel = NULL;
    const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    const tandem_addr out = new_words(device, 32);
    const struct tandem_argument argument = {&out, 4};
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    must(device, TANDEM_OK, tandem_launch(channel, module, "nested", &range, &argument, 1));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    // Thread t is in levels 0 to t - 1, and at the joins of those and its own.
    for (uint32_t t = 0; t < 32; t++)
        cr_assert_eq(read_word(device, out + 4 * t), t + 1000 * (t + 1), "thread %u: %u", t,
                     read_word(device, out + 4 * t));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    free(text);
    close_device(device);
}
ON_DEVICES(token_memory, ifs, "TD-18 TD-21 100 divergent ifs, one inside of the other;")

// A function that calls itself `depth` times inside of an if; at each level one thread more has left it, until one is
// left (thread 31, as thread t leaves at level 40 * t). Each level's RET and SYNC tokens stand. out[t]: levels.
static const char deep[] =
    ".kernel deep\n"
    ".registers 16\n"
    ".arg global out\n"
    ".arg value depth\n"
    "    S2R R0, SR_TID_X\n"
    "    LDC.32 R3, c[0][0x40]\n"
    "    LDC.32 R5, c[0][0x44]\n"
    "    SHL R4, R0, 2\n"
    "    IADD R3, R3, R4\n"
    "    MOV R6, 0\n"
    "    MOV R7, 40\n"
    "    IMAD R7, R7, R0, RZ\n"
    "    ISETP.EQ P1, R0, 31\n"
    "    @P1 MOV R7, R5\n"
    "    CAL R10, deeper\n"
    "    STG.32 [R3], R6\n"
    "    EXIT\n"
    "deeper:\n"
    "    SSY meet\n"
    "    ISETP.GE P0, R6, R7\n"
    "    @P0 BRA leave\n"
    "    IADD R6, R6, 1\n"
    "    CAL R10, deeper\n"
    "    SYNC\n"
    "leave:\n"
    "    SYNC\n"
    "meet:\n"
    "    RET R10\n";

struct run {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel;
    struct tandem_info info;
    tandem_addr out;
};

static struct run begin_with(const char *text, const char *name, const char *options) {
    struct run run;
    char full[128];
    snprintf(full, sizeof full, "%s%s,mem=16", name, options);
    run.device = open_device(full);
    run.module = load_assembly(run.device, text);
    tandem_get_info(run.device, &run.info);
    must(run.device, TANDEM_OK, tandem_channel_open(run.device, 16, 0, &run.channel));
    run.out = new_words(run.device, 64);
    return run;
}

static struct run begin(const char *name, const char *options) {
    return begin_with(deep, name, options);
}

static enum tandem_status go(struct run *run, uint32_t depth) {
    const uint32_t threads = run->info.threads;
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_argument arguments[] = {{&run->out, 4}, {&depth, 4}};
    for (uint32_t t = 0; t < threads; t++)
        write_word(run->device, run->out + 4 * t, 0xFFFF);
    must(run->device, TANDEM_OK, tandem_launch(run->channel, run->module, "deep", &range, arguments, 2));
    return tandem_finish(run->channel, DEADLINE);
}

// Of threads up to 31: others of a wide warp are as deep as their number says.
static void check_levels(struct run *run, uint32_t depth) {
    for (uint32_t t = 0; t < 32; t++) {
        const uint32_t levels = t == 31 ? depth : 40 * t;
        cr_assert_eq(read_word(run->device, run->out + 4 * t), levels, "thread %u: %u levels", t,
                     read_word(run->device, run->out + 4 * t));
    }
}

static void end(struct run *run) {
    must(run->device, TANDEM_OK, tandem_channel_close(run->channel));
    tandem_module_unload(run->module);
    close_device(run->device);
}

static void recursion(const char *name) {
    struct run run = begin(name, ",tokens=8192");
    cr_assert_eq(run.info.deque_entries, 8192);
    must(run.device, TANDEM_OK, go(&run, 1250));
    check_levels(&run, 1250);
    end(&run);
}
ON_DEVICES(token_memory, recursion,
           "TD-21 a function that calls itself more than 1,000 times, its threads leaving on the way;")

static void sizes(const char *name) {
    struct run run = begin(name, ",tokens=2048");
    struct tandem_fault fault;
    // Two tokens a level, and one that stands while threads part: too many.
    must(run.device, TANDEM_CHANNEL_FAULT, go(&run, 1250));
    cr_assert(tandem_channel_fault(run.channel, &fault));
    cr_assert_eq(fault.code, FAULT_DEQUE_FULL, "%s", fault.text);
    must(run.device, TANDEM_OK, tandem_channel_reset(run.channel));
    end(&run);
}
ON_DEVICES(token_memory, sizes, "TD-15 TD-21 a queue of the size that was chosen is full: a named fault;")

static void no_memory_needed(const char *name) {
    struct run run = begin(name, ",tokens=8");
    struct tandem_fault fault;
    cr_assert_eq(REG_DEQUE_MEMORY_SIZE_OF(tandem_reg_read(run.device, REG_DEQUE_MEMORY)), 0);
    must(run.device, TANDEM_CHANNEL_FAULT, go(&run, 1250));
    cr_assert(tandem_channel_fault(run.channel, &fault));
    cr_assert_eq(fault.code, FAULT_DEQUE_FULL, "%s", fault.text);
    must(run.device, TANDEM_OK, tandem_channel_reset(run.channel));
    end(&run);
}
ON_DEVICES(token_memory, no_memory_needed, "TD-21 as many tokens as the multiprocessors keep need no memory;")

// Where the queues are: at the end of device memory.
static uint32_t queue_base(struct run *run) {
    return REG_DEQUE_MEMORY_BASE_OF(tandem_reg_read(run->device, REG_DEQUE_MEMORY)) * 4096;
}

static void memory_fails(const char *name) {
    struct run run = begin(name, ",tokens=8192");
    struct tandem_fault fault;
    struct tandem_space_info space;
    struct tandem_channel *other = NULL;
    const uint32_t base = queue_base(&run), bytes = (uint32_t)(run.info.memory_bytes - base);
    tandem_space_get_info(tandem_device_space(run.device), &space);
    cr_assert_leq(space.base + space.bytes, base, "programs can reach the queues");
    for (uint32_t writes_only = 0; writes_only < 2; writes_only++) {
        must(run.device, TANDEM_OK, tandem_set_bus_errors(run.device, base, bytes, writes_only != 0));
        must(run.device, TANDEM_CHANNEL_FAULT, go(&run, 1250));
        cr_assert(tandem_channel_fault(run.channel, &fault));
        cr_assert_eq(fault.code, FAULT_DEQUE_MEMORY, "%s", fault.text);
        cr_assert_lt(fault.info, run.info.warps);
        must(run.device, TANDEM_OK, tandem_set_bus_errors(run.device, 0, 0, false));
        must(run.device, TANDEM_OK, tandem_channel_reset(run.channel));
        must(run.device, TANDEM_OK, tandem_channel_open(run.device, 16, 0, &other));
        must(run.device, TANDEM_OK, tandem_channel_close(other));
        must(run.device, TANDEM_OK, go(&run, 1250));
        check_levels(&run, 1250);
    }
    end(&run);
}
ON_DEVICES(token_memory, memory_fails,
           "TD-21 memory of tokens answers with errors: DEQUE_MEMORY, and nothing else is harmed;")

static void bad_base(const char *name) {
    struct run run = begin(name, ",tokens=8192");
    struct tandem_fault fault;
    const uint32_t right = tandem_reg_read(run.device, REG_DEQUE_MEMORY);
    const uint32_t size = REG_DEQUE_MEMORY_SIZE_OF(right);
    // Where no memory is, and where a part of the queues lies past the end of all addresses.
    const uint32_t bases[] = {0xC0000, 0xFFFFF};
    for (uint32_t i = 0; i < 2; i++) {
        tandem_reg_write(run.device, REG_DEQUE_MEMORY, REG_DEQUE_MEMORY_BASE(bases[i]) | REG_DEQUE_MEMORY_SIZE(size));
        must(run.device, TANDEM_CHANNEL_FAULT, go(&run, 1250));
        cr_assert(tandem_channel_fault(run.channel, &fault));
        cr_assert_eq(fault.code, FAULT_DEQUE_MEMORY, "%s", fault.text);
        must(run.device, TANDEM_OK, tandem_channel_reset(run.channel));
    }
    tandem_reg_write(run.device, REG_DEQUE_MEMORY, right);
    // A size that there is not changes nothing.
    tandem_reg_write(run.device, REG_DEQUE_MEMORY, right | REG_DEQUE_MEMORY_SIZE(15u));
    cr_assert_eq(tandem_reg_read(run.device, REG_DEQUE_MEMORY), right);
    must(run.device, TANDEM_OK, go(&run, 1250));
    check_levels(&run, 1250);
    end(&run);
}
ON_DEVICES(token_memory, bad_base, "TD-21 queues where no memory is: DEQUE_MEMORY;")

// ---- CTAs that step aside with tokens in memory ----

// down: threads 16 to 30 of a warp yield, each at a place of its own; the others call as in `deep`, thread t down to level
// step * t + its CTA, thread 31 to the last one, where it waits for the word. Then all come up again.
// out[]: 1000 for each level, 1 for each place where they meet; 7000 for those that yielded.
static const char down[] =
    ".handler\n"
    ".kernel wide\n.registers 8\n.arg global count\n"
    "    LDC.32 R1, c[0][0x40]\n    MOV R2, 1\n    ATOMG.ADD RZ, [R1], R2\n    EXIT\n"
    ".kernel down\n.registers 16\n.local_bytes 48\n.saves 1\n"
    ".arg global out\n.arg global word\n.arg value depth\n.arg value step\n"
    "    S2R R0, SR_TID_X\n    S2R R1, SR_CTAID_X\n    SHL R2, R1, 5\n    IADD R2, R2, R0\n    SHL R2, R2, 2\n"
    "    LDC.32 R3, c[0][0x40]\n    IADD R3, R3, R2\n    LDC.32 R9, c[0][0x44]\n    LDC.32 R5, c[0][0x48]\n"
    "    MOV R6, 0\n    MOV R8, 0\n    LDC.32 R7, c[0][0x4C]\n    IMAD R7, R7, R0, R1\n    ISETP.EQ P1, R0, 31\n"
    "    @P1 MOV R7, R5\n    ISETP.LT P2, R0, 16\n    @P2 BRA calls\n    @P1 BRA calls\n"
    "    ISUB R4, R0, 16\n    SHL R4, R4, 1\n    JMX R4, places\n"
    "places:\n"
    "    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    "
    "BRA out\n"
    "    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    "
    "BRA out\n"
    "    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    BRA out\n    YIELD\n    "
    "BRA out\n"
    "out:\n    IADD R8, R8, 7000\n    STG.32 [R3], R8\n    EXIT\n"
    "calls:\n    CAL R10, deeper\n    IMUL R6, R6, 1000\n    IADD R6, R6, R8\n    STG.32 [R3], R6\n    EXIT\n"
    "deeper:\n    SSY meet\n    ISETP.GE P0, R6, R7\n    @P0 BRA leave\n    IADD R6, R6, 1\n    CAL R10, deeper\n    "
    "SYNC\n"
    "leave:\n    ISETP.LT P0, R6, R5\n    @P0 BRA up\n"
    "wait:\n    LDG.32 R11, [R9]\n    ISETP.EQ P0, R11, 0\n    @P0 BRA wait\n"
    "up:\n    SYNC\n"
    "meet:\n    IADD R8, R8, 1\n    RET R10\n";

struct aside {
    const char *device, *options;
    uint32_t depth;      // of the calls: two tokens each stand, and up to 33 others
    uint32_t stops;      // tasks of a higher level that want all warps
    bool at_the_bottom;  // they come when all CTAs are there; else at any time
};

// One CTA more than there are warps, each a warp: who comes back takes the place of another one.
static void step_aside(struct aside a) {
    struct run run = begin_with(down, a.device, a.options);
    struct tandem_channel *other = NULL;
    uint64_t random = seed_from_environment();
    const uint32_t warps = run.info.warps * run.info.sms, ctas = warps + 1, step = a.depth / 20;
    const struct tandem_range all = {.dimensions = 1, .global = {32 * ctas}, .local = {32}};
    const struct tandem_range wide = {.dimensions = 1, .global = {32 * warps}, .local = {32}};
    const struct tandem_scheduling high = {9, false};
    const tandem_addr out = new_words(run.device, 32 * ctas), word = new_words(run.device, 2), count = word + 4;
    const struct tandem_argument arguments[] = {{&out, 4}, {&word, 4}, {&a.depth, 4}, {&step, 4}}, counts = {&count, 4};
    fprintf(stderr, "%s: TANDEM_SEED=%llu repeats the stops\n", a.device, (unsigned long long)random);
    must(run.device, TANDEM_OK, tandem_channel_open(run.device, 16, 0, &other));
    for (uint32_t i = 0; i < 32 * ctas; i++)
        write_word(run.device, out + 4 * i, 0xFFFF);
    write_word(run.device, word, !a.at_the_bottom);
    write_word(run.device, count, 0);
    must(run.device, TANDEM_OK, tandem_launch(run.channel, run.module, "down", &all, arguments, 4));
    must(run.device, TANDEM_OK, tandem_submit(run.channel));
    if (a.at_the_bottom) must(run.device, TANDEM_OK, tandem_run(run.device, 400 * a.depth));
    for (uint32_t turn = 1; turn <= a.stops; turn++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        must(run.device, TANDEM_OK, tandem_run(run.device, 500 + (uint32_t)(random >> 33) % (40 * a.depth)));
        must(run.device, TANDEM_OK, tandem_launch_scheduled(other, run.module, "wide", &wide, &high, &counts, 1));
        must(run.device, TANDEM_OK, tandem_finish(other, DEADLINE));
        cr_assert_eq(read_word(run.device, count), 32 * warps * turn);
        // Nobody has come up: they were all in the middle of their calls, and have left.
        for (uint32_t c = 0; c < ctas && a.at_the_bottom; c++)
            cr_assert_eq(read_word(run.device, out + 4 * (32 * c + 31)), 0xFFFF, "CTA %u", c);
    }
    write_word(run.device, word, 1);
    must(run.device, TANDEM_OK, tandem_finish(run.channel, DEADLINE));
    for (uint32_t c = 0; c < ctas; c++) {
        for (uint32_t t = 0; t < 32; t++) {
            const uint32_t levels = t == 31 ? a.depth : step * t + c,
                           value = read_word(run.device, out + 4 * (32 * c + t));
            cr_assert_eq(value, t >= 16 && t < 31 ? 7000 : levels * 1000 + levels + 1, "CTA %u, thread %u: %u", c, t,
                         value);
        }
    }
    must(run.device, TANDEM_OK, tandem_channel_close(other));
    end(&run);
}

#define LEAVE "TU-12 TD-21 CTAs leave with tokens in memory, and come back with all of them;"
Test(token_memory, leave_model, .description = LEAVE " [model]") {
    step_aside((struct aside){"model:small", "", 100, 3, true});
}
Test(token_memory, leave_wide, .description = LEAVE " [model]") {
    step_aside((struct aside){"model:full", ",tokens=2048", 900, 2, true});
}
Test(token_memory, leave_tandem, .description = LEAVE " [tandem]") {
    step_aside((struct aside){"tandem:nano", "", 100, 2, true});
}
Test(token_memory, leave_small, .description = LEAVE " [tandem]") {
    step_aside((struct aside){"tandem:small", ",tokens=128", 40, 2, true});
}

// As many tokens as a queue takes: one level more, and it is full.
static uint32_t deepest(const char *device, const char *options) {
    struct run run = begin_with(down, device, options);
    const struct tandem_range one = {.dimensions = 1, .global = {32}, .local = {32}};
    const tandem_addr out = new_words(run.device, 32), word = new_words(run.device, 1);
    enum tandem_status status = TANDEM_OK;
    struct tandem_fault fault;
    uint32_t depth = 40;
    write_word(run.device, word, 1);
    for (; status == TANDEM_OK; depth++) {
        const uint32_t step = depth / 20;
        const struct tandem_argument arguments[] = {{&out, 4}, {&word, 4}, {&depth, 4}, {&step, 4}};
        must(run.device, TANDEM_OK, tandem_launch(run.channel, run.module, "down", &one, arguments, 4));
        status = tandem_finish(run.channel, DEADLINE);
    }
    cr_assert(tandem_channel_fault(run.channel, &fault));
    cr_assert_eq(fault.code, FAULT_DEQUE_FULL, "%s", fault.text);
    must(run.device, TANDEM_OK, tandem_channel_reset(run.channel));
    end(&run);
    return depth - 2;
}

#define LEAVE_BRIM "TU-12 TD-15 TD-21 CTAs leave with queues that are full to the last token, and come back;"
Test(token_memory, leave_full_model, .description = LEAVE_BRIM " [model]") {
    const uint32_t depth = deepest("model:small", ",tokens=128");
    cr_assert_geq(depth, 40);
    step_aside((struct aside){"model:small", ",tokens=128", depth, 2, true});
}
Test(token_memory, leave_full_tandem, .description = LEAVE_BRIM " [tandem]") {
    step_aside((struct aside){"tandem:nano", ",tokens=128", deepest("model:nano", ",tokens=128"), 2, true});
}

#define LEAVE_ANYWHERE "TU-12 TU-14 TD-21 CTAs leave in the middle of their calls, at random times;"
Test(token_memory, leave_anywhere_model, .description = LEAVE_ANYWHERE " [model]") {
    step_aside((struct aside){"model:small", ",tokens=512", 200, 30, false});
}
Test(token_memory, leave_anywhere_tandem, .description = LEAVE_ANYWHERE " [tandem]") {
    step_aside((struct aside){"tandem:nano", "", 100, 4, false});
}
Test(token_memory, leave_anywhere_small, .description = LEAVE_ANYWHERE " [tandem]") {
    step_aside((struct aside){"tandem:small", ",tokens=128", 40, 4, false});
}
