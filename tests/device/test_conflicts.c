// The counters of bank conflicts: what known accesses to shared memory cost, on every kind of device; in tandem the
// reads are also compared with the model's count.
#include <stdio.h>

#include "gen/config.h"
#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 3000000u

// Every thread executes `what` once, with its index times `stride` in R1 (bytes), for `rounds` rounds.
static void run(struct tandem_device *device, struct tandem_channel *channel, const char *what, uint32_t stride,
                uint32_t rounds, uint32_t threads, bool finish) {
    char text[1024];
    snprintf(text, sizeof text,
             ".kernel main\n.registers 16\n.shared_bytes %u\n    S2R R0, SR_TID_X\n    IMUL R1, R0, %u\n    MOV R2, "
             "%u\nround:\n    %s\n    ISUB R2, R2, 1\n    ISETP.NE P0, R2, 0\n    @P0 BRA round\n    EXIT\n",
             stride * threads + 64, stride, rounds, what);
    struct tandem_module *module = load_assembly(device, text);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    must(device, TANDEM_OK, tandem_launch(channel, module, "main", &range, NULL, 0));
    if (finish) {
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        tandem_module_unload(module);
        return;
    }
    // While the task runs the counters move; in tandem they are not compared then.
    must(device, TANDEM_OK, tandem_submit(channel));
    uint32_t last = tandem_reg_read(device, REG_SHARED_CONFLICTS);
    for (unsigned k = 0; k < 20; k++) {
        must(device, TANDEM_OK, tandem_run(device, 100));
        const uint32_t now = tandem_reg_read(device, REG_SHARED_CONFLICTS);
        cr_assert_geq(now, last);
        last = now;
    }
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    tandem_module_unload(module);
}

static void sum(struct tandem_device *device, uint32_t *passes, uint32_t *conflicts) {
    struct tandem_info info;
    tandem_get_info(device, &info);
    *passes = *conflicts = 0;
    for (uint32_t sm = 0; sm < info.sms; sm++) {
        tandem_reg_write(device, REG_WARP_SELECT, sm << 8);
        *passes += tandem_reg_read(device, REG_SHARED_PASSES);
        *conflicts += tandem_reg_read(device, REG_SHARED_CONFLICTS);
    }
    tandem_reg_write(device, REG_WARP_SELECT, 0);
}

static void counters(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const uint32_t lanes = info.lanes, threads = info.threads, portions = threads / lanes;
    // Words that lie side by side are served together, so many beats a portion.
    const uint32_t side = ppu_config_find(info.config)->shared_words, beats = 4 / side, beats64 = side == 1 ? 2 : 1;
    const struct {
        const char *what;
        uint32_t stride, rounds, passes, conflicts;  // for each portion and round
    } cases[] = {
        {"LDS.32 R4, [R1]", 4, 1, 1, 0},                      // neighbouring words
        {"LDS.32 R4, [R1]", 0, 1, 1, 0},                      // all threads the same word
        {"LDS.32 R4, [R1]", 8, 3, 2, 1},                      // every second bank
        {"STS.32 [R1], R0", 16, 1, 4, 3},                     // every fourth
        {"STS.32 [R1], R0", 4 * lanes, 1, lanes, lanes - 1},  // one bank
        {"LDS.U8 R4, [R1]", 1, 2, 1, 0},                      // bytes of the same words
        {"LDS.64 R4, [R1]", 8, 1, 2 * beats64, beats64},      // two words, each in every second bank
        {"LDS.128 R4, [R1]", 16, 1, 4 * beats, 3 * beats},    // four words, each in every fourth
        {"STS.128 [R1], R4", 16, 1, 4 * beats, 3 * beats},    // the same
        {"LDS.128 R4, [R1]", 0, 1, beats, 0},                 // all threads the same four words
        {"ATOMS.ADD R4, [R1], R0", 4, 1, 1, 0},               // a word each
        {"ATOMS.ADD RZ, [R1], R0", 0, 2, lanes, lanes - 1},   // one word: one thread after the other
        {"@PT LDS.32 RZ, [R1]", 8, 1, 2, 1},                  // the result is not kept
        {"@!PT LDS.32 R4, [R1]", 8, 1, 0, 0},                 // no thread
        {"NOP", 4, 1, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t passes[2], conflicts[2];
        sum(device, &passes[0], &conflicts[0]);
        run(device, channel, cases[k].what, cases[k].stride, cases[k].rounds, threads, true);
        sum(device, &passes[1], &conflicts[1]);
        const uint32_t times = portions * cases[k].rounds;
        cr_expect_eq(passes[1] - passes[0], times * cases[k].passes, "%s, stride %u: %u passes", cases[k].what,
                     cases[k].stride, passes[1] - passes[0]);
        cr_expect_eq(conflicts[1] - conflicts[0], times * cases[k].conflicts, "%s, stride %u: %u conflicts",
                     cases[k].what, cases[k].stride, conflicts[1] - conflicts[0]);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(conflicts, counters, "TU-9 bank conflicts of known accesses are counted")

static void while_running(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    uint32_t passes, conflicts;
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    run(device, channel, "LDS.32 R4, [R1]", 16, 60, info.threads, false);
    sum(device, &passes, &conflicts);
    cr_expect_eq(conflicts, 60 * 3 * info.threads / info.lanes);
    // A fault does nothing to shared memory, and counts nothing.
    struct tandem_module *module = load_assembly(
        device,
        ".kernel main\n.registers 4\n.shared_bytes 64\nS2R R0, SR_TID_X\nSHL R1, R0, 4\nSTS.32 [R1], R0\nEXIT\n");
    const struct tandem_range range = {.dimensions = 1, .global = {info.threads}, .local = {info.threads}};
    must(device, TANDEM_OK, tandem_launch(channel, module, "main", &range, NULL, 0));
    must(device, TANDEM_CHANNEL_FAULT, tandem_finish(channel, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_reset(channel));
    uint32_t after[2];
    sum(device, &after[0], &after[1]);
    cr_expect_eq(after[0], passes);
    cr_expect_eq(after[1], conflicts);
    tandem_module_unload(module);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(conflicts, while_running, "TU-9 counters of bank conflicts are read while they move; a fault counts nothing")
