// The SystemC platform: what its sockets do with transactions that TLM-2.0 has rules for, direct memory, and the driver
// over it. Without libsystemc the tests say so and are skipped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/registers.h"
#include "on_devices.h"
#include "systemc/platform.h"

#define OK 1
#define ADDRESS (-2)
#define BURST (-4)
#define ENABLES (-5)

static const struct platform_ops *platform(void) {
    const struct platform_ops *volatile ops = &platform_ops;
    if (ops == NULL) cr_skip_test("built without libsystemc");
    return ops;
}

// 4 MiB of memory.
static struct tandem_device *open_platform(const char *name) {
    (void)platform();
    return open_device(name);
}

static int send(enum platform_socket socket, struct platform_transaction transaction) {
    cr_assert(platform_ops.transport(platform_ops.current(), socket, &transaction));
    return transaction.response;
}

static int move(enum platform_socket socket, enum platform_command command, uint64_t addr, void *data,
                uint32_t length) {
    return send(socket,
                (struct platform_transaction){.command = command, .addr = addr, .data = data, .length = length});
}

static void register_words(const char *name) {
    struct tandem_device *device = open_platform(name);
    uint8_t enables[4] = {0xFF, 0xFF, 0, 0}, data[8] = {0};
    static const enum platform_socket sockets[] = {PLATFORM_LINK, PLATFORM_PPU};
    for (uint32_t i = 0; i < 2; i++) {
        const enum platform_socket socket = sockets[i];
        uint32_t word = 0;
        cr_assert_eq(move(socket, PLATFORM_READ, REG_MAGIC, &word, 4), OK);
        cr_assert_eq(word, tandem_reg_read(device, REG_MAGIC));
        cr_assert_neq(word, 0);
        cr_assert_eq(send(socket, (struct platform_transaction){.command = PLATFORM_READ,
                                                                .addr = REG_MAGIC,
                                                                .data = data,
                                                                .length = 4,
                                                                .byte_enables = enables,
                                                                .byte_enable_length = 4}),
                     ENABLES);
        cr_assert_eq(send(socket,
                          (struct platform_transaction){
                              .command = PLATFORM_READ, .data = data, .length = 4, .streaming_width = 2}),
                     BURST);
    }
    cr_assert_eq(move(PLATFORM_PPU, PLATFORM_READ, REG_MAGIC, data, 8), BURST);
    cr_assert_eq(move(PLATFORM_PPU, PLATFORM_READ, REG_MAGIC, data, 2), BURST);
    cr_assert_eq(move(PLATFORM_PPU, PLATFORM_READ, REG_MAGIC + 1, data, 4), ADDRESS);
    cr_assert_eq(move(PLATFORM_PPU, PLATFORM_WRITE, 1u << 20, data, 4), ADDRESS);
    cr_assert_eq(move(PLATFORM_PPU, PLATFORM_IGNORE, REG_MAGIC, data, 4), OK);
    // A read that the device refuses comes back over the link as what it is.
    cr_assert_eq(move(PLATFORM_LINK, PLATFORM_READ, 1u << 20, data, 4), ADDRESS);
    close_device(device);
}

static void memory(const char *name) {
    struct tandem_device *device = open_platform(name);
    const uint64_t size = 4u << 20;
    uint8_t written[700], read[700] = {0};
    for (uint32_t i = 0; i < sizeof written; i++)
        written[i] = (uint8_t)(i * 7 + 1);
    static const enum platform_socket sockets[] = {PLATFORM_LINK, PLATFORM_PPU, PLATFORM_MEMORY_PART};
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t base = sockets[i] == PLATFORM_MEMORY_PART ? 0 : PLATFORM_MEMORY;
        cr_assert_eq(move(sockets[i], PLATFORM_WRITE, base + 4001 + 1000 * i, written, sizeof written), OK);
        cr_assert_eq(move(sockets[i], PLATFORM_READ, base + 4001 + 1000 * i, read, sizeof read), OK);
        cr_assert_arr_eq(read, written, sizeof written);
        cr_assert_eq(move(sockets[i], PLATFORM_READ, base + size - 4, read, 8), ADDRESS);
        cr_assert_eq(move(sockets[i], PLATFORM_READ, base + size, read, 1), ADDRESS);
        cr_assert_eq(move(sockets[i], PLATFORM_READ, base + size - 4, read, 4), OK);
        cr_assert_eq(move(sockets[i], PLATFORM_READ, UINT64_MAX - 1, read, 4), ADDRESS);
        cr_assert_eq(
            send(sockets[i],
                 (struct platform_transaction){
                     .command = PLATFORM_WRITE, .addr = base, .data = read, .length = 8, .streaming_width = 4}),
            BURST);
    }
    // Byte enables, repeated over the data, at the memory itself.
    uint8_t enables[3] = {0xFF, 0, 0}, ones[7] = {255, 255, 255, 255, 255, 255, 255};
    const uint8_t expected[7] = {255, 0, 0, 255, 0, 0, 255};
    cr_assert_eq(send(PLATFORM_MEMORY_PART, (struct platform_transaction){.command = PLATFORM_WRITE,
                                                                          .addr = 64,
                                                                          .data = ones,
                                                                          .length = 7,
                                                                          .byte_enables = enables,
                                                                          .byte_enable_length = 3}),
                 OK);
    cr_assert_eq(move(PLATFORM_MEMORY_PART, PLATFORM_READ, 64, read, 7), OK);
    cr_assert_arr_eq(read, expected, 7);
    // What is not enabled of a read stays as it was.
    memset(read, 9, 7);
    cr_assert_eq(send(PLATFORM_MEMORY_PART, (struct platform_transaction){.command = PLATFORM_READ,
                                                                          .addr = 64,
                                                                          .data = read,
                                                                          .length = 7,
                                                                          .byte_enables = enables,
                                                                          .byte_enable_length = 3}),
                 OK);
    cr_assert(read[0] == 255 && read[1] == 9 && read[3] == 255 && read[5] == 9);
    cr_assert_eq(send(PLATFORM_PPU, (struct platform_transaction){.command = PLATFORM_WRITE,
                                                                  .addr = PLATFORM_MEMORY,
                                                                  .data = ones,
                                                                  .length = 4,
                                                                  .byte_enables = enables,
                                                                  .byte_enable_length = 3}),
                 ENABLES);
    // The bytes that were written past the PPU are not put right again for the comparison of a tandem.
    cr_assert_eq(move(PLATFORM_MEMORY_PART, PLATFORM_WRITE, 64, (uint8_t[7]){0}, 7), OK);
    cr_assert_eq(move(PLATFORM_MEMORY_PART, PLATFORM_WRITE, 6001, (uint8_t[700]){0}, 700), OK);
    close_device(device);
}

static const char count_kernel[] =
    ".kernel count\n.registers 8\n.arg global out\n    S2R R0, SR_TID_X\n    LDC.32 R1, c[0][RZ + 0x40]\n    SHL R2, "
    "R0, 2\n"
    "    IADD R1, R1, R2\n    IADD R0, R0, 5\n    STG.32 [R1], R0\n    EXIT\n";

static void count_on(struct tandem_device *device, uint32_t times) {
    struct tandem_module *module = load_assembly(device, count_kernel);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    for (uint32_t t = 0; t < times; t++) {
        const tandem_addr out = new_words(device, 32);
        const struct tandem_range range = {.dimensions = 1, .global = {32, 1, 1}, .local = {32, 1, 1}};
        const struct tandem_argument argument = {.data = &out, .size = sizeof out};
        must(device, TANDEM_OK, tandem_launch(channel, module, "count", &range, &argument, 1));
        must(device, TANDEM_OK, tandem_finish(channel, 1000000));
        for (uint32_t i = 0; i < 32; i++)
            cr_assert_eq(read_word(device, out + 4 * i), i + 5);
    }
    tandem_channel_close(channel);
    tandem_module_unload(module);
}

static struct platform_figures figures_of(void) {
    struct platform_figures figures;
    platform_ops.figures(platform_ops.current(), &figures);
    return figures;
}

// What the driver does in the platform, with damaged packets on the way.
static void driver(const char *name) {
    char full[128];
    snprintf(full, sizeof full, "%s,link=200,link_errors=50000,link_credits=2,link_tags=3", name);
    struct tandem_device *device = open_platform(full);
    count_on(device, 3);
    const struct platform_figures figures = figures_of();
    cr_assert(figures.link.sent > 100 && figures.link.damaged > 0 && figures.link.sent_again > 0);
    cr_assert_gt(figures.memory_transactions, 0);
    close_device(device);
}

#define ON_CORES(body, what)                                                \
    Test(systemc, body##_model, .description = "GM-2 " what " [model]") {   \
        body("systemc:nano");                                               \
    }                                                                       \
    Test(systemc, body##_hardware, .description = "GM-2 " what " [rtl]") {  \
        body("systemc:nano,core=rtl");                                      \
    }                                                                       \
    Test(systemc, body##_tandem, .description = "GM-2 " what " [tandem]") { \
        body("systemc:nano,core=tandem");                                   \
    }

ON_CORES(register_words, "words of the register space, and what is no such word")
ON_CORES(memory, "memory through each socket: bytes, lengths, byte enables, addresses past its end")
ON_CORES(driver, "the driver runs kernels over a link that damages packets")

Test(systemc, direct_memory,
     .description = "GM-2 the model takes direct memory, and leaves it when it is invalidated [model]") {
    struct tandem_device *device = open_platform("systemc:nano");
    void *self = platform_ops.current();
    uint64_t start = 1, end = 0;
    uint32_t word = 0;
    cr_assert(platform_ops.direct(self, PLATFORM_MEMORY_PART, 0, &start, &end));
    cr_assert(start == 0 && end == (4u << 20) - 1);
    cr_assert_not(platform_ops.direct(self, PLATFORM_MEMORY_PART, 4u << 20, &start, &end));
    // Nothing gets past the link or the PPU.
    cr_assert_not(platform_ops.direct(self, PLATFORM_LINK, PLATFORM_MEMORY, &start, &end));
    cr_assert_not(platform_ops.direct(self, PLATFORM_PPU, PLATFORM_MEMORY, &start, &end));
    struct platform_transaction hint = {.command = PLATFORM_READ, .data = (uint8_t *)&word, .length = 4};
    cr_assert(platform_ops.transport(self, PLATFORM_MEMORY_PART, &hint));
    cr_assert(hint.dmi_allowed);
    cr_assert(platform_ops.transport(self, PLATFORM_PPU, &hint));
    cr_assert_not(hint.dmi_allowed);

    count_on(device, 2);
    const struct platform_figures before = figures_of();
    count_on(device, 1);
    struct platform_figures now = figures_of();
    cr_assert_gt(now.direct, before.direct);
    cr_assert_eq(now.memory_transactions, before.memory_transactions, "with direct memory no transaction is needed");
    // From here on every access is a transaction, and the results are the same.
    platform_ops.grant_direct(self, false);
    const struct platform_figures without = figures_of();
    cr_assert_eq(without.dmi_invalidated, before.dmi_invalidated + 1);
    count_on(device, 1);
    now = figures_of();
    cr_assert_eq(now.direct, without.direct, "direct access to memory that was invalidated");
    cr_assert_gt(now.memory_transactions, without.memory_transactions);
    cr_assert_not(platform_ops.direct(self, PLATFORM_MEMORY_PART, 0, &start, &end));
    platform_ops.grant_direct(self, true);
    count_on(device, 1);
    cr_assert_gt(figures_of().direct, now.direct);
    close_device(device);
}

Test(systemc, transactions_of_hardware, .description = "GM-2 all that the RTL does to memory is transactions [rtl]") {
    struct tandem_device *device = open_platform("systemc:nano,core=rtl");
    count_on(device, 1);
    const struct platform_figures figures = figures_of();
    cr_assert(figures.memory_transactions > 10 && figures.direct == 0);
    close_device(device);
}

Test(systemc, quantum, .description = "GM-2 any quantum gives the same results [model]") {
    static const uint32_t quanta[] = {1, 7, 100, 1000000};
    for (uint32_t i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "systemc:small,quantum=%u,link=%u", quanta[i], 100 * i);
        struct tandem_device *device = open_platform(name);
        count_on(device, 2);
        close_device(device);
    }
}

Test(systemc, latency, .description = "GM-2 the link's latency is time of the device [rtl]") {
    uint64_t took[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct tandem_device *device =
            open_platform(i == 0 ? "systemc:nano,core=rtl" : "systemc:nano,core=rtl,link=10000");
        struct tandem_statistics before, after;
        struct tandem_info info;
        tandem_get_info(device, &info);
        tandem_get_statistics(device, &before);
        (void)tandem_reg_read(device, REG_MAGIC);
        tandem_get_statistics(device, &after);
        took[i] = (after.cycles - before.cycles) * info.ns_per_cycle;
        close_device(device);
    }
    cr_assert(took[1] >= took[0] + 9000 && took[1] < took[0] + 12000, "%llu and %llu ns", (unsigned long long)took[0],
              (unsigned long long)took[1]);
}

Test(systemc, one_device, .description = "GM-2 a process holds one such device at a time, and one after the other") {
    struct tandem_device *device = open_platform("systemc:nano"), *second = NULL, *beside = NULL;
    char message[256] = "";
    cr_assert_eq(tandem_open("systemc:nano,mem=4", &second, message, sizeof message), TANDEM_NO_DEVICE);
    cr_assert(strstr(message, "one simulation in a process") != NULL && strchr(message, '\n') == NULL, "%s", message);
    cr_assert_eq(tandem_open("model:nano,mem=4", &beside, message, sizeof message), TANDEM_OK);
    count_on(beside, 1);
    close_device(beside);
    count_on(device, 1);
    close_device(device);
    // One that could not be opened leaves the place free.
    cr_assert_neq(tandem_open("systemc:nano,mem=4,core=rtl,inject_model=4", &second, message, sizeof message),
                  TANDEM_OK);
    device = open_platform("systemc:small");
    count_on(device, 1);
    close_device(device);
}

// Defect 101 of the model: IADD loses a carry.
Test(systemc, fault_is_caught, .description = "GM-2 a planted fault is caught through the platform [tandem]") {
    char folder[] = "/tmp/tandem-systemc-XXXXXX", message[512];
    cr_assert_not_null(mkdtemp(folder));
    setenv("TANDEM_REPORTS", folder, 1);
    struct tandem_device *device = open_platform("systemc:nano,core=tandem,inject_model=101");
    struct tandem_module *module = load_assembly(device,
                                                 ".kernel carry\n.registers 4\n    S2R R0, SR_TID_X\n"
                                                 "    IADD R0, R0, 0xFFFF\n    EXIT\n");
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    const struct tandem_range range = {.dimensions = 1, .global = {32, 1, 1}, .local = {32, 1, 1}};
    must(device, TANDEM_OK, tandem_launch(channel, module, "carry", &range, NULL, 0));
    cr_assert_eq(tandem_finish(channel, 1000000), TANDEM_MISMATCH);
    snprintf(message, sizeof message, "%s", tandem_message(device));
    cr_assert(strstr(message, "WB") != NULL && strstr(message, folder) != NULL, "%s", message);
    cr_assert_eq(remove(strstr(message, folder)), 0, "%s", message);
    tandem_channel_close(channel);
    tandem_module_unload(module);
    cr_assert_eq(tandem_close(device), TANDEM_MISMATCH);
    rmdir(folder);
}
