// The level 1 data cache as software sees it: what the CPU changes is seen, what other threads change is seen, the
// switch, the counters.
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 8000000u

// Every thread waits until the flag is not 0, then adds up the 16 words behind it.
static const char spin[] =
    ".kernel main\n.registers 8\n.arg global flag\n.arg global out\n"
    "LDC.32 R0, c[0][0x40]\nS2R R1, SR_TID_X\nSHL R2, R1, 2\nwait:\nLDG.32 R3, [R0]\nISETP.EQ P0, R3, 0\n@P0 BRA wait\n"
    "MOV R4, 0\nMOV R5, 0\nadd:\nIADD R6, R0, R5\nLDG.32 R7, [R6 + 32]\nIADD R4, R4, R7\nIADD R5, R5, 4\n"
    "ISETP.LT P0, R5, 64\n@P0 BRA add\nLDC.32 R6, c[0][0x44]\nIADD R6, R6, R2\nSTG.32 [R6], R4\nEXIT\n";

static void cpu_writes(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, spin);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const tandem_addr flag = new_words(device, 24), out = new_words(device, 32);
    for (uint32_t round = 1; round <= 3; round++) {
        const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
        const struct tandem_argument arguments[] = {{&flag, 4}, {&out, 4}};
        write_word(device, flag, 0);
        must(device, TANDEM_OK, tandem_launch(channel, module, "main", &range, arguments, 2));
        must(device, TANDEM_OK, tandem_submit(channel));
        must(device, TANDEM_OK, tandem_run(device, 3000));
        for (uint32_t i = 0; i < 16; i++)
            write_word(device, flag + 32 + 4 * i, round * 100 + i);
        must(device, TANDEM_OK, tandem_run(device, 300 + round));
        write_word(device, flag, round);
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        for (uint32_t t = 0; t < 32; t++)
            cr_assert_eq(read_word(device, out + 4 * t), round * 1600 + 120, "round %u thread %u", round, t);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(cache, cpu_writes, "TU-9 threads that spin see what the CPU writes")

// A counter of the multiprocessors, summed over them.
static uint32_t sum_of(struct tandem_device *device, uint32_t counter) {
    struct tandem_info info;
    uint32_t sum = 0;
    tandem_get_info(device, &info);
    for (uint32_t sm = 0; sm < info.sms; sm++) {
        tandem_reg_write(device, REG_WARP_SELECT, sm << 8);
        sum += tandem_reg_read(device, counter);
    }
    tandem_reg_write(device, REG_WARP_SELECT, 0);
    return sum;
}

static uint32_t run_once(struct tandem_device *device, struct tandem_channel *channel, struct tandem_module *module,
                         tandem_addr flag, tandem_addr out) {
    const struct tandem_range range = {.dimensions = 1, .global = {64}, .local = {32}};
    const struct tandem_argument arguments[] = {{&flag, 4}, {&out, 4}};
    const uint32_t before = sum_of(device, REG_L1_HITS);
    must(device, TANDEM_OK, tandem_launch(channel, module, "main", &range, arguments, 2));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    return sum_of(device, REG_L1_HITS) - before;
}

static void control(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, spin);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const tandem_addr flag = new_words(device, 24), out = new_words(device, 32);
    write_word(device, flag, 1);
    cr_assert_eq(tandem_reg_read(device, REG_L1_CONTROL), 1);
    const uint32_t on = run_once(device, channel, module, flag, out);
    tandem_reg_write(device, REG_L1_CONTROL, 0xFFFFFFFE);
    cr_assert_eq(tandem_reg_read(device, REG_L1_CONTROL), 0);
    const uint32_t off = run_once(device, channel, module, flag, out);
    tandem_reg_write(device, REG_L1_CONTROL, 1);
    const uint32_t again = run_once(device, channel, module, flag, out);
    cr_assert_eq(off, 0, "%u hits in a cache that is off", off);
    if (strncmp(name, "model", 5) != 0) {  // the model alone has no cache
        cr_assert_gt(on, 20);
        cr_assert_gt(again, 20);
        cr_assert_gt(sum_of(device, REG_L1_MISSES), 20);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(cache, control, "TU-9 the level 1 cache hits; switched off it does not")
