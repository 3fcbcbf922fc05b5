// Random programs with traps: a handler stores all that a warp is, ruins it and brings it back, at any place of a
// program. TANDEM_SEED=N repeats a run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "random_program.h"

#define DEADLINE 60000000u

enum kind { PLAIN, TRAPPED, TRAPPED_RACY };

// What it leaves in memory (RANDOM_PROGRAM_BUFFER bytes), adds up its instructions.
static void run_one(const char *config, uint64_t seed, enum kind kind, uint32_t *memory, uint64_t *instructions) {
    char name[96];
    struct random_program program;
    struct tandem_info info;
    struct tandem_statistics statistics;
    struct tandem_channel *channel;
    struct tandem_fault fault;
    snprintf(name, sizeof name, "%s,mem=16,seed=%llu", config, (unsigned long long)(seed % 1000000));
    struct tandem_device *device = open_device(name);
    tandem_get_info(device, &info);
    if (kind == PLAIN) {
        random_program_make_free(seed, info.threads * 2, &program);
    } else {
        random_program_make_trapped(seed, info.threads * 2, kind == TRAPPED, &program);
    }
    struct tandem_module *module = load_assembly(device, program.text);
    const tandem_addr data = new_words(device, RANDOM_PROGRAM_BUFFER / 4);
    for (uint32_t i = 0; i < RANDOM_PROGRAM_BUFFER / 4; i++)
        memory[i] = i * 0x9E3779B9u + (uint32_t)seed;
    must(device, TANDEM_OK, tandem_write(device, data, memory, RANDOM_PROGRAM_BUFFER));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    tandem_reg_write(device, REG_WARP_POLICY, seed & 1u);
    const struct tandem_range range = {.dimensions = 1, .global = {program.grid * program.cta}, .local = {program.cta}};
    const struct tandem_argument argument = {&data, sizeof data};
    must(device, TANDEM_OK, tandem_launch(channel, module, "random", &range, &argument, 1));
    const enum tandem_status status = tandem_finish(channel, DEADLINE);
    const bool faulted = status == TANDEM_CHANNEL_FAULT && tandem_channel_fault(channel, &fault);
    cr_assert(status == TANDEM_OK || (faulted && kind == TRAPPED_RACY), "TANDEM_SEED=%llu on %s: %s: %s",
              (unsigned long long)seed, name, tandem_status_name(status), tandem_message(device));
    must(device, TANDEM_OK, tandem_read(device, data, memory, RANDOM_PROGRAM_BUFFER));
    tandem_get_statistics(device, &statistics);
    *instructions += statistics.warp_instructions;
    free(program.text);
    tandem_module_unload(module);
    if (faulted) must(device, TANDEM_OK, tandem_channel_reset(channel));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}

// Until `count` programs have trapped: one in forty never comes to a TRAP.
static void with_and_without(const char *config, unsigned count) {
    uint32_t plain[RANDOM_PROGRAM_BUFFER / 4], trapped[RANDOM_PROGRAM_BUFFER / 4];
    const uint64_t seed = seed_from_environment();
    unsigned have_trapped = 0;
    count = laps_from_environment(count);
    const unsigned limit = 2 * count + 10;
    fprintf(stderr, "%s: %u random programs with and without traps, TANDEM_SEED=%llu repeats them\n", config, count,
            (unsigned long long)seed);
    for (unsigned i = 0; have_trapped < count; i++) {
        uint64_t of_plain = 0, of_trapped = 0, of_racy = 0;
        cr_assert_lt(i, limit, "hardly a trap: %u of %u programs", have_trapped, limit);
        run_one(config, seed + i, PLAIN, plain, &of_plain);
        run_one(config, seed + i, TRAPPED, trapped, &of_trapped);
        for (uint32_t w = 0; w < RANDOM_PROGRAM_BUFFER / 4; w++)
            cr_assert_eq(plain[w], trapped[w], "TANDEM_SEED=%llu on %s: word %u is 0x%x without traps, 0x%x with",
                         (unsigned long long)(seed + i), config, w, plain[w], trapped[w]);
        run_one(config, seed + i, TRAPPED_RACY, trapped, &of_racy);
        if (of_trapped > of_plain) have_trapped++;
    }
}

#define SHOWS \
    "TU-12 random programs compute the same when traps store all that a warp is in memory, ruin it and bring it back"
Test(traps, random_model, .description = SHOWS " [model]") {
    with_and_without("model:small", 60);
}
Test(traps, random_wide, .description = SHOWS " [model]") {
    with_and_without("model:full", 30);
}
Test(traps, random_nano, .description = SHOWS " [tandem]") {
    with_and_without("tandem:nano", 1);
}
Test(traps, random_small, .description = SHOWS " [tandem]") {
    with_and_without("tandem:small", 1);
}
Test(traps, random_full, .description = SHOWS " [tandem]") {
    with_and_without("tandem:full", 1);
}

// Warps that wait for the units in their turn, and then for the end of a trap, whose warp needs the units.
Test(traps, turns, .description = "TU-12 a warp in a trap goes on though it is the turn of others [tandem]") {
    uint32_t memory[RANDOM_PROGRAM_BUFFER / 4];
    uint64_t instructions = 0;
    run_one("tandem:full", UINT64_C(1795535889612250), TRAPPED, memory, &instructions);
    run_one("tandem:full", UINT64_C(1795535889612250), TRAPPED_RACY, memory, &instructions);
}

// A warp that faults in a trap leaves it: the next program's traps work. Four warps want a trap at once.
#define TRAPS(body)                                                                                            \
    ".kernel k\n.arg global out\nS2R R0, SR_TID_X\nSHL R1, R0, 2\nLDC.32 R2, c[0][64]\nIADD R1, R1, R2\nTRAP " \
    "handler\n"                                                                                                \
    "STG.32 [R1], R3\nEXIT\nhandler: IADD R3, R0, 7\n" body "TRET\n"

static void again(const char *config) {
    struct tandem_channel *channel;
    struct tandem_fault fault;
    struct tandem_info info;
    struct tandem_device *device = open_device(config);
    tandem_get_info(device, &info);
    const uint32_t size = info.threads * (info.warps < 4 ? info.warps : 4);
    const tandem_addr out = new_words(device, size);
    const struct tandem_range range = {.dimensions = 1, .global = {size}, .local = {size}};
    const struct tandem_argument argument = {&out, sizeof out};
    struct tandem_module *bad = load_assembly(device, TRAPS("STG.32 [-4], R3\n"));
    struct tandem_module *good = load_assembly(device, TRAPS(""));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    for (unsigned turn = 0; turn < 3; turn++) {
        must(device, TANDEM_OK, tandem_launch(channel, bad, "k", &range, &argument, 1));
        must(device, TANDEM_CHANNEL_FAULT, tandem_finish(channel, DEADLINE));
        cr_assert(tandem_channel_fault(channel, &fault));
        cr_assert_eq(fault.code, FAULT_MEMORY_BOUNDS);
        must(device, TANDEM_OK, tandem_channel_reset(channel));
        must(device, TANDEM_OK, tandem_launch(channel, good, "k", &range, &argument, 1));
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        for (uint32_t i = 0; i < size; i++) {
            cr_assert_eq(read_word(device, out + 4 * i), i + 7);
            write_word(device, out + 4 * i, 0);
        }
    }
    tandem_module_unload(bad);
    tandem_module_unload(good);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(traps, again, "TU-12 a warp that is stopped in a trap leaves it; warps wait for each other's traps")
