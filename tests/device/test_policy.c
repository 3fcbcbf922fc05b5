// Which ready warp goes next (WARP_POLICY), and the counters of issue, on every kind of device.
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 3000000u
#define ROUNDS 50u
#define WARPS 2u

enum { ROUND_ROBIN, GREEDY };

// Each warp adds up in a loop, loads and stores; how many instructions a warp takes does not depend on the schedule.
static const char text[] =
    ".kernel main\n"
    ".registers 16\n"
    ".arg global out\n"
    "    S2R R0, SR_TID_X\n"
    "    LDC.32 R3, c[0][64]\n"
    "    SHL R1, R0, 2\n"
    "    IADD R3, R3, R1\n"
    "    MOV R2, 50\n"
    "round:\n"
    "    LDG.32 R4, [R3]\n"
    "    IADD R5, R5, 3\n"
    "    IADD R4, R4, R5\n"
    "    STG.32 [R3], R4\n"
    "    ISUB R2, R2, 1\n"
    "    ISETP.NE P0, R2, 0\n"
    "    @P0 BRA round\n"
    "    EXIT\n";
#define INSTRUCTIONS (5 + ROUNDS * 7 + 1)

static uint32_t issued(struct tandem_device *device, uint32_t sms) {
    uint32_t sum = 0;
    for (uint32_t sm = 0; sm < sms; sm++) {
        tandem_reg_write(device, REG_WARP_SELECT, sm << 8);
        sum += tandem_reg_read(device, REG_ISSUED);
    }
    return sum;
}

static uint32_t idle(struct tandem_device *device, uint32_t sms) {
    uint32_t sum = 0;
    for (uint32_t sm = 0; sm < sms; sm++) {
        tandem_reg_write(device, REG_WARP_SELECT, sm << 8);
        sum += tandem_reg_read(device, REG_IDLE_MEMORY) + tandem_reg_read(device, REG_IDLE_SCORE) +
               tandem_reg_read(device, REG_IDLE_NONE);
    }
    return sum;
}

static void run(const char *name, uint32_t policy, bool change) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    cr_expect_eq(tandem_reg_read(device, REG_WARP_POLICY), ROUND_ROBIN);
    tandem_reg_write(device, REG_WARP_POLICY, policy);
    cr_expect_eq(tandem_reg_read(device, REG_WARP_POLICY), policy & 3u);
    struct tandem_module *module = load_assembly(device, text);
    const uint32_t threads = WARPS * info.threads;
    const tandem_addr out = new_words(device, threads);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_argument argument = {&out, sizeof out};
    cr_expect_eq(issued(device, info.sms), 0);
    must(device, TANDEM_OK, tandem_launch(channel, module, "main", &range, &argument, 1));
    if (change) {
        must(device, TANDEM_OK, tandem_submit(channel));
        for (uint32_t k = 0; k < 40; k++) {
            must(device, TANDEM_OK, tandem_run(device, 53));
            tandem_reg_write(device, REG_WARP_POLICY, k & 3u);
        }
    }
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    cr_expect_eq(issued(device, info.sms), WARPS * INSTRUCTIONS, "%s: %u", name, issued(device, info.sms));
    uint32_t sum = 0, words[2 * 64];
    must(device, TANDEM_OK, tandem_read(device, out, words, threads * sizeof words[0]));
    for (uint32_t k = 1; k <= ROUNDS; k++)
        sum += 3 * k;
    for (uint32_t t = 0; t < threads; t++)
        cr_assert_eq(words[t], sum, "%s thread %u: %u", name, t, words[t]);
    // The model alone knows no cycles in which the lanes get nothing.
    const bool timed = strncmp(name, "model", 5) != 0;
    cr_expect_eq(idle(device, info.sms) != 0, timed);
    tandem_module_unload(module);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}

static void policies(const char *name) {
    run(name, ROUND_ROBIN, false);
    run(name, GREEDY, false);
    run(name, 3, true);
}

ON_DEVICES(policy, policies,
           "TD-5 both scheduling policies and changes between them; the counter of instructions against the program")
