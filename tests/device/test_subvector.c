// The two orders of sub-vector sequences: who chooses, and that race-free programs cannot tell them apart.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "random_program.h"

#define DEADLINE 3000000u

enum order { BY_PROGRAM = 0, FIRST = 1, SECOND = 2 };

// Two tickets a thread: in the first order all threads of the warp draw their first before any draws the second.
static const char tickets[] =
    ".kernel always\n.arg global out\nLDC.32 R7, c[0][64]\nS2R R1, SR_LANEID\nMOV R8, 1\n"
    "SVSTART after\nATOMG.ADD R10, [R7 + 0], R8\nATOMG.ADD R11, [R7 + 0], R8\nSVEND\nafter:\n"
    "ISUB R10, R11, R10\nSHL R1, R1, 2\nIADD R7, R7, R1\nSTG.32 [R7 + 4], R10\nEXIT\n"
    ".kernel auto\n.arg global out\nLDC.32 R7, c[0][64]\nS2R R1, SR_LANEID\nMOV R8, 1\n"
    "SVSTART.AUTO then\nATOMG.ADD R10, [R7 + 0], R8\nATOMG.ADD R11, [R7 + 0], R8\nSVEND\nthen:\n"
    "ISUB R10, R11, R10\nSHL R1, R1, 2\nIADD R7, R7, R1\nSTG.32 [R7 + 4], R10\nEXIT\n";

// How many tickets lay between a thread's two: threads of a portion in the second order, of the warp in the first.
static uint32_t distance(struct tandem_device *device, struct tandem_channel *channel, struct tandem_module *module,
                         const char *kernel, uint32_t threads) {
    const tandem_addr out = new_words(device, threads + 1);
    write_word(device, out, 0);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_argument argument = {&out, sizeof out};
    must(device, TANDEM_OK, tandem_launch(channel, module, kernel, &range, &argument, 1));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    const uint32_t first = read_word(device, out + 4);
    for (uint32_t t = 0; t < threads; t++)
        cr_expect_eq(read_word(device, out + 4 + 4 * t), first, "thread %u", t);
    return first;
}

static void setting(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel;
    struct tandem_info info;
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    struct tandem_module *module = load_assembly(device, tickets);
    const uint32_t t = info.threads, l = info.lanes;
    cr_assert_eq(tandem_reg_read(device, REG_SV_ORDER), 0);
    cr_assert_eq(tandem_reg_read(device, REG_SV_THRESHOLD), REG_SV_THRESHOLD_RESET);
    cr_expect_eq(distance(device, channel, module, "always", t), l);
    tandem_reg_write(device, REG_SV_ORDER, FIRST);
    cr_expect_eq(tandem_reg_read(device, REG_SV_ORDER), FIRST);
    cr_expect_eq(distance(device, channel, module, "always", t), t, "forced into the first order");
    cr_expect_eq(distance(device, channel, module, "auto", t), t);
    tandem_reg_write(device, REG_SV_ORDER, SECOND);
    tandem_reg_write(device, REG_SV_THRESHOLD, 0xFFFFFFFF);
    cr_expect_eq(tandem_reg_read(device, REG_SV_THRESHOLD), 0x1FFFF);
    cr_expect_eq(distance(device, channel, module, "auto", t), l, "forced into the second order");
    tandem_reg_write(device, REG_SV_ORDER, BY_PROGRAM);
    cr_expect_eq(distance(device, channel, module, "auto", t), t, "no rate is that high");
    tandem_reg_write(device, REG_SV_THRESHOLD, 0);
    cr_expect_eq(distance(device, channel, module, "auto", t), l, "every rate is that high");
    tandem_module_unload(module);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(subvector, setting,
           "SV-3 the order by SVSTART, by a threshold of 0 and beyond all rates, by the setting SV_ORDER")

// ---- both orders, the same memory ----
static void run_program(const char *name, uint64_t seed, enum order order, uint32_t *memory, uint64_t *instructions) {
    struct random_program program;
    struct tandem_info info;
    struct tandem_statistics statistics;
    struct tandem_channel *channel;
    struct tandem_device *device = open_device(name);
    tandem_get_info(device, &info);
    tandem_reg_write(device, REG_SV_ORDER, order);
    random_program_make_free(seed, info.threads * 2, &program);
    struct tandem_module *module = load_assembly(device, program.text);
    const tandem_addr data = new_words(device, RANDOM_PROGRAM_BUFFER / 4);
    for (uint32_t i = 0; i < RANDOM_PROGRAM_BUFFER / 4; i++)
        memory[i] = i * 0x9E3779B9u + (uint32_t)seed;
    must(device, TANDEM_OK, tandem_write(device, data, memory, RANDOM_PROGRAM_BUFFER));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const struct tandem_range range = {.dimensions = 1, .global = {program.grid * program.cta}, .local = {program.cta}};
    const struct tandem_argument argument = {&data, sizeof data};
    must(device, TANDEM_OK, tandem_launch(channel, module, "random", &range, &argument, 1));
    const enum tandem_status status = tandem_finish(channel, DEADLINE);
    cr_assert_eq(status, TANDEM_OK, "TANDEM_SEED=%llu on %s, order %u: %s: %s", (unsigned long long)seed, name,
                 (unsigned)order, tandem_status_name(status), tandem_message(device));
    must(device, TANDEM_OK, tandem_read(device, data, memory, RANDOM_PROGRAM_BUFFER));
    tandem_get_statistics(device, &statistics);
    *instructions += statistics.warp_instructions;
    free(program.text);
    tandem_module_unload(module);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}

static void both_orders(const char *name, unsigned count) {
    uint32_t first[RANDOM_PROGRAM_BUFFER / 4], second[RANDOM_PROGRAM_BUFFER / 4];
    uint64_t in_first = 0, in_second = 0;
    const uint64_t seed = seed_from_environment();
    fprintf(stderr, "%s: %u race-free programs in both orders, TANDEM_SEED=%llu repeats them\n", name, count,
            (unsigned long long)seed);
    for (unsigned i = 0; i < count; i++) {
        run_program(name, seed + i, FIRST, first, &in_first);
        run_program(name, seed + i, SECOND, second, &in_second);
        for (uint32_t w = 0; w < RANDOM_PROGRAM_BUFFER / 4; w++) {
            cr_assert_eq(first[w], second[w],
                         "TANDEM_SEED=%llu on %s: word %u is 0x%x in the first order, 0x%x in the second",
                         (unsigned long long)(seed + i), name, w, first[w], second[w]);
        }
    }
    cr_assert_gt(in_second, in_first, "portions in turn take more instructions: %llu, %llu",
                 (unsigned long long)in_second, (unsigned long long)in_first);
}

#define SHOWS "SV-1 SV-2 SV-9 race-free random programs leave the same memory in both orders"
Test(subvector, both_model, .description = SHOWS " [model]") {
    both_orders("model:small", 60);
}
Test(subvector, both_nano, .description = SHOWS " [tandem]") {
    both_orders("tandem:nano", 15);
}
Test(subvector, both_small, .description = SHOWS " [tandem]") {
    both_orders("tandem:small", 15);
}
Test(subvector, both_full, .description = SHOWS " [tandem]") {
    both_orders("tandem:full", 8);
}

// ---- shared rows ----
// A kernel that holds as many registers as a warp of four fifths of the register file's share may have, in sequences,
// for long enough that all that fit are resident at once; returns the most warps that were.
static uint32_t resident(struct tandem_device *device, const struct tandem_info *info, uint32_t registers,
                         uint32_t shared, uint64_t *cycles) {
    char text[1024];
    struct tandem_channel *channel;
    struct tandem_statistics before, after;
    snprintf(
        text, sizeof text,
        ".kernel busy\n.arg global out\n.registers %u\n.shared_rows %u\nLDC.32 R0, c[0][64]\nS2R R1, SR_TID_X\n"
        "S2R R2, SR_CTAID_X\nS2R R3, SR_NTID_X\nIMAD R1, R2, R3, R1\nSHL R2, R1, 2\nIADD R0, R0, R2\nMOV R3, 0\n"
        "again: SVSTART after\nIADD R%u, R1, R3\nIMUL R%u, R%u, 3\nSTG.32 [R0], R%u\nSVEND\nafter:\nIADD R3, R3, 1\n"
        "ISETP.LT P0, R3, 60\n@P0 BRA again\nEXIT\n",
        registers, shared, registers - 1, registers - 2, registers - 1, registers - 2);
    const uint32_t threads = 3 * info->warps * info->threads;
    struct tandem_module *module = load_assembly(device, text);
    const tandem_addr out = new_words(device, threads);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    tandem_reg_write(device, REG_WARPS_RESIDENT, 0);
    tandem_get_statistics(device, &before);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {info->threads}};
    const struct tandem_argument argument = {&out, sizeof out};
    must(device, TANDEM_OK, tandem_launch(channel, module, "busy", &range, &argument, 1));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    tandem_get_statistics(device, &after);
    *cycles = after.cycles - before.cycles;
    for (uint32_t t = 0; t < threads; t++)
        cr_expect_eq(read_word(device, out + 4 * t), 3 * (t + 59), "thread %u", t);
    const uint32_t peak = tandem_reg_read(device, REG_WARPS_RESIDENT);
    cr_expect_eq(peak & 0xFFFF, 0, "nothing is resident now");
    tandem_module_unload(module);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    return peak >> 16;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void more_warps(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_info info;
    tandem_get_info(device, &info);
    const uint32_t portions = info.threads / info.lanes, file = info.vgpr_rows / portions;
    const uint32_t registers = file * 5 / 4 / info.warps, shared = registers / 2;
    const uint32_t units = registers - shared + (shared + portions - 1) / portions;
    uint64_t cycles, shared_cycles;
    const uint32_t without = resident(device, &info, registers, 0, &cycles);
    const uint32_t with = resident(device, &info, registers, shared, &shared_cycles);
    fprintf(stderr, "%s: %u registers: %u warps resident, %llu cycles; %u of them shared: %u warps, %llu cycles\n",
            name, registers, without, (unsigned long long)cycles, shared, with, (unsigned long long)shared_cycles);
    cr_expect_eq(without, info.sms * least(info.warps, file / registers));
    cr_expect_eq(with, info.sms * least(info.warps, file / units));
    cr_expect_gt(with, without);
    close_device(device);
}
ON_DEVICES(subvector, more_warps, "SV-5 SV-4 with shared rows more warps are resident")
