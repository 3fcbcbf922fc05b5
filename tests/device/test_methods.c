// Command blocks word by word, on every kind of device: headers, every method, entries and rings, what STATUS says
// meanwhile, what a reset leaves. What must come is said by cmodel/host/methods.tbl, registers.tbl and rtl/host.
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"
#include "raw_blocks.h"
#include "task/tmd.h"

#define DEADLINE 1000000u

// ---- headers ----
static void headers(const char *name) {
    struct blocks b = blocks_begin(name);
    const tandem_addr at = b.words;
    const uint32_t reference = REG_USERD_BASE + USERD_REFERENCE;
    for (uint32_t way = 0; way < 6; way++) {
        write_word(b.device, at + 4, 1);
        const uint32_t written[] = {0, at + 4, 0x5A5A0000 + way, RELEASE_NOW};
        if (way == 0 || way == 1)
            block_put(&b, INC(SEMA, 4) | ON(way * 7));  // the host's own methods ignore the subchannel
        for (uint32_t i = 0; i < 4; i++) {
            if (way == 2) block_put(&b, INC(SEMA + 4 * i, 1));
            if (way == 3) block_put(&b, NON_INC(SEMA + 4 * i, 2));
            if (way == 3) block_put(&b, i == 3 ? RELEASE_NOW : 0x12345678);  // the last of several stays
            if (way == 4) block_put(&b, ONE_INC(SEMA + 4 * i, 1));
            if (way == 5) block_put(&b, 0);
            if (way == 5) block_put(&b, INC(SEMA + 4 * i, 1));
            block_put(&b, written[i]);
        }
        block_passes(&b, "a header");
        cr_expect_eq(read_word(b.device, at + 4), 0x5A5A0000 + way, "%s: header %u", name, way);
    }
    // ONE_INC goes up once, NON_INC never: further words go to the second method, to the first one.
    const struct { uint32_t header, payload; } ways[] = {{ONE_INC(SEMB, 5), 0x14}, {NON_INC(SEMC, 5), 0x15}};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t words[] = {INC(SEMA, 2), 0,    at + 8,          ways[i].header, at + 8,     0x11,
                                  0x12,         0x13, ways[i].payload, INC(SEMD, 1),   RELEASE_NOW};
        for (uint32_t k = 0; k < sizeof words / sizeof words[0]; k++)
            block_put(&b, words[k]);
        block_passes(&b, "ONE_INC and NON_INC");
        cr_expect_eq(read_word(b.device, at + 8), ways[i].payload);
    }
    // The data stand in the header; a count of 0; what stands behind the end of a segment is skipped.
    const uint32_t data[] = {0, 1, 0x1000, 0x1FFF};
    for (uint32_t i = 0; i < 4; i++) {
        block_put(&b, INC(SEMA, 0));
        block_put(&b, IMMD(REFERENCE, data[i]) | ON(i));
        block_put(&b, END_SEGMENT);
        block_put(&b, IMMD(REFERENCE, 0x777));
        block_put(&b, 0xC0000000);
        block_passes(&b, "IMMD_DATA_METHOD");
        cr_expect_eq(tandem_reg_read(b.device, reference), data[i], "%s: 0x%x", name,
                     tandem_reg_read(b.device, reference));
    }
    // Data words that go on in the next block, wherever it is cut.
    for (uint32_t first = 1; first < 5; first++) {
        write_word(b.device, at + 12, 0);
        block_semaphore(&b, at + 12, first, RELEASE_NOW);
        block_submit_in_two(&b, first);
        must(b.device, TANDEM_OK, tandem_finish(b.channel, DEADLINE));
        cr_expect_eq(read_word(b.device, at + 12), first);
    }
    blocks_end(&b);
}
ON_DEVICES(methods, headers, "WQ-5 WQ-7 every form of a header, data over the end of a block, the end of a segment")

static void bad_headers(const char *name) {
    struct blocks b = blocks_begin(name);
    for (uint32_t i = 0; i < 16; i++) {
        // SEC_OP 0, 2 and 6; 7 with something else in it.
        static const uint32_t operations[] = {0, 2, 6, 7};
        const uint32_t word = operations[i % 4] << 29 | (i / 4 == 0 ? 4u : 1u << (5 * (i / 4)));
        block_put(&b, word);
        block_faults(&b, FAULT_PBENTRY, word, "a header");
    }
    blocks_end(&b);
}
ON_DEVICES(methods, bad_headers, "WQ-5 headers that there are not fault by name with the word")

// ---- methods ----
static bool host_method(uint32_t method) {
    static const uint32_t known[] = {0x000, 0x008, 0x010, 0x014, 0x018, 0x01C, 0x020, 0x050, 0x078, 0x080};
    for (uint32_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i] == method) return true;
    }
    return false;
}

static const uint32_t compute_methods[] = {0x100, 0x110, 0x21C, 0x2B4, 0x2BC, 0x790, 0x794, 0x1608, 0x160C};
#define COMPUTE_METHODS (sizeof compute_methods / sizeof compute_methods[0])

static bool compute_method(uint32_t method) {
    for (uint32_t i = 0; i < COMPUTE_METHODS; i++) {
        if (compute_methods[i] == method) return true;
    }
    return false;
}

// Methods that there are do something, all others fault; so does what leaves the 32 bits of an address.
static void every_method(const char *name) {
    struct blocks b = blocks_begin(name);
    for (uint32_t method = 0; method < 0x100; method += 4) {
        const uint32_t subchannel = method / 4 % 8;
        if (host_method(method)) continue;
        block_put(&b, INC(method, 1) | ON(subchannel));
        block_put(&b, 0);
        block_faults(&b, FAULT_METHOD, subchannel << 16 | method, "a host method that there is not");
    }
    // Those without an effect, on any subchannel.
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) {
        static const uint32_t silent[] = {0x008, 0x010, 0x014, 0x018, 0x078, 0x080};
        for (uint32_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
            block_put(&b, IMMD(silent[i], subchannel) | ON(subchannel));
    }
    block_passes(&b, "host methods");
    // Of the class: the object's own subchannel, after the object is there.
    for (uint32_t i = 0; i <= 2 * COMPUTE_METHODS; i++) {
        // Each one and the one behind it, and the last address of all.
        const uint32_t method = i < 2 * COMPUTE_METHODS ? compute_methods[i / 2] + 4 * (i % 2) : 0x3FFC;
        for (uint32_t subchannel = 0; subchannel < 3; subchannel++) {
            block_put(&b, IMMD(method, 0) | ON(subchannel));
            block_faults(&b, FAULT_DEVICE, subchannel, "a compute method without an object");
            block_put(&b, INC(0, 1) | ON(1));
            block_put(&b, 0xA0C0);
            block_put(&b, IMMD(method, 0) | ON(subchannel));
            if (subchannel != 1)
                block_faults(&b, FAULT_DEVICE, subchannel, "a compute method on another subchannel");
            else if (compute_method(method))
                block_passes(&b, "a compute method");
            else
                block_faults(&b, FAULT_METHOD, 1u << 16 | method, "a compute method that there is not");
        }
    }
    for (uint32_t subchannel = 0; subchannel < 8; subchannel++) {
        block_put(&b, INC(0, 1) | ON(subchannel));
        block_put(&b, subchannel == 1 ? 0xA0C1 : 0xA0C0);
        block_faults(&b, FAULT_METHOD, subchannel << 16, "another class, or another subchannel");
    }
    const struct {
        uint32_t method, data, code, info;
    } cases[] = {{0x100, 5, FAULT_NONE, 0},
                 {0x110, 5, FAULT_NONE, 0},
                 {0x21C, 1, FAULT_NONE, 0},
                 {0x2B4, 0xFFFFFFFF, FAULT_NONE, 0},
                 {0x2BC, 0, FAULT_NONE, 0},
                 {0x2BC, 1, FAULT_NONE, 0},
                 {0x2BC, 2, FAULT_TMD_FETCH, 0xFFFFFF00},
                 {0x790, 0, FAULT_NONE, 0},
                 {0x790, 1, FAULT_METHOD, 0x10790},
                 {0x790, 0x80000000, FAULT_METHOD, 0x10790},
                 {0x794, 0xFFFFFFFF, FAULT_NONE, 0},
                 {0x1608, 0, FAULT_NONE, 0},
                 {0x1608, 1, FAULT_METHOD, 0x11608},
                 {0x1608, 0x100, FAULT_METHOD, 0x11608},
                 {0x160C, 0xFFFFFFFF, FAULT_NONE, 0}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t words[] = {
            INC(0, 1) | ON(1), 0xA0C0, INC(0x2B4, 1) | ON(1), 0x01FFFFFF, INC(cases[i].method, 1) | ON(1),
            cases[i].data};
        for (uint32_t k = 0; k < 6; k++)
            block_put(&b, words[k]);
        if (cases[i].code == FAULT_NONE)
            block_passes(&b, "data of a compute method");
        else
            block_faults(&b, cases[i].code, cases[i].info, "data of a compute method");
    }
    blocks_end(&b);
}
ON_DEVICES(methods, every_method, "WQ-5 WQ-6 TU-11 methods that there are, all others fault by name with their address")

// ---- what launches take from methods, and what a reset leaves of it ----
// A kernel without instructions but EXIT, that has local memory when `local` is not 0.
static void write_tmd(struct blocks *b, tandem_addr tmd_at, uint32_t offset, uint32_t local) {
    static const enum tmd_field ones[] = {
        TMD_QMD_MAJOR_VERSION,     TMD_CTA_RASTER_WIDTH,      TMD_CTA_RASTER_HEIGHT,     TMD_CTA_RASTER_DEPTH,
        TMD_CTA_THREAD_DIMENSION0, TMD_CTA_THREAD_DIMENSION1, TMD_CTA_THREAD_DIMENSION2, TMD_REGISTER_COUNT};
    uint32_t tmd[TMD_WORDS] = {0};
    for (uint32_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
        tmd_set(tmd, ones[i], 0, 1);
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, offset);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 8);
    tmd_set(tmd, TMD_LOCAL_MEMORY_LOW, 0, local);
    must(b->device, TANDEM_OK, tandem_write(b->device, tmd_at, tmd, sizeof tmd));
}

static void put_launch(struct blocks *b, tandem_addr tmd_at) {
    const uint32_t words[] = {INC(0, 1) | ON(1), 0xA0C0, INC(0x2B4, 1) | ON(1), tmd_at >> 8, IMMD(0x2BC, 2) | ON(1)};
    for (uint32_t i = 0; i < 5; i++)
        block_put(b, words[i]);
}

static void after_reset(const char *name) {
    struct blocks b = blocks_begin(name);
    static const uint32_t code[] = {0x702, 0};  // EXIT
    tandem_addr tmd_at = 0;
    must(b.device, TANDEM_OK, tandem_alloc(b.device, TMD_BYTES, TMD_BYTES, &tmd_at));
    must(b.device, TANDEM_OK, tandem_write(b.device, b.words, code, sizeof code));
    const uint32_t setting[] = {
        INC(0, 1) | ON(1), 0xA0C0, INC(0x790, 2) | ON(1), 0, 0x1000, INC(0x1608, 2) | ON(1), 0, 0x2000};
    for (uint32_t reset = 0; reset < 2; reset++) {
        // The region counts, and the base of local memory stands.
        for (uint32_t i = 0; i < 8; i++)
            block_put(&b, setting[i]);
        write_tmd(&b, tmd_at, b.words - 0x2000, 16);
        put_launch(&b, tmd_at);
        block_passes(&b, "a launch with a region and local memory");
        if (reset == 0) continue;
        must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
        put_launch(&b, tmd_at);
        block_faults(&b, FAULT_TMD_LOCAL_MEMORY, 16, "no base of local memory after a reset");
        write_tmd(&b, tmd_at, b.words, 0);
        put_launch(&b, tmd_at);
        block_passes(&b, "no program region after a reset");
    }
    // The address of the next launch, the semaphore's three words and the object are 0 after a reset.
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    block_put(&b, IMMD(SEMD, RELEASE) | ON(1));
    block_passes(&b, "a release without an address goes to address 0");
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    block_put(&b, INC(0, 1) | ON(1));
    block_put(&b, 0xA0C0);
    block_put(&b, IMMD(0x2BC, 2) | ON(1));
    block_faults(&b, FAULT_TMD_VERSION, 0, "a launch without an address looks at address 0");
    // Half of a method's data, then a reset: what follows is a header again.
    block_put(&b, INC(SEMA, 4));
    block_put(&b, 0);
    block_submit(&b);
    must(b.device, TANDEM_OK, tandem_run(b.device, 2000));
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    block_put(&b, IMMD(REFERENCE, 0x123));
    block_passes(&b, "a header after a reset");
    cr_expect_eq(tandem_reg_read(b.device, REG_USERD_BASE + USERD_REFERENCE), 0x123);
    blocks_end(&b);
}
ON_DEVICES(methods, after_reset,
           "WQ-6 TU-1 what methods have set counts for later launches, and a reset leaves nothing of it")
