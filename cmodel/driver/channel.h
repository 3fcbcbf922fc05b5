// A channel: its ring, its command memory, the open command block.
#ifndef TANDEM_DRIVER_CHANNEL_H
#define TANDEM_DRIVER_CHANNEL_H

#include "driver/space.h"

// A piece of device memory that stays until launches have ended. Of a launch: TMD (256 bytes), done word (32),
// constant buffer 0.
struct launch {
    struct launch *next;
    tandem_addr block;
    struct timing *timing;  // NULL: it is not timed
};

struct tandem_channel {
    struct tandem_device *device;
    struct tandem_space *space;
    unsigned calls;  // on the handle, under way
    bool closed;     // the device has taken everything back; only the handle is left
    unsigned number;
    bool ppu_owned;     // of another channel's work queue
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
    // local_memory.c: where, how much each thread has (0: none), what the device was told last (0: nothing); pieces of before.
    tandem_addr local;
    uint32_t local_bytes;
    tandem_addr local_set;
    struct launch *local_retired;
    struct save_pool *save_pools;  // save_pool.c: for CTAs that step aside
    size_t save_bytes;             // of each, 0: the driver chooses
    bool quiet;                    // a WFI stands behind the last launch
    bool overdue;                  // the last wait came to its deadline
    bool stopped;                  // its tasks are stopped (suspend.c)
    tandem_addr fence;             // word of tandem_finish
    uint32_t fence_value;
    unsigned resets;  // waits end with a reset
};

// As tandem_channel_open; a PPU-owned one has no command memory and is not enabled yet.
enum tandem_status channel_open(struct tandem_space *space, uint32_t entries, uint32_t priority, bool ppu_owned,
                                struct tandem_channel **channel);
// TANDEM_CLOSED when the channel or its space has been closed, else as driver_check().
enum tandem_status channel_check(struct tandem_channel *channel);
// Takes nothing more in; waits up to `turns` times a while for its tasks and ends those that are left then. False: the
// device is lost.
bool channel_stop(struct tandem_channel *channel, unsigned turns);
// What channel_open() made on the device, its memory only when no task can reach it any more (idle): else the device's
// channel is not given out again before they have ended. The handle stays, closed.
void channel_take_back(struct tandem_channel *channel, bool idle);
// That, and the handle.
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

// Of the commands' methods into the open block, and of entries; as the calls of tandem.h.
enum tandem_status channel_submit(struct tandem_channel *channel);
enum tandem_status channel_submit_entry(struct tandem_channel *channel, uint32_t entry0, uint32_t entry1);

// Command words; the open block grows as needed up to the arena's size.
enum tandem_status command_words(struct tandem_channel *channel, const uint32_t *words, size_t count);

#endif
