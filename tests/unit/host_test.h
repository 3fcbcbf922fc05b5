// What the tests of the host interface share: a nano device with two channels, their rings and blocks, and the events
// that it tells.
#ifndef TANDEM_TESTS_UNIT_HOST_TEST_H
#define TANDEM_TESTS_UNIT_HOST_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "host_standins.h"

#define SPACE_BASE 0x10000u
#define SPACE_SIZE 0x10000u
#define RING 0x1000u
#define BLOCK 0x2000u
#define SEMAPHORE 0x3000u
#define MAX_EVENTS 4096u

enum { INC = 1, NON_INC = 3, IMMD = 4, ONE_INC = 5 };
enum { SEM_ACQUIRE = 1, SEM_RELEASE = 2, SEM_GEQ = 4, SEM_AND = 8, SEM_REDUCTION = 16 };
#define NO_WFI (1u << 20)
#define SIZE_4_BYTES (1u << 24)

struct host_test {
    struct ppu *ppu;
    uint32_t count;
    struct trace_event events[MAX_EVENTS];
    uint32_t next_block[2];  // where the next command block of a channel goes
    uint32_t put[2], entries[2];
};

static inline void sink(void *context, const struct trace_event *event) {
    struct host_test *t = context;
    if (t->count < MAX_EVENTS) t->events[t->count++] = *event;
}

static inline void channel_register(struct host_test *t, uint32_t channel, uint32_t offset, uint32_t value) {
    ppu_reg_write(t->ppu, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset, value);
}
static inline uint32_t channel_read_register(struct host_test *t, uint32_t channel, uint32_t offset) {
    return ppu_reg_read(t->ppu, REG_CHANNEL_BASE + channel * REG_CHANNEL_STRIDE + offset);
}
static inline uint32_t userd(struct host_test *t, uint32_t channel, uint32_t offset) {
    return ppu_reg_read(t->ppu, REG_USERD_BASE + channel * REG_USERD_STRIDE + offset);
}
static inline void set_put(struct host_test *t, uint32_t channel, uint32_t put) {
    ppu_reg_write(t->ppu, REG_USERD_BASE + channel * REG_USERD_STRIDE + USERD_GP_PUT, put);
}

static inline uint64_t physical(uint32_t addr) {
    return SPACE_BASE + (uint64_t)addr;
}
static inline void poke(struct host_test *t, uint32_t addr, uint32_t word) {
    cr_assert(ppu_mem_write(t->ppu, physical(addr), &word, 4));
}
static inline uint32_t peek(struct host_test *t, uint32_t addr) {
    uint32_t word;
    cr_assert(ppu_mem_read(t->ppu, physical(addr), &word, 4));
    return word;
}

static inline struct host_test *begin(uint32_t entries) {
    struct host_test *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    t->ppu = ppu_create(ppu_config_find("nano"), 1 << 20, 1);
    cr_assert_not_null(t->ppu);
    ppu_set_trace(t->ppu, sink, t);
    for (uint32_t c = 0; c < 2; c++) {
        t->entries[c] = entries;
        t->next_block[c] = BLOCK + c * 0x800;
        channel_register(t, c, CHANNEL_SPACE_BASE, SPACE_BASE);
        channel_register(t, c, CHANNEL_SPACE_SIZE, SPACE_SIZE);
        channel_register(t, c, CHANNEL_GP_BASE, RING + c * 0x800);
        channel_register(t, c, CHANNEL_GP_ENTRIES, entries);
        channel_register(t, c, CHANNEL_CONTROL, 1);
    }
    return t;
}
static inline void end(struct host_test *t) {
    ppu_destroy(t->ppu);
    free(t);
}
static inline void run(struct host_test *t) {
    (void)ppu_step(t->ppu, 100000);
}

// Puts a raw entry into the ring and moves GP_PUT.
static inline void raw_entry(struct host_test *t, uint32_t channel, uint32_t entry0, uint32_t entry1) {
    const uint32_t at = RING + channel * 0x800 + 8 * t->put[channel];
    poke(t, at, entry0);
    poke(t, at + 4, entry1);
    t->put[channel] = (t->put[channel] + 1) % t->entries[channel];
    set_put(t, channel, t->put[channel]);
}
static inline void submit(struct host_test *t, uint32_t channel, const uint32_t *words, uint32_t count) {
    const uint32_t addr = t->next_block[channel];
    for (uint32_t i = 0; i < count; i++)
        poke(t, addr + 4 * i, words[i]);
    t->next_block[channel] += 4 * count;
    raw_entry(t, channel, addr, count << 10);
}
#define SUBMIT(t, channel, ...) \
    submit(t, channel, (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / 4))

static inline uint32_t header(uint32_t op, uint32_t count, uint32_t subchannel, uint32_t method) {
    return op << 29 | count << 16 | subchannel << 13 | method / 4;
}
static inline void submit_semaphore(struct host_test *t, uint32_t channel, uint32_t addr, uint32_t payload,
                                    uint32_t word) {
    SUBMIT(t, channel, header(INC, 4, 0, 0x10), 0, addr, payload, word);
}

static inline const struct trace_event *nth(const struct host_test *t, enum trace_kind kind, uint32_t n) {
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->events[i].kind == kind && n-- == 0) return &t->events[i];
    }
    return NULL;
}
static inline uint32_t number_of(const struct host_test *t, enum trace_kind kind, uint32_t channel) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        // Every event of the host but INTERRUPT begins with the channel.
        if (t->events[i].kind == kind && t->events[i].method.channel == channel) n++;
    }
    return n;
}
static inline void check_fault(struct host_test *t, uint32_t channel, uint32_t code, uint32_t info) {
    cr_assert_eq(channel_read_register(t, channel, CHANNEL_FAULT_CODE), code, "code %u, must be %s",
                 channel_read_register(t, channel, CHANNEL_FAULT_CODE), fault_name(code));
    cr_assert_eq(channel_read_register(t, channel, CHANNEL_FAULT_INFO), info, "info 0x%x, must be 0x%x",
                 channel_read_register(t, channel, CHANNEL_FAULT_INFO), info);
    cr_assert_eq(channel_read_register(t, channel, CHANNEL_STATUS) & 15, code == 0 ? 0 : 7);
}

#endif
