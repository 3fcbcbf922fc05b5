// Rings and entries of a channel that no driver serves, on every kind of device: registers set by hand, pointers at
// their bounds, entries that are not good, places behind the space, what CONTROL and STATUS say (cmodel/host/registers.tbl,
// methods.tbl, rtl/host).
#include "gen/registers.h"
#include "on_devices.h"
#include "raw_blocks.h"

#define CHANNEL (REG_CHANNEL_BASE + REG_CHANNEL_STRIDE)  // number 1
#define USERD (REG_USERD_BASE + REG_USERD_STRIDE)
#define ENTRY1(words) ((words) << 10)

// Waits until GP_GET has come to the pointer, or the channel has faulted.
static void run_until(const struct blocks *b, uint32_t pointer) {
    for (uint32_t i = 0; i < 100 && tandem_reg_read(b->device, USERD + USERD_GP_GET) != pointer &&
                         tandem_reg_read(b->device, CHANNEL + CHANNEL_FAULT_CODE) == 0;
         i++)
        must(b->device, TANDEM_OK, tandem_run(b->device, 200));
}

static void expect_state(const struct blocks *b, uint32_t get, uint32_t code, uint32_t info, const char *what) {
    const uint32_t pointer = tandem_reg_read(b->device, USERD + USERD_GP_GET);
    const uint32_t found = tandem_reg_read(b->device, CHANNEL + CHANNEL_FAULT_CODE);
    const uint32_t told = tandem_reg_read(b->device, CHANNEL + CHANNEL_FAULT_INFO);
    const uint32_t status = tandem_reg_read(b->device, CHANNEL + CHANNEL_STATUS);
    cr_expect(pointer == get && found == code && told == info && status == (code != 0 ? 7 : 0),
              "%s: %s: GP_GET %u, fault %u, info 0x%x, STATUS 0x%x, expected GP_GET %u, fault %u, info 0x%x", b->name,
              what, pointer, found, told, status, get, code, info);
    cr_expect_eq(tandem_reg_read(b->device, CHANNEL + CHANNEL_FAULT_PC), 0);
}

// A reset, and a ring at this place with so many entries; enabled.
static void set_ring(const struct blocks *b, uint32_t base, uint32_t entries) {
    tandem_reg_write(b->device, CHANNEL + CHANNEL_CONTROL, 2);
    tandem_reg_write(b->device, CHANNEL + CHANNEL_GP_BASE, base);
    tandem_reg_write(b->device, CHANNEL + CHANNEL_GP_ENTRIES, entries);
    tandem_reg_write(b->device, CHANNEL + CHANNEL_CONTROL, 1);
    expect_state(b, 0, 0, 0, "after a reset");
    cr_expect_eq(tandem_reg_read(b->device, USERD + USERD_GP_PUT), 0);
}

static struct blocks ring_begin(const char *name, tandem_addr *ring) {
    struct blocks b = blocks_begin(name);
    *ring = 0;
    must(b.device, TANDEM_OK, tandem_alloc(b.device, 64 * 8, 64, ring));
    tandem_reg_write(b.device, CHANNEL + CHANNEL_SPACE_BASE,
                     tandem_reg_read(b.device, REG_CHANNEL_BASE + CHANNEL_SPACE_BASE));
    tandem_reg_write(b.device, CHANNEL + CHANNEL_SPACE_SIZE, b.space);
    return b;
}

// Entry `number` of the ring: a block of one word that sets REFERENCE.
static void reference_entry(const struct blocks *b, tandem_addr ring, uint32_t number, uint32_t value) {
    const tandem_addr block = b->block + 4 * (number % BLOCK_WORDS);
    write_word(b->device, block, IMMD(REFERENCE, value));
    write_word(b->device, ring + 8 * number, block);
    write_word(b->device, ring + 8 * number + 4, ENTRY1(1));
}

static void ring_end(struct blocks *b) {
    tandem_reg_write(b->device, CHANNEL + CHANNEL_CONTROL, 2);
    tandem_reg_write(b->device, CHANNEL + CHANNEL_CONTROL, 0);
    blocks_end(b);
}

static void pointers(const char *name) {
    tandem_addr ring;
    struct blocks b = ring_begin(name, &ring);
    // Rings of several sizes, an entry at a time, over the wrap.
    for (uint32_t entries = 2; entries < 10; entries++) {
        set_ring(&b, ring, entries);
        for (uint32_t i = 0; i < 2 * entries + 1; i++) {
            reference_entry(&b, ring, i % entries, 100 * entries + i);
            tandem_reg_write(b.device, USERD + USERD_GP_PUT, (i + 1) % entries);
            run_until(&b, (i + 1) % entries);
            expect_state(&b, (i + 1) % entries, 0, 0, "an entry");
            cr_expect_eq(tandem_reg_read(b.device, USERD + USERD_REFERENCE), 100 * entries + i);
        }
    }
    const uint32_t sizes[] = {0, 1, 65537, 0x10002, 0x80000000};
    for (uint32_t i = 0; i < 5; i++) {
        set_ring(&b, ring, sizes[i]);
        tandem_reg_write(b.device, USERD + USERD_GP_PUT, 1);
        run_until(&b, 1);
        expect_state(&b, 0, FAULT_GPPTR, sizes[i], "GP_ENTRIES out of range");
    }
    const uint32_t puts[] = {8, 9, 0x10001, 0xFFFFFFFF};
    for (uint32_t i = 0; i < 4; i++) {
        set_ring(&b, ring, 8);
        tandem_reg_write(b.device, USERD + USERD_GP_PUT, puts[i]);
        run_until(&b, 1);
        expect_state(&b, 0, FAULT_GPPTR, puts[i], "GP_PUT past the ring");
    }
    set_ring(&b, ring, 65536);
    reference_entry(&b, ring, 0, 0x1234);
    tandem_reg_write(b.device, USERD + USERD_GP_PUT, 1);
    run_until(&b, 1);
    expect_state(&b, 1, 0, 0, "the largest ring");
    ring_end(&b);
}
ON_DEVICES(rings, pointers, "WQ-1 WQ-2 WQ-3 WQ-15 rings of many sizes, pointers out of range")

static void entries(const char *name) {
    tandem_addr ring;
    struct blocks b = ring_begin(name, &ring);
    const uint32_t space = b.space;
    uint8_t last[16];
    must(b.device, TANDEM_OK, tandem_read(b.device, space - 16, last, sizeof last));
    write_word(b.device, b.block, IMMD(REFERENCE, 0x321));
    write_word(b.device, b.block + 4, IMMD(REFERENCE, 0x322));
    write_word(b.device, space - 4, IMMD(REFERENCE, 0x323));
    const struct {
        uint32_t entry0, entry1, code, info, reference;
    } cases[] = {{b.block, ENTRY1(1), FAULT_NONE, 0, 0x321},
                 {b.block, ENTRY1(2), FAULT_NONE, 0, 0x322},
                 {b.block + 4, ENTRY1(1), FAULT_NONE, 0, 0x322},
                 {b.block | 1, ENTRY1(1), FAULT_NONE, 0, 0x321},         // FETCH
                 {b.block, ENTRY1(1) | 1u << 9, FAULT_NONE, 0, 0x321},   // LEVEL
                 {b.block, ENTRY1(1) | 1u << 31, FAULT_NONE, 0, 0x321},  // SYNC
                 {b.block, 0, FAULT_NONE, 0, 0x777},                     // NOP
                 {0xFFFFFFFC, 0, FAULT_NONE, 0, 0x777},
                 {0, 2, FAULT_GPENTRY, 2, 0x777},
                 {0, 3, FAULT_GPENTRY, 3, 0x777},
                 {0, 0x80, FAULT_GPENTRY, 0x80, 0x777},
                 {b.block, ENTRY1(1) | 0x80, FAULT_GPENTRY, ENTRY1(1) | 0x80, 0x777},
                 {b.block, ENTRY1(1) | 0x10, FAULT_GPENTRY, ENTRY1(1) | 0x10, 0x777},
                 {space - 4, ENTRY1(1), FAULT_NONE, 0, 0x323},
                 {space - 4, ENTRY1(2), FAULT_PBFETCH, space, 0x323},
                 {space, ENTRY1(1), FAULT_PBFETCH, space, 0x777},
                 {0xFFFFFFFC, ENTRY1(1), FAULT_PBFETCH, 0xFFFFFFFC, 0x777},
                 {space + 8, ENTRY1(1), FAULT_PBFETCH, space + 8, 0x777}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_ring(&b, ring, 8);
        reference_entry(&b, ring, 0, 0x777);
        write_word(b.device, b.block, IMMD(REFERENCE, 0x777));
        tandem_reg_write(b.device, USERD + USERD_GP_PUT, 1);
        run_until(&b, 1);
        write_word(b.device, b.block, IMMD(REFERENCE, 0x321));
        write_word(b.device, ring + 8, cases[i].entry0);
        write_word(b.device, ring + 12, cases[i].entry1);
        tandem_reg_write(b.device, USERD + USERD_GP_PUT, 2);
        run_until(&b, 2);
        expect_state(&b, cases[i].code == 0 ? 2 : 1, cases[i].code, cases[i].info, "an entry");
        const uint32_t reference = tandem_reg_read(b.device, USERD + USERD_REFERENCE);
        cr_expect_eq(reference, cases[i].reference, "%s: entry %u sets 0x%x", name, i, reference);
    }
    // The ring itself: its last entry is the last of the space; it lies behind it; its addresses go beyond 32 bits.
    const struct {
        uint32_t base, code, info;
    } rings[] = {{space - 16, FAULT_NONE, 0},
                 {space - 8, FAULT_GPFIFO, space},
                 {space, FAULT_GPFIFO, space},
                 {0xFFFFFFF0, FAULT_GPFIFO, 0xFFFFFFF0},
                 {space + 24, FAULT_GPFIFO, space + 24}};
    for (uint32_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
        static const uint8_t nothing[16] = {0};
        must(b.device, TANDEM_OK, tandem_write(b.device, space - 16, nothing, sizeof nothing));
        set_ring(&b, rings[i].base, 8);
        tandem_reg_write(b.device, USERD + USERD_GP_PUT, 2);
        run_until(&b, 2);
        expect_state(&b, rings[i].code == 0 ? 2 : rings[i].base == space - 8, rings[i].code, rings[i].info, "a ring");
    }
    must(b.device, TANDEM_OK, tandem_write(b.device, space - 16, last, sizeof last));
    ring_end(&b);
}
ON_DEVICES(rings, entries, "WQ-1 WQ-5 SP-1 entries, blocks and rings up to the end of the space")

// ---- CONTROL and STATUS ----
static const char spin[] =
    ".kernel spin\n.registers 8\n.arg global word\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "again:\n    LDG.32 R2, [R1]\n    ISETP.EQ P0, R2, 0\n    @P0 BRA again\n    EXIT\n";

static void states(const char *name) {
    struct blocks b = blocks_begin(name);
    struct tandem_module *module = load_assembly(b.device, spin);
    const tandem_addr gate = new_words(b.device, 1);
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument pointer = {&gate, 4};
    const uint32_t channel = REG_CHANNEL_BASE, userd = REG_USERD_BASE;
    for (uint32_t tasks = 1; tasks < 4; tasks++) {
        write_word(b.device, gate, 0);
        for (uint32_t i = 0; i < tasks; i++)
            must(b.device, TANDEM_OK, tandem_launch(b.channel, module, "spin", &one, &pointer, 1));
        must(b.device, TANDEM_OK, tandem_submit(b.channel));
        must(b.device, TANDEM_OK, tandem_run(b.device, 5000));
        cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), tasks << 8, "%s: STATUS with %u tasks", name,
                     tasks);
        // Each of these waits until the tasks have ended; a mark behind them comes later.
        const tandem_addr mark = b.words + 4 * tasks;
        write_word(b.device, mark, 0);
        if (tasks == 1) block_put(&b, IMMD(0x078, 0));
        if (tasks == 2) block_put(&b, IMMD(REFERENCE, 7));
        block_semaphore(&b, mark, 1, tasks == 3 ? RELEASE | 1u << 24 : RELEASE_NOW);
        block_submit(&b);
        must(b.device, TANDEM_OK, tandem_run(b.device, 5000));
        cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), tasks << 8 | 4, "%s: STATUS in a wait", name);
        cr_expect_eq(read_word(b.device, mark), 0);
        cr_expect_eq(tandem_reg_read(b.device, userd + USERD_REFERENCE), tasks == 3 ? 7 : 0);
        // A reset is refused meanwhile.
        const uint32_t get = tandem_reg_read(b.device, userd + USERD_GP_GET);
        tandem_reg_write(b.device, channel + CHANNEL_CONTROL, 3);
        cr_expect_eq(tandem_reg_read(b.device, userd + USERD_GP_GET), get);
        write_word(b.device, gate, 1);
        must(b.device, TANDEM_OK, tandem_wait(b.channel, mark, 1, 1000000));
        must(b.device, TANDEM_OK, tandem_finish(b.channel, 1000000));
        must(b.device, TANDEM_OK, tandem_run(b.device, 1000));
        cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), 0, "%s: STATUS afterwards", name);
    }
    // Not enabled nothing is fetched; SUSPEND with nothing to do is there at once.
    const tandem_addr mark = b.words;
    write_word(b.device, mark, 0);
    tandem_reg_write(b.device, channel + CHANNEL_CONTROL, 0);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_CONTROL), 0);
    block_semaphore(&b, mark, 1, RELEASE_NOW);
    block_submit(&b);
    must(b.device, TANDEM_OK, tandem_run(b.device, 2000));
    cr_expect_eq(read_word(b.device, mark), 0);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), 0);
    tandem_reg_write(b.device, channel + CHANNEL_CONTROL, 1);
    must(b.device, TANDEM_OK, tandem_wait(b.channel, mark, 1, 100000));
    must(b.device, TANDEM_OK, tandem_run(b.device, 1000));
    tandem_reg_write(b.device, channel + CHANNEL_CONTROL, 0x11);
    must(b.device, TANDEM_OK, tandem_run(b.device, 1000));
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_CONTROL), 0x11);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), 0x10);
    tandem_reg_write(b.device, channel + CHANNEL_CONTROL, 1);
    must(b.device, TANDEM_OK, tandem_run(b.device, 1000));
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), 0);
    // STOP: a fault of its own.
    tandem_reg_write(b.device, channel + CHANNEL_CONTROL, 9);
    must(b.device, TANDEM_OK, tandem_run(b.device, 1000));
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_STATUS), 7);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_FAULT_CODE), FAULT_STOPPED);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_FAULT_INFO), 0);
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    tandem_module_unload(module);
    blocks_end(&b);
}
ON_DEVICES(rings, states, "WQ-6 WQ-8 TU-4 what CONTROL does to a channel, and what STATUS says of it")
