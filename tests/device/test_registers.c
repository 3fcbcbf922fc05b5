// The register map (cmodel/host/registers.tbl) on every kind of device: what stands after reset, which bits keep what
// is written, what changes only while no task is outstanding, interrupts, clocks. The numbers are the table's, by hand.
#include <string.h>

#include "gen/methods.h"
#include "gen/registers.h"
#include "on_devices.h"

#define ALL UINT32_MAX

// ---- what the device says of itself ----
// rows of rtl/configs.tbl: nano, small, full
static const uint32_t config_words[3][3] = {
    {1u << 24 | 2u << 16 | 4u << 8 | 32, 16u << 16 | 2u << 8 | 2, 4u << 24 | 2u << 16 | 512},
    {1u << 24 | 4u << 16 | 8u << 8 | 32, 16u << 16 | 4u << 8 | 4, 8u << 24 | 2u << 16 | 1024},
    {2u << 24 | 16u << 16 | 32u << 8 | 64, 16u << 16 | 8u << 8 | 8, 16u << 24 | 8u << 16 | 2048},
};

static const uint32_t *configuration(const char *name) {
    return config_words[strstr(name, "nano") != NULL ? 0 : strstr(name, "small") != NULL ? 1 : 2];
}

static void expect_register(struct tandem_device *device, const char *name, uint32_t offset, uint32_t value) {
    const uint32_t read = tandem_reg_read(device, offset);
    cr_expect_eq(read, value, "%s: register 0x%x is 0x%x, expected 0x%x", name, offset, read, value);
}

static void who(const char *name) {
    struct tandem_device *device = open_device(name);
    const uint32_t expected[] = {0x4D444E54, 0x00010001, configuration(name)[0], configuration(name)[1],
                                 configuration(name)[2]};
    for (uint32_t i = 0; i < 5; i++) {
        expect_register(device, name, 4 * i, expected[i]);
        tandem_reg_write(device, 4 * i, ~expected[i]);
        expect_register(device, name, 4 * i, expected[i]);
    }
    close_device(device);
}
ON_DEVICES(registers, who, "TU-10 a device says which configuration it is, and nobody changes that")

// ---- which bits are kept ----
struct kept {
    uint32_t offset, bits;
};

static void keeps(struct tandem_device *device, const char *name, uint32_t offset, uint32_t bits) {
    static const uint32_t patterns[] = {ALL, 0, 0x55555555, 0xAAAAAAAA, 0x0F1E2D3C};
    const uint32_t before = tandem_reg_read(device, offset);
    for (uint32_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        tandem_reg_write(device, offset, patterns[p]);
        expect_register(device, name, offset, patterns[p] & bits);
    }
    tandem_reg_write(device, offset, before);
    expect_register(device, name, offset, before);
}

static const struct kept kept_always[] = {
    {REG_SCRATCH, ALL}, {REG_INTR_ENABLE, ALL}, {REG_WARP_SELECT, 0xFFFF}, {REG_L1_CONTROL, 1}, {REG_WARP_POLICY, 3},
};
static const struct kept kept_idle[] = {
    {REG_DEQUE_CONTROL, 1},         {REG_YIELD_SEED, ALL},       {REG_SV_ORDER, 3},
    {REG_SV_THRESHOLD, 0x0001FFFF}, {REG_TASK_SCHEDULE, 0xFF01},
};
static const struct kept kept_channel[] = {
    {CHANNEL_PRIORITY, 3},
    {CHANNEL_GP_BASE, 0xFFFFFFF8},
    {CHANNEL_GP_ENTRIES, ALL},
    {CHANNEL_SPACE_BASE, 0xFFFFF000},
    {CHANNEL_SPACE_SIZE, 0xFFFFF000},
    {CHANNEL_ACQUIRE_RETRY, ALL},
    {CHANNEL_ACQUIRE_TIMEOUT, ALL},
};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void kept_bits(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_info info;
    tandem_get_info(device, &info);
    const struct kept reset[] = {
        {REG_SCRATCH, 0},    {REG_INTR_STATUS, 0},       {REG_WARP_SELECT, 0},   {REG_YIELD_SEED, 0x9E3779B9},
        {REG_SV_ORDER, 0},   {REG_SV_THRESHOLD, 0x2000}, {REG_TASK_SCHEDULE, 0}, {REG_L1_CONTROL, 1},
        {REG_WARP_POLICY, 0}};
    for (uint32_t i = 0; i < COUNT(reset); i++)
        expect_register(device, name, reset[i].offset, reset[i].bits);
    for (uint32_t i = 0; i < COUNT(kept_always); i++)
        keeps(device, name, kept_always[i].offset, kept_always[i].bits);
    for (uint32_t i = 0; i < COUNT(kept_idle); i++)
        keeps(device, name, kept_idle[i].offset, kept_idle[i].bits);
    // AXI4-Lite moves whole words: the lowest two bits of an address name no other one.
    for (uint32_t byte = 1; byte < 4; byte++) {
        tandem_reg_write(device, REG_SCRATCH + byte, 0x1234 + byte);
        for (uint32_t at = 0; at < 4; at++)
            expect_register(device, name, REG_SCRATCH + at, 0x1234 + byte);
    }
    // Channels that nobody has opened; each with registers of its own.
    for (uint32_t c = 0; c < info.channels; c++) {
        const uint32_t channel = REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE,
                       put = REG_USERD_BASE + c * REG_USERD_STRIDE + USERD_GP_PUT;
        expect_register(device, name, channel + CHANNEL_ACQUIRE_RETRY, 256);
        expect_register(device, name, channel + CHANNEL_ACQUIRE_TIMEOUT, 0);
        expect_register(device, name, channel + CHANNEL_CONTROL, 0);
        for (uint32_t i = 0; i < COUNT(kept_channel); i++)
            keeps(device, name, channel + kept_channel[i].offset, kept_channel[i].bits);
        keeps(device, name, put, ALL);
        tandem_reg_write(device, put, 1000 + c);
    }
    for (uint32_t c = 0; c < info.channels; c++)
        expect_register(device, name, REG_USERD_BASE + c * REG_USERD_STRIDE + USERD_GP_PUT, 1000 + c);
    close_device(device);
}
ON_DEVICES(registers, kept_bits, "WQ-1 WQ-8 TU-2 SV-3 SV-12 TD-13 registers after reset, and the bits that they keep")

// ---- what changes only while no task is outstanding ----
static const char spin[] =
    ".kernel spin\n.registers 8\n.arg global word\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "again:\n    LDG.32 R2, [R1]\n    ISETP.EQ P0, R2, 0\n    @P0 BRA again\n    EXIT\n";

static void settings(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_info info;
    tandem_get_info(device, &info);
    struct tandem_module *module = load_assembly(device, spin);
    struct tandem_channel *channels[8] = {NULL};
    const tandem_addr gate = new_words(device, 1);
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument pointer = {&gate, 4};
    for (uint32_t c = 0; c < info.channels; c++)
        must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channels[c]));
    const uint32_t memory = tandem_reg_read(device, REG_DEQUE_MEMORY);
    // One task is enough, whichever channel it is of.
    for (uint32_t c = 0; c < info.channels; c++) {
        write_word(device, gate, 0);
        must(device, TANDEM_OK, tandem_launch(channels[c], module, "spin", &one, &pointer, 1));
        must(device, TANDEM_OK, tandem_submit(channels[c]));
        must(device, TANDEM_OK, tandem_run(device, 3000));
        for (uint32_t i = 0; i < COUNT(kept_idle); i++) {
            const uint32_t before = tandem_reg_read(device, kept_idle[i].offset);
            tandem_reg_write(device, kept_idle[i].offset, ~before);
            expect_register(device, name, kept_idle[i].offset, before);
        }
        tandem_reg_write(device, REG_DEQUE_MEMORY, 0);
        expect_register(device, name, REG_DEQUE_MEMORY, memory);
        for (uint32_t i = 0; i < COUNT(kept_always); i++)
            keeps(device, name, kept_always[i].offset, kept_always[i].bits);
        write_word(device, gate, 1);
        must(device, TANDEM_OK, tandem_finish(channels[c], 100000));
        for (uint32_t i = 0; i < COUNT(kept_idle); i++)
            keeps(device, name, kept_idle[i].offset, kept_idle[i].bits);
    }
    // Where token queues are: a warp has DEQUE_ENTRIES / 2 << SIZE places, not more than DEQUE_MOST.
    const uint32_t most = strstr(name, "nano") != NULL ? 10 : 12;
    for (uint32_t size = 0; size < 16; size++) {
        tandem_reg_write(device, REG_DEQUE_MEMORY, 0x00345000 | size);
        expect_register(device, name, REG_DEQUE_MEMORY, 0x00345000 | (size <= most ? size : most));
    }
    tandem_reg_write(device, REG_DEQUE_MEMORY, memory);
    expect_register(device, name, REG_DEQUE_MEMORY, memory);
    // No warp is held: there are no ends of a queue to be seen, and nothing to be moved.
    for (uint32_t warp = 0; warp < info.warps; warp++) {
        tandem_reg_write(device, REG_WARP_SELECT, warp);
        tandem_reg_write(device, REG_DEQUE_MOVE, 1);
        tandem_reg_write(device, REG_DEQUE_RESUME, 1);
        for (uint32_t offset = REG_DEQUE_HELD; offset <= REG_DEQUE_RESUME; offset += 4)
            expect_register(device, name, offset, 0);
    }
    for (uint32_t c = 0; c < info.channels; c++)
        must(device, TANDEM_OK, tandem_channel_close(channels[c]));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(registers, settings, "TU-2 TD-15 TD-21 SV-3 SV-12 settings stay while a task of any channel is outstanding")

// ---- interrupts, references ----
static void interrupts(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_info info;
    tandem_get_info(device, &info);
    struct tandem_channel *channels[8] = {NULL};
    uint32_t raised = 0;
    for (uint32_t c = 0; c < info.channels; c++)
        must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channels[c]));
    expect_register(device, name, REG_INTR_STATUS, 0);
    for (uint32_t c = 0; c < info.channels; c++) {
        const uint32_t userd = REG_USERD_BASE + c * REG_USERD_STRIDE;
        expect_register(device, name, userd + USERD_REFERENCE, 0);
        must(device, TANDEM_OK, tandem_method(channels[c], 0, HOST_NON_STALL_INTERRUPT, 0));
        must(device, TANDEM_OK, tandem_method(channels[c], 0, HOST_SET_REFERENCE, 0xC0DE0000 + c));
        must(device, TANDEM_OK, tandem_submit(channels[c]));
        must(device, TANDEM_OK, tandem_run(device, 2000));
        raised |= 1u << c;
        expect_register(device, name, REG_INTR_STATUS, raised);
        tandem_reg_write(device, userd + USERD_REFERENCE, 5);  // read only
        for (uint32_t k = 0; k < info.channels; k++)
            expect_register(device, name, REG_USERD_BASE + k * REG_USERD_STRIDE + USERD_REFERENCE,
                            k <= c ? 0xC0DE0000 + k : 0);
    }
    // A fault of each channel; a reset keeps REFERENCE and clears no interrupt.
    for (uint32_t c = 0; c < info.channels; c++) {
        must(device, TANDEM_OK, tandem_submit_entry(channels[c], 0, 1));
        must(device, TANDEM_OK, tandem_run(device, 2000));
        raised |= 0x10000u << c;
        expect_register(device, name, REG_INTR_STATUS, raised);
        tandem_reg_write(device, REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE, 3);
        expect_register(device, name, REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE, 1);
        expect_register(device, name, REG_CHANNEL_BASE + c * REG_CHANNEL_STRIDE + CHANNEL_FAULT_CODE, 0);
        expect_register(device, name, REG_USERD_BASE + c * REG_USERD_STRIDE + USERD_REFERENCE, 0xC0DE0000 + c);
        expect_register(device, name, REG_USERD_BASE + c * REG_USERD_STRIDE + USERD_GP_GET, 0);
        expect_register(device, name, REG_USERD_BASE + c * REG_USERD_STRIDE + USERD_GP_PUT, 0);
    }
    // A one clears its bit alone, a zero none.
    for (uint32_t bit = 0; bit < 32; bit++) {
        tandem_reg_write(device, REG_INTR_STATUS, 1u << bit);
        raised &= ~(1u << bit);
        expect_register(device, name, REG_INTR_STATUS, raised);
    }
    for (uint32_t c = 0; c < info.channels; c++)
        must(device, TANDEM_OK, tandem_channel_close(channels[c]));
    close_device(device);
}
ON_DEVICES(registers, interrupts, "WQ-8 interrupts and references of each channel")

// ---- clocks ----
static void clocks(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, spin);
    struct tandem_channel *channel = NULL;
    const tandem_addr gate = new_words(device, 1);
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument pointer = {&gate, 4};
    const uint32_t ns = strstr(name, "full") != NULL ? 10 : 40;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_launch(channel, module, "spin", &one, &pointer, 1));
    must(device, TANDEM_OK, tandem_submit(channel));
    for (uint32_t i = 0; i < 10; i++) {
        must(device, TANDEM_OK, tandem_run(device, 500));
        const uint32_t cycles = tandem_reg_read(device, REG_CYCLES_LO);
        expect_register(device, name, REG_CYCLES_HI, 0);
        const uint32_t time = tandem_reg_read(device, REG_TIME_LO);
        expect_register(device, name, REG_TIME_HI, 0);
        const uint32_t after = tandem_reg_read(device, REG_CYCLES_LO);
        cr_expect_geq(cycles, 400 * (i + 1), "%s: %u cycles", name, cycles);
        cr_expect(time % ns == 0 && time / ns >= cycles && time / ns <= after, "%s: %u ns at cycles %u to %u", name,
                  time, cycles, after);
    }
    write_word(device, gate, 1);
    must(device, TANDEM_OK, tandem_finish(channel, 100000));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(registers, clocks, "WQ-7 cycles and time count from reset, two words each")
