// Token deques that stand at a bound, on every kind of device: the driver moves the tokens while other warps go on; a
// deque that is really full, and one that nobody serves, fault. The generator of YIELD.RANDOM.
#include <stdio.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 8000000u

// CTA 0 calls itself `depth` times; the other CTAs count to 500. out[CTA] is the count.
static const char deep[] =
    ".kernel deep\n"
    ".registers 12\n"
    ".arg global out\n"
    ".arg value depth\n"
    "    S2R R0, SR_CTAID_X\n"
    "    LDC.32 R3, c[0][0x40]\n"
    "    LDC.32 R5, c[0][0x44]\n"
    "    SHL R4, R0, 2\n"
    "    IADD R3, R3, R4\n"
    "    MOV R6, 0\n"
    "    ISETP.NE P0, R0, 0\n"
    "    @P0 BRA count\n"
    "    CAL R10, deeper\n"
    "    BRA store\n"
    "count:\n"
    "    IADD R6, R6, 1\n"
    "    ISETP.LT P0, R6, 500\n"
    "    @P0 BRA count\n"
    "store:\n"
    "    STG.32 [R3], R6\n"
    "    EXIT\n"
    "deeper:\n"
    "    ISETP.EQ P0, R5, 0\n"
    "    @P0 RET R10\n"
    "    ISUB R5, R5, 1\n"
    "    CAL R10, deeper\n"
    "    IADD R6, R6, 1\n"
    "    RET R10\n";

// Even threads count how often they go round until odd ones, which wait in the deque for the first YIELD that fires,
// have set the flag.
static const char rounds[] =
    ".kernel rounds\n"
    ".registers 12\n"
    ".arg global out\n"
    "    S2R R0, SR_TID_X\n"
    "    LDC.32 R3, c[0][0x40]\n"
    "    MOV R6, 0\n"
    "    AND R7, R0, 1\n"
    "    ISETP.NE P0, R7, 0\n"
    "    @P0 BRA set\n"
    "round:\n"
    "    YIELD.RANDOM 4096\n"
    "    IADD R6, R6, 1\n"
    "    LDG.32 R8, [R3]\n"
    "    ISETP.EQ P1, R8, 0\n"
    "    @P1 BRA round\n"
    "    STG.32 [R3 + 4], R6\n"
    "    EXIT\n"
    "set:\n"
    "    MOV R8, 1\n"
    "    STG.32 [R3], R8\n"
    "    EXIT\n";

static enum tandem_status run_deep(struct tandem_device *device, struct tandem_channel *channel,
                                   struct tandem_module *module, tandem_addr out, uint32_t depth) {
    const struct tandem_range range = {.dimensions = 1, .global = {3 * 32}, .local = {32}};
    const struct tandem_argument arguments[] = {{&out, 4}, {&depth, 4}};
    for (uint32_t i = 0; i < 3; i++)
        write_word(device, out + 4 * i, 0xFFFF);
    must(device, TANDEM_OK, tandem_launch(channel, module, "deep", &range, arguments, 2));
    return tandem_finish(channel, DEADLINE);
}

static void bounds(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, deep);
    struct tandem_channel *channel = NULL, *other = NULL;
    struct tandem_info info;
    struct tandem_fault fault;
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &other));
    const tandem_addr out = new_words(device, 3);
    // One token each level; the last entry is used too.
    const uint32_t depths[] = {1, info.deque_entries / 2, info.deque_entries / 2 + 1, info.deque_entries - 1};
    for (uint32_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        must(device, TANDEM_OK, run_deep(device, channel, module, out, depths[i]));
        cr_assert_eq(read_word(device, out), depths[i], "depth %u: %u", depths[i], read_word(device, out));
        cr_assert_eq(read_word(device, out + 4), 500);
        cr_assert_eq(read_word(device, out + 8), 500);
    }
    cr_assert_eq(tandem_reg_read(device, REG_DEQUE_HELD), 0);
    // Really full.
    cr_assert_eq(run_deep(device, channel, module, out, info.deque_entries), TANDEM_CHANNEL_FAULT);
    cr_assert(tandem_channel_fault(channel, &fault));
    cr_assert_eq(fault.code, FAULT_DEQUE_FULL, "%s", fault.text);
    must(device, TANDEM_OK, run_deep(device, other, module, out, 5));
    cr_assert_eq(read_word(device, out), 5, "another channel is harmed");
    must(device, TANDEM_OK, tandem_channel_reset(channel));
    must(device, TANDEM_OK, run_deep(device, channel, module, out, info.deque_entries - 1));
    cr_assert_eq(read_word(device, out), info.deque_entries - 1);
    must(device, TANDEM_OK, tandem_channel_close(other));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(deques, bounds,
           "TD-1 TD-15 calls as deep as the deque has entries; one more: DEQUE_FULL, nothing else harmed;")

static void nobody_serves(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, deep);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    struct tandem_fault fault;
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const tandem_addr out = new_words(device, 3);
    cr_assert_eq(tandem_reg_read(device, REG_DEQUE_CONTROL), 1, "the driver serves");
    tandem_reg_write(device, REG_DEQUE_CONTROL, 0);
    must(device, TANDEM_OK, run_deep(device, channel, module, out, info.deque_entries / 2 - 1));
    cr_assert_eq(run_deep(device, channel, module, out, info.deque_entries / 2), TANDEM_CHANNEL_FAULT);
    cr_assert(tandem_channel_fault(channel, &fault));
    cr_assert_eq(fault.code, FAULT_DEQUE_FULL, "%s", fault.text);
    // Without a held warp the registers of the deque show nothing and do nothing.
    tandem_reg_write(device, REG_DEQUE_MOVE, 32);
    tandem_reg_write(device, REG_DEQUE_RESUME, 1);
    cr_assert_eq(tandem_reg_read(device, REG_DEQUE_ENDS), 0);
    cr_assert_eq(tandem_reg_read(device, REG_DEQUE_KEPT), 0);
    must(device, TANDEM_OK, tandem_channel_reset(channel));
    tandem_reg_write(device, REG_DEQUE_CONTROL, 1);
    must(device, TANDEM_OK, run_deep(device, channel, module, out, info.deque_entries / 2));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(deques, nobody_serves, "TD-15 a bound that no software serves: DEQUE_FULL at once, nothing hangs;")

// The number of the first YIELD.RANDOM 4096 that fires, as the manual says it.
static uint32_t first_fire(uint32_t x) {
    for (uint32_t n = 1;; n++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        if (x >> 16 < 4096) return n;
    }
}

static void generator(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, rounds);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const tandem_addr out = new_words(device, 2);
    const uint32_t seeds[] = {REG_YIELD_SEED_RESET, 1, 0x80000001, 77777, 77777};
    uint32_t most = 0;
    cr_assert_eq(tandem_reg_read(device, REG_YIELD_SEED), REG_YIELD_SEED_RESET);
    for (uint32_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
        const struct tandem_argument argument = {&out, 4};
        write_word(device, out, 0);
        tandem_reg_write(device, REG_YIELD_SEED, seeds[i]);
        must(device, TANDEM_OK, tandem_launch(channel, module, "rounds", &range, &argument, 1));
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        cr_assert_eq(read_word(device, out + 4), first_fire(seeds[i]), "seed %u: %u rounds, not %u", seeds[i],
                     read_word(device, out + 4), first_fire(seeds[i]));
        if (first_fire(seeds[i]) > most) most = first_fire(seeds[i]);
    }
    cr_assert_gt(most, 3, "the seeds all fire at once");
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(deques, generator, "TD-13 the generator of YIELD.RANDOM starts with the seed and is the same everywhere;")
