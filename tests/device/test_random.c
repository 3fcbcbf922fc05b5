// A few random programs in tandem (build/random-programs does many): model and RTL must agree in every event.
// TANDEM_SEED=N repeats a run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "random_program.h"

#define DEADLINE 3000000u

// One program on a device of its own. What it leaves in memory: into `memory` (RANDOM_PROGRAM_BUFFER bytes).
static void run_one(const char *config, uint64_t seed, uint32_t *memory) {
    char name[96];
    struct random_program program;
    struct tandem_info info;
    struct tandem_channel *channel;
    struct tandem_fault fault;
    snprintf(name, sizeof name, "%s,seed=%llu", config, (unsigned long long)(seed % 1000000));
    struct tandem_device *device = open_device(name);
    tandem_get_info(device, &info);
    random_program_make(seed, info.threads * 2, &program);
    struct tandem_module *module = load_assembly(device, program.text);
    const tandem_addr data = new_words(device, RANDOM_PROGRAM_BUFFER / 4);
    for (uint32_t i = 0; i < RANDOM_PROGRAM_BUFFER / 4; i++)
        memory[i] = i * 0x9E3779B9u + (uint32_t)seed;
    must(device, TANDEM_OK, tandem_write(device, data, memory, RANDOM_PROGRAM_BUFFER));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    tandem_reg_write(device, REG_WARP_POLICY, seed & 1u);  // seeds take turns
    tandem_reg_write(device, REG_SIGNATURE_KINDS, 0x3F);   // all, of everybody
    tandem_reg_write(device, REG_SIGNATURE_LIMIT, UINT32_MAX);
    const struct tandem_range range = {.dimensions = 1, .global = {program.grid * program.cta}, .local = {program.cta}};
    const struct tandem_argument argument = {&data, sizeof data};
    must(device, TANDEM_OK, tandem_launch(channel, module, "random", &range, &argument, 1));
    const enum tandem_status status = tandem_finish(channel, DEADLINE);
    cr_assert(status == TANDEM_OK || (status == TANDEM_CHANNEL_FAULT && tandem_channel_fault(channel, &fault)),
              "TANDEM_SEED=%llu on %s: %s: %s", (unsigned long long)seed, name, tandem_status_name(status),
              tandem_message(device));
    must(device, TANDEM_OK, tandem_read(device, data, memory, RANDOM_PROGRAM_BUFFER));
    // In tandem both must show the same.
    for (uint32_t sm = 0; sm < info.sms; sm++) {
        tandem_reg_write(device, REG_WARP_SELECT, REG_WARP_SELECT_SM(sm));
        (void)tandem_reg_read(device, REG_SIGNATURE);
        (void)tandem_reg_read(device, REG_SIGNATURE_LIMIT);
    }
    free(program.text);
    tandem_module_unload(module);
    if (status == TANDEM_CHANNEL_FAULT) must(device, TANDEM_OK, tandem_channel_reset(channel));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}

static void run_many(const char *config, unsigned count) {
    uint32_t memory[RANDOM_PROGRAM_BUFFER / 4];
    const uint64_t seed = seed_from_environment();
    fprintf(stderr, "%s: %u random programs, TANDEM_SEED=%llu repeats them\n", config, count, (unsigned long long)seed);
    for (unsigned i = 0; i < count; i++)
        run_one(config, seed + i, memory);
}

Test(random, tandem_nano, .description = "TD-5 TD-7 TD-8 TD-9 TD-11 TD-18 SP-2 BU-6 random programs [tandem]") {
    run_many("tandem:nano", 10);
}
Test(random, tandem_small, .description = "TD-5 TD-7 TD-8 TD-9 TD-11 TD-18 SP-2 BU-6 random programs [tandem]") {
    run_many("tandem:small", 10);
}
Test(random, tandem_full, .description = "TD-3 TD-5 TD-7 TD-8 TD-9 TD-11 TD-18 SP-2 BU-6 random programs [tandem]") {
    run_many("tandem:full", 5);
}

// The model alone: the same program and the same seed give the same memory, whatever order its threads race in.
Test(random, model_repeats, .description = "the same seed gives the same run [model]") {
    uint32_t first[RANDOM_PROGRAM_BUFFER / 4], second[RANDOM_PROGRAM_BUFFER / 4];
    const uint64_t seed = seed_from_environment();
    for (unsigned i = 0; i < 100; i++) {
        run_one("model:small", seed + i, first);
        run_one("model:small", seed + i, second);
        cr_assert_eq(memcmp(first, second, sizeof first), 0, "TANDEM_SEED=%llu", (unsigned long long)(seed + i));
    }
}
