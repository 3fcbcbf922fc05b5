// Channels on every kind of device: rings, semaphores, faults.
#include "gen/methods.h"
#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 2000000u

static uint32_t userd(struct tandem_device *device, unsigned channel, uint32_t offset) {
    return tandem_reg_read(device, REG_USERD_BASE + channel * REG_USERD_STRIDE + offset);
}

// Many laps of a ring: every entry releases the next number; GP_GET follows GP_PUT and both wrap at the entry count.
static void laps(const char *name, uint32_t entries) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, entries, 0, &channel));
    tandem_addr word = new_words(device, 1);
    for (uint32_t i = 1; i <= 10 * entries + 3; i++) {
        must(device, TANDEM_OK, tandem_semaphore_release(channel, word, i, false));
        must(device, TANDEM_OK, tandem_submit(channel));
        if (i % 3 == 0) must(device, TANDEM_OK, tandem_submit(channel));  // a null entry between
        must(device, TANDEM_OK, tandem_wait(channel, word, i, DEADLINE));
        must(device, TANDEM_OK, tandem_run(device, 200));
        cr_assert_eq(userd(device, 0, USERD_GP_PUT), (i + i / 3) % entries);
        cr_assert_eq(userd(device, 0, USERD_GP_GET), (i + i / 3) % entries);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
static void laps_of_16(const char *name) {
    laps(name, 16);
}
static void laps_of_12(const char *name) {
    laps(name, 12);
}
ON_DEVICES(channels, laps_of_16, "WQ-1 WQ-2 WQ-3 WQ-5 WQ-15 a ring of a power of two entries")
ON_DEVICES(channels, laps_of_12, "WQ-1 WQ-2 WQ-3 WQ-5 WQ-15 a ring of 12 entries")

// A blocked acquire stops GP_GET; the ring fills up and refuses; nothing in it is lost when the semaphore comes.
static void full_ring(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 5, 0, &channel));
    tandem_addr gate = new_words(device, 1), count = new_words(device, 1);
    must(device, TANDEM_OK, tandem_semaphore_acquire(channel, gate, 77));
    must(device, TANDEM_OK, tandem_submit(channel));
    for (uint32_t i = 1; i <= 3; i++) {
        must(device, TANDEM_OK, tandem_semaphore_release(channel, count, i, false));
        must(device, TANDEM_OK, tandem_submit(channel));
    }
    must(device, TANDEM_OK, tandem_run(device, 3000));
    must(device, TANDEM_OK, tandem_semaphore_release(channel, count, 4, false));
    must(device, TANDEM_FULL, tandem_submit(channel));
    must(device, TANDEM_FULL, tandem_submit(channel));
    cr_assert_eq(userd(device, 0, USERD_GP_GET), 0);
    cr_assert_eq(userd(device, 0, USERD_GP_PUT), 4);
    cr_assert_eq(read_word(device, count), 0);
    must(device, TANDEM_TIMEOUT, tandem_wait(channel, count, 1, 3000));
    write_word(device, gate, 77);
    must(device, TANDEM_OK, tandem_wait(channel, count, 3, DEADLINE));
    must(device, TANDEM_OK, tandem_run(device, 2000));
    must(device, TANDEM_OK, tandem_submit(channel));
    must(device, TANDEM_OK, tandem_wait(channel, count, 4, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(channels, full_ring, "WQ-2 WQ-7 a full ring refuses and keeps what is in it")

// One channel blocks, another works and in the end sets it free.
static void blocked_neighbour(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *blocked = NULL, *other = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 3, &blocked));
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &other));
    tandem_addr gate = new_words(device, 1), a = new_words(device, 1), b = new_words(device, 1);
    must(device, TANDEM_OK, tandem_semaphore_acquire(blocked, gate, 1));
    must(device, TANDEM_OK, tandem_semaphore_release(blocked, a, 1, true));
    must(device, TANDEM_OK, tandem_submit(blocked));
    for (uint32_t i = 1; i <= 20; i++) {
        must(device, TANDEM_OK, tandem_semaphore_release(other, b, i, true));
        must(device, TANDEM_OK, tandem_submit(other));
        must(device, TANDEM_OK, tandem_wait(other, b, i, DEADLINE));
    }
    cr_assert_eq(read_word(device, a), 0);
    must(device, TANDEM_OK, tandem_semaphore_release(other, gate, 1, false));
    must(device, TANDEM_OK, tandem_submit(other));
    must(device, TANDEM_OK, tandem_wait(blocked, a, 1, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_close(blocked));
    must(device, TANDEM_OK, tandem_channel_close(other));
    close_device(device);
}
ON_DEVICES(channels, blocked_neighbour, "WQ-7 WQ-8 a blocked channel holds nobody up")

// Blocks longer than a turn: channels take turns in the middle of them, each with methods of its own half done.
static void long_blocks(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channels[2] = {NULL, NULL};
    const tandem_addr words = new_words(device, 2 * 32);
    for (uint32_t c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channels[c]));
    for (uint32_t i = 0; i < 32; i++) {
        for (uint32_t c = 0; c < 2; c++) {
            // The address stands for a while before the release that uses it.
            const uint32_t at = words + 4 * (32 * c + i);
            const uint32_t writes[] = {0, at, 100 * c + i + 1};
            for (uint32_t w = 0; w < 9 + c; w++)
                must(device, TANDEM_OK, tandem_method(channels[c], 0, HOST_SEMAPHOREA + 4 * (w % 3), writes[w % 3]));
            must(device, TANDEM_OK, tandem_method(channels[c], 0, HOST_SEMAPHOREA, 0));
            must(device, TANDEM_OK,
                 tandem_method(channels[c], 0, HOST_SEMAPHOREA + 12,
                               HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) |
                                   HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS) |
                                   HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_4BYTE)));
        }
    }
    must(device, TANDEM_OK, tandem_submit(channels[0]));
    must(device, TANDEM_OK, tandem_submit(channels[1]));
    for (uint32_t c = 0; c < 2; c++) {
        must(device, TANDEM_OK, tandem_wait(channels[c], words + 4 * (32 * c + 31), 100 * c + 32, DEADLINE));
        for (uint32_t i = 0; i < 32; i++)
            cr_assert_eq(read_word(device, words + 4 * (32 * c + i)), 100 * c + i + 1, "channel %u, word %u", c, i);
        must(device, TANDEM_OK, tandem_channel_close(channels[c]));
    }
    close_device(device);
}
ON_DEVICES(channels, long_blocks, "WQ-7 WQ-8 channels take turns in the middle of long blocks and mix up nothing")

// Each malformed thing stops its channel with its code; the neighbour goes on; a reset brings the channel back.
struct bad {
    uint32_t entry0, entry1;  // when not a method
    uint32_t words[4];        // a block of `count` words
    uint32_t count;
    uint32_t fault, info;
};

static void submit_bad(struct tandem_device *device, struct tandem_channel *channel, tandem_addr block,
                       const struct bad *bad) {
    if (bad->count == 0) {
        must(device, TANDEM_OK, tandem_submit_entry(channel, bad->entry0, bad->entry1));
        return;
    }
    must(device, TANDEM_OK, tandem_write(device, block, bad->words, 4 * bad->count));
    must(device, TANDEM_OK, tandem_submit_entry(channel, block, bad->count << 10));
}

static void malformed(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL, *other = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &other));
    tandem_addr block = new_words(device, 64), word = new_words(device, 1);
    const struct bad bads[] = {
        {.entry0 = 0, .entry1 = 1, .fault = FAULT_GPENTRY, .info = 1},                            // ILLEGAL
        {.entry0 = 0, .entry1 = 9, .fault = FAULT_GPENTRY, .info = 9},                            // no such opcode
        {.entry0 = block, .entry1 = 2u << 10 | 1, .fault = FAULT_GPENTRY, .info = 2u << 10 | 1},  // beyond 32 bits
        {.entry0 = 0x00FFFF00u, .entry1 = 1u << 10, .fault = FAULT_PBFETCH},                      // outside the space
        {.words = {0x40000000}, .count = 1, .fault = FAULT_PBENTRY, .info = 0x40000000},          // SEC_OP 2
        {.words = {0xC0000000}, .count = 1, .fault = FAULT_PBENTRY, .info = 0xC0000000},          // SEC_OP 6
        {.words = {0x20010001, 0}, .count = 2, .fault = FAULT_METHOD, .info = 0x04},              // ILLEGAL
        {.words = {0x20010030, 0}, .count = 2, .fault = FAULT_METHOD, .info = 0xC0},              // unknown host method
        {.words = {0x20012000, 0x1234}, .count = 2, .fault = FAULT_METHOD},                       // wrong class
        {.words = {0x20012040, 0}, .count = 2, .fault = FAULT_DEVICE},                            // no object yet
        {.words = {0x20010007, 3}, .count = 2, .fault = FAULT_SEMAPHORE},  // two operations at once
    };
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        struct tandem_fault fault;
        submit_bad(device, channel, block, &bads[i]);
        must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, word, 1, DEADLINE));
        cr_assert(tandem_channel_fault(channel, &fault));
        cr_expect_eq(fault.code, bads[i].fault, "case %zu: %s", i, fault.text);
        if (bads[i].info != 0) cr_expect_eq(fault.info, bads[i].info, "case %zu: %s", i, fault.text);
        cr_assert_not(tandem_channel_fault(other, &fault));
        must(device, TANDEM_OK, tandem_finish(other, DEADLINE));
        must(device, TANDEM_OK, tandem_channel_reset(channel));
        cr_assert_not(tandem_channel_fault(channel, &fault));
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(other));
    close_device(device);
}
ON_DEVICES(channels, malformed,
           "WQ-5 WQ-7 WQ-8 malformed entries, headers, methods, semaphores: a named fault on one channel")

static void bad_pointer(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_fault fault;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    tandem_addr word = new_words(device, 1);
    tandem_reg_write(device, REG_USERD_BASE + USERD_GP_PUT, 8);
    must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, word, 1, DEADLINE));
    cr_assert(tandem_channel_fault(channel, &fault));
    cr_assert_eq(fault.code, FAULT_GPPTR);
    cr_assert_eq(fault.info, 8);
    must(device, TANDEM_OK, tandem_channel_reset(channel));
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(channels, bad_pointer, "WQ-1 WQ-2 a GP_PUT past the ring is a GPPTR fault")

// An acquire with a limit in cycles ends in a fault of its own.
static void acquire_timeout(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_fault fault;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    tandem_addr gate = new_words(device, 1);
    tandem_reg_write(device, REG_CHANNEL_BASE + CHANNEL_ACQUIRE_TIMEOUT, 2000);
    must(device, TANDEM_OK, tandem_semaphore_acquire(channel, gate, 5));
    must(device, TANDEM_OK, tandem_submit(channel));
    must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, gate, 1, DEADLINE));
    cr_assert(tandem_channel_fault(channel, &fault));
    cr_assert_eq(fault.code, FAULT_ACQUIRE);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_DEVICES(channels, acquire_timeout, "WQ-7 an acquire with a timeout faults by name")

// Several devices of every kind live in one process, take turns, and do not see each other's memory.
Test(channels, several_devices, .description = "WQ-1 WQ-7 several devices in one process [model rtl tandem]") {
    static const char *const names[] = {"model:nano",  "rtl:nano",     "tandem:nano",
                                        "tandem:nano", "tandem:small", "model:full"};
    enum { DEVICES = sizeof names / sizeof names[0] };
    struct tandem_device *devices[DEVICES];
    struct tandem_channel *channels[DEVICES];
    tandem_addr words[DEVICES];
    for (uint32_t d = 0; d < DEVICES; d++) {
        devices[d] = open_device(names[d]);
        must(devices[d], TANDEM_OK, tandem_channel_open(devices[d], 8, 0, &channels[d]));
        words[d] = new_words(devices[d], 1);
    }
    for (uint32_t i = 1; i <= 20; i++) {
        for (uint32_t d = 0; d < DEVICES; d++) {
            must(devices[d], TANDEM_OK, tandem_semaphore_release(channels[d], words[d], 100 * i + d, true));
            must(devices[d], TANDEM_OK, tandem_submit(channels[d]));
        }
        for (uint32_t d = 0; d < DEVICES; d++) {
            must(devices[d], TANDEM_OK, tandem_wait(channels[d], words[d], 100 * i + d, DEADLINE));
            cr_assert_eq(read_word(devices[d], words[d]), 100 * i + d);
        }
    }
    for (uint32_t d = 0; d < DEVICES; d++) {
        must(devices[d], TANDEM_OK, tandem_channel_close(channels[d]));
        close_device(devices[d]);
    }
}
