// Two multiprocessors: both take CTAs, a fault on one of them stops what runs on the other, the debug registers show
// both.
#include <stdio.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 2000000u
#define CTAS 64u

// Each CTA counts itself in the word of its multiprocessor.
static const char counting[] =
    ".kernel counting\n"
    ".registers 12\n"
    ".arg global out\n"
    "    LDC.32 R3, c[0][0x40]\n"
    "    S2R R4, SR_SMID\n"
    "    SHL R4, R4, 2\n"
    "    IADD R3, R3, R4\n"
    "    S2R R5, SR_TID_X\n"
    "    ISETP.EQ P0, R5, 0\n"
    "    MOV R6, 1\n"
    "    @P0 ATOMG.ADD RZ, [R3], R6\n"
    "    MOV R7, 300\n"
    "wait:\n"
    "    ISUB R7, R7, 1\n"
    "    ISETP.NE P1, R7, 0\n"
    "    @P1 BRA wait\n"
    "    EXIT\n";

// On multiprocessor 0 for ever; on 1, once somebody runs on 0, an access outside the channel's space when `fault` is
// not 0.
static const char spinning[] =
    ".kernel spinning\n"
    ".registers 12\n"
    ".arg global out\n"
    ".arg value fault\n"
    "    LDC.32 R3, c[0][0x40]\n"
    "    LDC.32 R4, c[0][0x44]\n"
    "    MOV R6, 1\n"
    "    S2R R5, SR_SMID\n"
    "    ISETP.NE P0, R5, 0\n"
    "    @P0 BRA one\n"
    "    STG.32 [R3], R6\n"
    "for_ever:\n"
    "    BRA for_ever\n"
    "one:\n"
    "    LDG.32 R7, [R3]\n"
    "    ISETP.EQ P1, R7, 0\n"
    "    @P1 BRA one\n"
    "    ISETP.EQ P1, R4, 0\n"
    "    @P1 BRA for_ever\n"
    "    STG.32 [R3 - 0x40000000], R6\n"
    "    EXIT\n";

static void both_work(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, counting);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    tandem_get_info(device, &info);
    const tandem_addr out = new_words(device, 4);
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    const struct tandem_range range = {.dimensions = 1, .global = {CTAS * info.threads}, .local = {info.threads}};
    must(device, TANDEM_OK, tandem_launch(channel, module, "counting", &range, &(struct tandem_argument){&out, 4}, 1));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    uint32_t count[2] = {read_word(device, out), read_word(device, out + 4)};
    cr_assert_eq(info.sms, 2);
    cr_assert(count[0] != 0 && count[1] != 0 && count[0] + count[1] == CTAS, "%s: CTAs on SM 0: %u, on SM 1: %u", name,
              count[0], count[1]);
    tandem_module_unload(module);
    tandem_channel_close(channel);
    close_device(device);
}

// Reads the state of all warps of an SM; how many are not idle.
static unsigned live_warps(struct tandem_device *device, uint32_t sm, uint32_t warps) {
    unsigned live = 0;
    for (uint32_t w = 0; w < warps; w++) {
        tandem_reg_write(device, REG_WARP_SELECT, sm << 8 | w);
        if ((tandem_reg_read(device, REG_WARP_STATE) & 15u) != 0) live++;
    }
    return live;
}

static void fault_stops_both(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, spinning);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    struct tandem_fault found;
    tandem_get_info(device, &info);
    const tandem_addr out = new_words(device, 1);
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    uint32_t fault = 0;
    const struct tandem_argument arguments[] = {{&out, 4}, {&fault, 4}};
    const struct tandem_range range = {.dimensions = 1, .global = {8 * info.threads}, .local = {info.threads}};
    // Without a fault it goes on and the registers show warps on both.
    must(device, TANDEM_OK, tandem_launch(channel, module, "spinning", &range, arguments, 2));
    cr_assert_eq(tandem_finish(channel, 20000), TANDEM_TIMEOUT, "%s: what never ends has ended", name);
    cr_assert(live_warps(device, 0, info.warps) != 0 && live_warps(device, 1, info.warps) != 0,
              "%s: both multiprocessors have warps", name);
    cr_assert_eq(live_warps(device, 2, info.warps), 0, "%s: there is no third", name);
    tandem_module_unload(module);
    close_device(device);  // first: the channel would wait long for its task
    tandem_channel_close(channel);

    device = open_device(name);
    module = load_assembly(device, spinning);
    const tandem_addr again = new_words(device, 1);
    const struct tandem_argument faulting[] = {{&again, 4}, {&fault, 4}};
    fault = 1;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_launch(channel, module, "spinning", &range, faulting, 2));
    must(device, TANDEM_CHANNEL_FAULT, tandem_finish(channel, DEADLINE));
    cr_assert(tandem_channel_fault(channel, &found));
    cr_assert_eq(found.code, FAULT_MEMORY_BOUNDS, "%s: %s", name, found.text);
    must(device, TANDEM_OK, tandem_channel_reset(channel));  // waits until the task has ended on both
    cr_assert(live_warps(device, 0, info.warps) == 0 && live_warps(device, 1, info.warps) == 0,
              "%s: warps are left of a task that has ended", name);
    tandem_module_unload(module);
    tandem_channel_close(channel);
    close_device(device);
}

Test(sms, both_work_model, .description = "TU-4 two multiprocessors share a grid [model]") {
    both_work("model:full");
}
Test(sms, both_work_tandem, .description = "TU-4 two multiprocessors share a grid [tandem]") {
    both_work("tandem:full");
}
Test(sms, fault_model, .description = "TU-4 a fault on one multiprocessor ends the task on both [model]") {
    fault_stops_both("model:full");
}
Test(sms, fault_tandem, .description = "TU-4 a fault on one multiprocessor ends the task on both [tandem]") {
    fault_stops_both("tandem:full");
}
