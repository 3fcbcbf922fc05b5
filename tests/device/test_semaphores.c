// Semaphores on every kind of device: every reduction, releases, acquires at the bounds of what they compare, operations
// that are not good. What must come is said by cmodel/host/methods.tbl; INC and DEC are CUDA's atomicInc(), atomicDec().
#include "gen/registers.h"
#include "on_devices.h"
#include "raw_blocks.h"

#define DEADLINE 1000000u

// ---- reductions and releases ----
static void reductions(const char *name) {
    struct blocks b = blocks_begin(name);
    enum { MIN, MAX, XOR, AND, OR, ADD, INCREMENT, DECREMENT };
    const struct {
        uint32_t operation, is_unsigned, before, payload, after;
    } cases[] = {
        {MIN, 0, 0xFFFFFFFB, 3, 0xFFFFFFFB},
        {MIN, 0, 3, 0xFFFFFFFB, 0xFFFFFFFB},
        {MIN, 1, 0xFFFFFFFB, 3, 3},
        {MIN, 1, 3, 0xFFFFFFFB, 3},
        {MAX, 0, 0xFFFFFFFB, 3, 3},
        {MAX, 0, 3, 0xFFFFFFFB, 3},
        {MAX, 1, 0xFFFFFFFB, 3, 0xFFFFFFFB},
        {MAX, 1, 3, 0xFFFFFFFB, 0xFFFFFFFB},
        {XOR, 0, 0xFF00FF00, 0x0FF00FF0, 0xF0F0F0F0},
        {AND, 1, 0xFF00FF00, 0x0FF00FF0, 0x0F000F00},
        {OR, 0, 0xFF00FF00, 0x0FF00FF0, 0xFFF0FFF0},
        {ADD, 0, 0xFFFFFFFF, 2, 1},
        {ADD, 1, 0x7FFFFFFF, 1, 0x80000000},
        {INCREMENT, 0, 4, 5, 5},
        {INCREMENT, 0, 5, 5, 0},
        {INCREMENT, 0, 6, 5, 0},
        {INCREMENT, 0, 5, 0x80000000, 6},
        {INCREMENT, 0, 0x80000000, 5, 0},
        {INCREMENT, 1, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF},
        {DECREMENT, 0, 5, 5, 4},
        {DECREMENT, 0, 6, 5, 5},
        {DECREMENT, 0, 0, 5, 5},
        {DECREMENT, 1, 1, 0x80000000, 0},
        {DECREMENT, 0, 0x80000000, 5, 5},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t before[16], after[16];
        for (uint32_t w = 0; w < 16; w++)
            before[w] = w == i % 16 ? cases[i].before : 0xABCD0000 + w;
        must(b.device, TANDEM_OK, tandem_write(b.device, b.words, before, sizeof before));
        block_semaphore(&b, b.words + 4 * (i % 16), cases[i].payload,
                        REDUCTION | cases[i].operation << 27 | cases[i].is_unsigned << 31);
        block_passes(&b, "a reduction");
        must(b.device, TANDEM_OK, tandem_read(b.device, b.words, after, sizeof after));
        before[i % 16] = cases[i].after;
        for (uint32_t w = 0; w < 16; w++)
            cr_expect_eq(after[w], before[w], "%s: reduction %u: word %u is 0x%x, expected 0x%x", name, i, w, after[w],
                         before[w]);
    }
    // Releases of four bytes, and of sixteen: {payload, 0, nanoseconds}.
    for (uint32_t w = 0; w < 16; w++) {
        uint32_t before[16], after[16];
        const bool wide = w % 4 == 0;
        for (uint32_t k = 0; k < 16; k++)
            before[k] = 0x11110000 + k;
        must(b.device, TANDEM_OK, tandem_write(b.device, b.words, before, sizeof before));
        const uint64_t from = tandem_time(b.device);
        block_semaphore(&b, b.words + 4 * w, 0xFEED0000 + w, RELEASE | (wide ? 0 : 1u << 24) | (w & 1) << 20);
        block_passes(&b, "a release");
        const uint64_t to = tandem_time(b.device);
        must(b.device, TANDEM_OK, tandem_read(b.device, b.words, after, sizeof after));
        const uint64_t time = after[(w + 2) % 16] | (uint64_t)after[(w + 3) % 16] << 32;
        cr_expect(!wide || (after[w + 1] == 0 && time >= from && time <= to), "%s: a time stamp of %llu", name,
                  (unsigned long long)time);
        for (uint32_t k = 0; k < 16; k++) {
            if (k == w)
                cr_expect_eq(after[k], 0xFEED0000 + w);
            else if (!wide || k / 4 != w / 4)
                cr_expect_eq(after[k], before[k], "%s: release %u changes word %u", name, w, k);
        }
    }
    blocks_end(&b);
}
ON_DEVICES(semaphores, reductions, "WQ-7 every reduction, releases of both sizes, at each word of a line")

// ---- acquires ----
static uint32_t status(const struct blocks *b) {
    return tandem_reg_read(b->device, REG_CHANNEL_BASE + CHANNEL_STATUS);
}

static void acquires(const char *name) {
    struct blocks b = blocks_begin(name);
    const struct {
        uint32_t operation, memory, payload;
        bool passes;
        uint32_t then;  // what lets it go on
    } cases[] = {
        {ACQUIRE, 7, 7, true, 0},
        {ACQUIRE, 8, 7, false, 7},
        {ACQUIRE, 6, 7, false, 7},
        {ACQUIRE, 0x80000007, 7, false, 7},
        {ACQ_GEQ, 7, 7, true, 0},
        {ACQ_GEQ, 8, 7, true, 0},
        {ACQ_GEQ, 6, 7, false, 7},
        {ACQ_GEQ, 0x80000000, 0x7FFFFFFF, true, 0},
        {ACQ_GEQ, 0x80000000, 0xFFFFFFFF, false, 0},
        {ACQ_GEQ, 0, 0x80000000, false, 0x80000001},
        {ACQ_GEQ, 0xFFFFFFFF, 0, false, 0x7FFFFFFF},
        {ACQ_GEQ, 0, 0xFFFFFFFF, true, 0},
        {ACQ_AND, 6, 3, true, 0},
        {ACQ_AND, 4, 3, false, 1},
        {ACQ_AND, 0, 0xFFFFFFFF, false, 0x00010000},
        {ACQ_AND, 0x80000000, 0x80000000, true, 0},
    };
    const uint32_t channel = REG_CHANNEL_BASE;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tandem_addr at = b.words + 4 * (i % 8), mark = b.words + 32;
        write_word(b.device, at, cases[i].memory);
        write_word(b.device, mark, 0);
        cr_expect_eq(status(&b), 0, "%s: IDLE before acquire %u: 0x%x", name, i, status(&b));
        block_semaphore(&b, at, cases[i].payload, cases[i].operation | (i & 1) << 12);
        block_semaphore(&b, mark, i + 1, RELEASE_NOW);
        block_submit(&b);
        must(b.device, TANDEM_OK, tandem_run(b.device, 3000));
        cr_expect_eq(read_word(b.device, mark), cases[i].passes ? i + 1 : 0, "%s: acquire %u", name, i);
        cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_BLOCKED_ADDR), at, "%s: acquire %u", name, i);
        cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_BLOCKED_PAYLOAD), cases[i].payload, "%s: acquire %u",
                     name, i);
        cr_expect_eq(status(&b), cases[i].passes ? 0 : 3, "%s: acquire %u: STATUS 0x%x", name, i, status(&b));
        if (!cases[i].passes) write_word(b.device, at, cases[i].then);
        must(b.device, TANDEM_OK, tandem_wait(b.channel, mark, i + 1, DEADLINE));
        must(b.device, TANDEM_OK, tandem_run(b.device, 1000));
    }
    // A reset leaves nothing of a blocked acquire.
    write_word(b.device, b.words, 0);
    block_semaphore(&b, b.words, 1, ACQUIRE);
    block_submit(&b);
    must(b.device, TANDEM_OK, tandem_run(b.device, 3000));
    cr_expect_eq(status(&b), 3);
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    cr_expect_eq(status(&b), 0);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_BLOCKED_ADDR), 0);
    cr_expect_eq(tandem_reg_read(b.device, channel + CHANNEL_BLOCKED_PAYLOAD), 0);
    block_put(&b, 0);
    block_passes(&b, "after a reset");
    blocks_end(&b);
}
ON_DEVICES(semaphores, acquires, "WQ-6 WQ-7 what each acquire waits for, and what STATUS says of it")

static void bad_semaphores(const char *name) {
    struct blocks b = blocks_begin(name);
    for (uint32_t operation = 0; operation < 32; operation++) {
        const bool known = (operation & (operation - 1)) == 0 && operation != 0;
        if (known) continue;
        block_semaphore(&b, b.words + 4, 0, operation);
        block_faults(&b, FAULT_SEMAPHORE, b.words + 4, "an operation that there is not");
    }
    for (uint32_t number = 8; number < 16; number++) {
        block_semaphore(&b, b.words + 8, 0, REDUCTION | number << 27);
        block_faults(&b, FAULT_SEMAPHORE, b.words + 8, "a reduction that there is not");
    }
    const uint32_t operations[] = {ACQUIRE, RELEASE_NOW, ACQ_GEQ, ACQ_AND, REDUCTION | 5u << 27, RELEASE | 1u << 20};
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t low = 1; low < 4; low++) {
            block_semaphore(&b, b.words + low, 0, operations[i]);
            block_faults(&b, FAULT_SEMAPHORE, b.words + low, "an address that is not aligned");
        }
        const uint32_t size = i == 5 ? 16 : 4;
        write_word(b.device, b.space - 4, 0);
        block_semaphore(&b, b.space - size, i == 3 ? 1 : 0, i == 3 ? REDUCTION | 4u << 27 : operations[i]);
        if (i == 3) block_semaphore(&b, b.space - size, 1, operations[i]);
        block_passes(&b, "the last word of the space");
        block_semaphore(&b, b.space, 0, operations[i]);
        block_faults(&b, FAULT_SEMAPHORE_ADDRESS, b.space, "a semaphore behind the space");
        block_semaphore(&b, 0xFFFFFFF0, 0, operations[i]);
        block_faults(&b, FAULT_SEMAPHORE_ADDRESS, 0xFFFFFFF0, "a semaphore far behind the space");
        for (uint32_t upper = 1; upper < 0x100; upper *= 2) {
            block_semaphore(&b, b.words, 0, operations[i]);
            b.text[b.count - 4] = upper;
            block_faults(&b, FAULT_SEMAPHORE_ADDRESS, b.words, "a semaphore beyond 32 bits");
        }
    }
    block_semaphore(&b, b.words + 4, 0, operations[5]);
    block_faults(&b, FAULT_SEMAPHORE, b.words + 4, "sixteen bytes at a multiple of four");
    block_semaphore(&b, b.words + 8, 0, operations[5]);
    block_faults(&b, FAULT_SEMAPHORE, b.words + 8, "sixteen bytes at a multiple of eight");
    blocks_end(&b);
}
ON_DEVICES(semaphores, bad_semaphores,
           "WQ-7 SP-1 semaphore operations that are not good fault by name with their address")
