// A channel: its ring, its command memory, the open command block.
#ifndef TANDEM_DRIVER_CHANNEL_H
#define TANDEM_DRIVER_CHANNEL_H

#include "driver/device.h"

// A piece of device memory that stays until launches have ended. Of a launch: TMD (256 bytes), done word (32),
// constant buffer 0.
struct launch {
    struct launch *next;
    tandem_addr block;
    struct timing *timing;  // NULL: it is not timed
};

struct tandem_channel {
    struct tandem_device *device;
    unsigned number;
    uint32_t priority;  // 0 to 3
    uint32_t entries, gp_put;
    tandem_addr ring;
    // Command memory: a circular arena; block_end[i] is where the block of ring entry i ends, so that passing entry i
    // gives it back.
    tandem_addr arena;
    uint32_t arena_size, arena_head, arena_tail;
    uint32_t *block_end;
    uint32_t passed;  // entries before this one have been given back
    uint32_t *words;  // the open command block
    size_t word_count, word_room;
    bool prepared;                 // the compute object is set in the channel
    tandem_addr region;            // program region of the channel: absolute jumps count from it
    uint32_t code_generation;      // of the instructions the SMs may have cached
    struct launch *launches;       // those that have not been seen to end (launched.c)
    struct work_queue_host *work;  // of kernels that make work themselves, NULL: there was none yet (work_queue.c)
    // local_memory.c: where, how much each thread has (0: none), whether the device knows; pieces of before.
    tandem_addr local;
    uint32_t local_bytes;
    bool local_set;
    struct launch *local_retired;
    bool quiet;         // a WFI stands behind the last launch
    bool overdue;       // the last wait came to its deadline
    tandem_addr fence;  // word of tandem_finish
    uint32_t fence_value;
};

// As tandem_channel_open; a PPU-owned one has no command memory and is not enabled yet.
enum tandem_status channel_open(struct tandem_device *device, uint32_t entries, uint32_t priority, bool ppu_owned,
                                struct tandem_channel **channel);
// Takes nothing more in; waits up to `turns` times a while for its tasks. True: none is left.
bool channel_stop(struct tandem_channel *channel, unsigned turns);
// The handle and what channel_open() made; its device memory only when no task can reach it any more (idle). Else the
// device's channel is not given out again before they have ended.
void channel_close(struct tandem_channel *channel, bool idle);
// As after channel_open(): after a reset of the hardware's channel.
void channel_forget(struct tandem_channel *channel);

// Registers of the channel (CHANNEL_*).
uint32_t channel_read(struct tandem_channel *channel, uint32_t offset);
void channel_write(struct tandem_channel *channel, uint32_t offset, uint32_t value);
// The fault of this channel alone. False: it has none.
bool channel_fault(struct tandem_channel *channel, struct tandem_fault *fault);
// Clears the channel's bits of INTR_STATUS.
void channel_clear_interrupts(const struct tandem_channel *channel);
// Where the channel stands, in words, for messages.
void channel_describe(struct tandem_channel *channel, char *to, size_t size);

// Command words; the open block grows as needed up to the arena's size.
enum tandem_status command_words(struct tandem_channel *channel, const uint32_t *words, size_t count);

#endif
