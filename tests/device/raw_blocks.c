#include "raw_blocks.h"

#include "on_devices.h"

#define DEADLINE 1000000u

struct blocks blocks_begin(const char *name) {
    struct blocks b = {.name = name, .device = open_device(name)};
    struct tandem_space_info space;
    tandem_space_get_info(tandem_device_space(b.device), &space);
    b.space = (uint32_t)space.bytes;
    must(b.device, TANDEM_OK, tandem_channel_open(b.device, 16, 0, &b.channel));
    must(b.device, TANDEM_OK, tandem_alloc(b.device, 4 * BLOCK_WORDS, 64, &b.block));
    must(b.device, TANDEM_OK, tandem_alloc(b.device, 64, 64, &b.words));
    return b;
}

void blocks_end(struct blocks *b) {
    must(b->device, TANDEM_OK, tandem_channel_close(b->channel));
    close_device(b->device);
}

void block_put(struct blocks *b, uint32_t word) {
    cr_assert_lt(b->count, BLOCK_WORDS);
    b->text[b->count++] = word;
}

void block_semaphore(struct blocks *b, uint32_t address, uint32_t payload, uint32_t operation) {
    const uint32_t words[] = {INC(SEMA, 4), 0, address, payload, operation};
    for (uint32_t i = 0; i < 5; i++)
        block_put(b, words[i]);
}

void block_submit(struct blocks *b) {
    must(b->device, TANDEM_OK, tandem_write(b->device, b->block, b->text, 4 * b->count));
    must(b->device, TANDEM_OK, tandem_submit_entry(b->channel, b->block, b->count << 10));
    b->count = 0;
}

void block_submit_in_two(struct blocks *b, uint32_t first) {
    must(b->device, TANDEM_OK, tandem_write(b->device, b->block, b->text, 4 * b->count));
    must(b->device, TANDEM_OK, tandem_submit_entry(b->channel, b->block, first << 10));
    must(b->device, TANDEM_OK, tandem_submit_entry(b->channel, b->block + 4 * first, (b->count - first) << 10));
    b->count = 0;
}

void block_passes(struct blocks *b, const char *what) {
    struct tandem_fault fault = {0};
    block_submit(b);
    const enum tandem_status status = tandem_finish(b->channel, DEADLINE);
    if (status != TANDEM_OK) (void)tandem_channel_fault(b->channel, &fault);
    cr_assert_eq(status, TANDEM_OK, "%s: %s: %s", b->name, what, fault.text);
}

void expect_block_fault(struct blocks *b, uint32_t code, uint32_t info, const char *what) {
    struct tandem_fault fault = {0};
    const enum tandem_status status = tandem_finish(b->channel, DEADLINE);
    const bool faulted = tandem_channel_fault(b->channel, &fault);
    cr_expect(status == TANDEM_CHANNEL_FAULT && faulted && fault.code == code && fault.info == info && fault.pc == 0,
              "%s: %s: %s, info 0x%x, expected code %u, info 0x%x", b->name, what, fault.text, fault.info, code, info);
    must(b->device, TANDEM_OK, tandem_channel_reset(b->channel));
}

void block_faults(struct blocks *b, uint32_t code, uint32_t info, const char *what) {
    block_submit(b);
    expect_block_fault(b, code, info, what);
}
