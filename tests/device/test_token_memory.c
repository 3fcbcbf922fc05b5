// Token queues that are longer than what a multiprocessor keeps, on every kind of device: deep nesting, tokens that go to
// memory and come back, queues of the size that the device's name asks for, memory that fails or is not there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct run begin(const char *name, const char *options) {
    struct run run;
    char full[128];
    snprintf(full, sizeof full, "%s%s,mem=16", name, options);
    run.device = open_device(full);
    run.module = load_assembly(run.device, deep);
    tandem_get_info(run.device, &run.info);
    must(run.device, TANDEM_OK, tandem_channel_open(run.device, 16, 0, &run.channel));
    run.out = new_words(run.device, 64);
    return run;
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
    cr_assert_eq(go(&run, 1250), TANDEM_CHANNEL_FAULT);
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
    cr_assert_eq(go(&run, 1250), TANDEM_CHANNEL_FAULT);
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
        cr_assert_eq(go(&run, 1250), TANDEM_CHANNEL_FAULT);
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
        cr_assert_eq(go(&run, 1250), TANDEM_CHANNEL_FAULT);
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
