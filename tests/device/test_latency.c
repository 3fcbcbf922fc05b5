// Slow memories: bounds of the simulation follow the latency, so that what takes long is not taken for what stands
// still.
#include <stdio.h>

#include "gen/registers.h"
#include "on_devices.h"

// Threads add to a counter, two channels wait for each other, and the CPU writes and reads registers all the time.
static const char source[] =
    ".kernel add\n"
    ".arg global counter\n"
    "    LDC.32 R0, c[0][RZ + 0x40]\n"
    "    MOV R1, 1\n"
    "    ATOMG.ADD R2, [R0 + 0], R1\n"
    "    STL.32 [RZ + 0], R2\n"
    "    LDL.32 R3, [RZ + 0]\n"
    "    EXIT\n"
    ".local_bytes 16\n"
    ".end\n";

static void slow(const char *name, uint32_t latency) {
    char device_name[64];
    snprintf(device_name, sizeof device_name, "%s,latency=%u", name, latency);
    struct tandem_device *device = open_device(device_name);
    struct tandem_module *module = load_assembly(device, source);
    struct tandem_channel *channels[2];
    const tandem_addr counter = new_words(device, 1), gate = new_words(device, 1);
    const struct tandem_range range = {.dimensions = 1, .global = {8}, .local = {8}};
    for (int c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channels[c]));
    const struct tandem_argument argument = {&counter, sizeof counter};
    must(device, TANDEM_OK, tandem_semaphore_acquire(channels[0], gate, 1));
    must(device, TANDEM_OK, tandem_launch(channels[0], module, "add", &range, &argument, 1));
    must(device, TANDEM_OK, tandem_submit(channels[0]));
    must(device, TANDEM_OK, tandem_launch(channels[1], module, "add", &range, &argument, 1));
    must(device, TANDEM_OK, tandem_semaphore_release(channels[1], gate, 1, true));
    must(device, TANDEM_OK, tandem_submit(channels[1]));
    // While requests of the host interface are on their way.
    for (uint32_t i = 0; i < 200; i++) {
        tandem_reg_write(device, REG_SCRATCH, i);
        cr_assert_eq(tandem_reg_read(device, REG_SCRATCH), i);
        tandem_reg_write(device, REG_CHANNEL_BASE + CHANNEL_ACQUIRE_RETRY, 100 + i);
        must(device, TANDEM_OK, tandem_run(device, latency / 16 + 1));
    }
    for (int c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_finish(channels[c], 0));
    cr_assert_eq(read_word(device, counter), 16);
    for (int c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_channel_close(channels[c]));
    tandem_module_unload(module);
    close_device(device);
}

#define SLOW(kind, device, cycles)                                                              \
    Test(slow_memory, kind##_##cycles, .description = "WQ-1 memory that is slow [" #kind "]") { \
        slow(device, cycles);                                                                   \
    }
SLOW(rtl, "rtl:nano", 5000)
SLOW(rtl, "rtl:nano", 10000)
SLOW(tandem, "tandem:nano", 1)
SLOW(tandem, "tandem:nano", 5000)
SLOW(tandem, "tandem:nano", 10000)
