// A TMD that is launched again: when its task has ended, when all its CTAs run, while it is pending.
#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 4000000u

// Counts itself, then waits until the gate is open.
static const char hold[] =
    ".kernel hold\n.registers 8\n.arg global count\n.arg global gate\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    MOV R3, 1\n    ATOMG.ADD RZ, [R1], R3\n"
    "again:\n    ATOMG.ADD R4, [R2], RZ\n    ISETP.EQ P0, R4, 0\n    @P0 BRA again\n    EXIT\n";

struct world {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel, *other;
    tandem_addr count, gate;
};

static tandem_addr build(struct world *w) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&w->count, 4}, {&w->gate, 4}};
    const struct tandem_scheduling plain = {0, false};
    tandem_addr tmd = 0;
    must(w->device, TANDEM_OK, tandem_task_build(w->channel, w->module, "hold", &one, &plain, arguments, 2, &tmd));
    return tmd;
}

static void launch(struct world *w, tandem_addr tmd) {
    must(w->device, TANDEM_OK, tandem_launch_tmd(w->channel, tmd));
    must(w->device, TANDEM_OK, tandem_submit(w->channel));
}

static void wait_for_count(struct world *w, uint32_t count) {
    for (unsigned k = 0; k < 1000 && read_word(w->device, w->count) != count; k++)
        must(w->device, TANDEM_OK, tandem_run(w->device, 100));
    cr_assert_eq(read_word(w->device, w->count), count, "%u have started, expected %u", read_word(w->device, w->count),
                 count);
}

// A launch through the driver: the channel has the program's region from then on.
static void launch_first(struct world *w) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&w->count, 4}, {&w->gate, 4}};
    write_word(w->device, w->gate, 1);
    must(w->device, TANDEM_OK, tandem_launch(w->channel, w->module, "hold", &one, arguments, 2));
    must(w->device, TANDEM_OK, tandem_finish(w->channel, DEADLINE));
    write_word(w->device, w->gate, 0);
    write_word(w->device, w->count, 0);
}

static void launched_again(const char *name) {
    struct world w = {.device = open_device(name)};
    struct tandem_fault fault;
    const uint32_t slots = tandem_reg_read(w.device, REG_CONFIG1) >> 8 & 0xFF;
    w.module = load_assembly(w.device, hold);
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 32, 0, &w.channel));
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 16, 0, &w.other));
    w.count = new_words(w.device, 1);
    w.gate = new_words(w.device, 1);
    launch_first(&w);
    // All of its CTAs, one, run: launched again it runs once more, at the same time.
    const tandem_addr tmd = build(&w);
    launch(&w, tmd);
    wait_for_count(&w, 1);
    launch(&w, tmd);
    wait_for_count(&w, 2);
    write_word(w.device, w.gate, 1);
    must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
    // When it has ended, without a gate.
    launch(&w, tmd);
    must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
    cr_assert_eq(read_word(w.device, w.count), 3);
    // All slots are taken and it is pending: refused by name; the other channel goes on.
    write_word(w.device, w.gate, 0);
    for (uint32_t k = 0; k < slots; k++)
        launch(&w, build(&w));
    wait_for_count(&w, 3 + slots);
    launch(&w, tmd);
    must(w.device, TANDEM_OK, tandem_run(w.device, 2000));
    cr_assert_not(tandem_channel_fault(w.channel, &fault));
    launch(&w, tmd);
    must(w.device, TANDEM_CHANNEL_FAULT, tandem_wait(w.channel, w.gate, 1, DEADLINE));
    cr_assert(tandem_channel_fault(w.channel, &fault));
    cr_assert_eq(fault.code, FAULT_TMD_ACTIVE, "%s", fault.text);
    cr_assert_eq(fault.info, tmd, "0x%x", fault.info);
    must(w.device, TANDEM_OK, tandem_finish(w.other, DEADLINE));
    must(w.device, TANDEM_OK, tandem_channel_reset(w.channel));
    cr_assert_eq(read_word(w.device, w.count), 3 + slots);
    must(w.device, TANDEM_OK, tandem_channel_close(w.channel));
    must(w.device, TANDEM_OK, tandem_channel_close(w.other));
    tandem_module_unload(w.module);
    close_device(w.device);
}
ON_DEVICES(launched_again, launched_again,
           "TU-2 TU-4 TU-11 a TMD launched again: ended, running, pending (refused by name)")
