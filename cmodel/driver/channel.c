// Channels: the ring of GP entries, command blocks, GP_PUT, registers (WQ-1, WQ-2, WQ-3, WQ-8, WQ-15).
#include "driver/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/locks.h"
#include "gen/methods.h"
#include "gen/registers.h"

#define ARENA_BYTES (128u << 10)
#define BLOCK_WORDS_MAX 8192u
#define STOP_CYCLES 100u   // between two looks at a channel that is being stopped
#define END_TURNS 100000u  // looks at one whose tasks are ended

// wrap of WQ-15: x may be one lap below or above; the power-of-two form is the cheaper one of hardware.
static uint32_t wrap(int64_t x, uint32_t n) {
    if ((n & (n - 1)) == 0) return (uint32_t)((uint64_t)x & (n - 1));
    if (x < 0) return (uint32_t)(x + n);
    return (uint32_t)(x >= n ? x - n : x);
}

static uint32_t channel_register(const struct tandem_channel *channel, uint32_t offset) {
    return REG_CHANNEL_BASE + channel->number * REG_CHANNEL_STRIDE + offset;
}

static uint32_t userd_register(const struct tandem_channel *channel, uint32_t offset) {
    return REG_USERD_BASE + channel->number * REG_USERD_STRIDE + offset;
}

uint32_t channel_read(struct tandem_channel *channel, uint32_t offset) {
    return register_read(channel->device, channel_register(channel, offset));
}

void channel_write(struct tandem_channel *channel, uint32_t offset, uint32_t value) {
    register_write(channel->device, channel_register(channel, offset), value);
}

static void channel_destroy(struct tandem_channel *channel) {
    free(channel->block_end);
    free(channel->words);
    free(channel);
}

// Memory of the channel on the device: ring, command arena (a PPU-owned channel has none), fence word.
static enum tandem_status channel_memory(struct tandem_channel *channel, bool ppu_owned) {
    channel->arena_size = ppu_owned ? 32 : ARENA_BYTES;
    const struct {
        tandem_addr *to;
        size_t size;
    } parts[] = {
        {&channel->ring, 8u * channel->entries}, {&channel->arena, channel->arena_size}, {&channel->fence, 32}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        enum tandem_status status = space_alloc(channel->space, parts[i].size, 32, parts[i].to);
        if (status != TANDEM_OK) {
            while (i-- > 0)
                space_free(channel->space, *parts[i].to);
            return status;
        }
    }
    return space_write(channel->space, channel->fence, &(uint32_t){0}, 4);
}

// Do tasks still run of the channel that had this number last?
static bool is_busy(struct tandem_device *device, unsigned number) {
    if ((device->busy_channels >> number & 1) == 0) return false;
    const uint32_t status = register_read(device, REG_CHANNEL_BASE + number * REG_CHANNEL_STRIDE + CHANNEL_STATUS);
    if (status >> 8 == 0) device->busy_channels &= ~(1u << number);
    return status >> 8 != 0;
}

enum tandem_status channel_open(struct tandem_space *space, uint32_t entries, uint32_t priority, bool ppu_owned,
                                struct tandem_channel **result) {
    struct tandem_device *device = space->device;
    *result = NULL;
    enum tandem_status status = space_check(space);
    if (status != TANDEM_OK) return status;
    if (entries < 2 || entries > 65536) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "channel with %u entries: must be 2 to 65536", entries);
    }
    if (priority > 3) return driver_fail(device, TANDEM_BAD_ARGUMENT, "channel priority %u: must be 0 to 3", priority);
    unsigned number = 0;
    while (number < device->options.config->channels && (device->channels[number] != NULL || is_busy(device, number)))
        number++;
    if (number == device->options.config->channels) {
        return driver_fail(device, TANDEM_NO_DEVICE, "all %u channels of the device are open%s", number,
                           device->busy_channels != 0 ? ", or have tasks that do not end" : "");
    }

    struct tandem_channel *channel = calloc(1, sizeof *channel);
    uint32_t *block_end = calloc(entries, sizeof *block_end);
    if (channel == NULL || block_end == NULL) {
        free(channel);
        free(block_end);
        return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a channel");
    }
    *channel = (struct tandem_channel){.device = device,
                                       .space = space,
                                       .number = number,
                                       .ppu_owned = ppu_owned,
                                       .priority = priority,
                                       .entries = entries,
                                       .block_end = block_end};
    status = channel_memory(channel, ppu_owned);
    if (status == TANDEM_OK && space->channels == 0) status = locks_begin(space);
    if (status != TANDEM_OK) {
        channel_destroy(channel);
        return status;
    }
    device->channels[number] = channel;
    space->channels++;
    space_hold(space);
    channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_RESET(1u));
    channel_write(channel, CHANNEL_SPACE_BASE, (uint32_t)space->base);
    channel_write(channel, CHANNEL_SPACE_SIZE, (uint32_t)space->bytes);
    channel_write(channel, CHANNEL_GP_BASE, channel->ring);
    channel_write(channel, CHANNEL_GP_ENTRIES, entries);
    channel_write(channel, CHANNEL_PRIORITY, priority);
    if (!ppu_owned) channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_ENABLE(1u));
    *result = channel;
    return driver_check(device);
}

bool channel_stop(struct tandem_channel *channel, unsigned turns) {
    struct tandem_device *device = channel->device;
    if (device->backend == NULL) return false;
    channel_write(channel, CHANNEL_CONTROL, 0);
    for (unsigned i = 0; i < turns && !device->interrupted; i++) {
        if (CHANNEL_STATUS_TASKS_OF(channel_read(channel, CHANNEL_STATUS)) == 0) return true;
        if (device_advance(device, STOP_CYCLES) == 0) break;
    }
    channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_STOP(1u));
    for (unsigned i = 0; i < END_TURNS && driver_check(device) == TANDEM_OK; i++) {
        const uint32_t status = channel_read(channel, CHANNEL_STATUS);
        if (CHANNEL_STATUS_STATE_OF(status) == CHANNEL_STATUS_STATE_FAULTED && CHANNEL_STATUS_TASKS_OF(status) == 0)
            return true;
        (void)device_advance(device, STOP_CYCLES);
    }
    return false;
}

void channel_take_back(struct tandem_channel *channel, bool idle) {
    struct tandem_device *device = channel->device;
    if (channel->closed) return;
    if (idle) {
        space_free(channel->space, channel->ring);
        space_free(channel->space, channel->arena);
        space_free(channel->space, channel->fence);
        channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_RESET(1u));
        channel_clear_interrupts(channel);
    } else {
        device->busy_channels |= 1u << channel->number;
    }
    device->channels[channel->number] = NULL;
    channel->space->channels--;
    channel->closed = true;
}

void channel_close(struct tandem_channel *channel, bool idle) {
    struct tandem_space *space = channel->space;
    channel_take_back(channel, idle);
    channel_destroy(channel);
    space_release(space);
}

void channel_forget(struct tandem_channel *channel) {
    channel->gp_put = channel->passed = channel->arena_head = channel->arena_tail = 0;
    channel->word_count = 0;
    channel->prepared = false;
}

enum tandem_status channel_check(struct tandem_channel *channel) {
    enum tandem_status status = space_check(channel->space);
    if (status == TANDEM_OK && channel->closed)
        return driver_fail(channel->device, TANDEM_CLOSED, "channel %u has been closed", channel->number);
    return status;
}

enum tandem_status command_words(struct tandem_channel *channel, const uint32_t *words, size_t count) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    if (channel->word_count + count > BLOCK_WORDS_MAX) {
        return driver_fail(device, TANDEM_FULL, "command block of channel %u: longer than %u words; submit it first",
                           channel->number, BLOCK_WORDS_MAX);
    }
    if (channel->word_count + count > channel->word_room) {
        size_t room = 2 * (channel->word_count + count);
        uint32_t *more = realloc(channel->words, room * sizeof *more);
        if (more == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a command block");
        channel->words = more;
        channel->word_room = room;
    }
    memcpy(channel->words + channel->word_count, words, count * sizeof *words);
    channel->word_count += count;
    return TANDEM_OK;
}

// Gives back the command memory of entries that GP_GET has passed.
static void give_back(struct tandem_channel *channel) {
    uint32_t gp_get = register_read(channel->device, userd_register(channel, USERD_GP_GET));
    if (gp_get >= channel->entries) return;  // a device that has just been lost reads all ones
    while (channel->passed != gp_get) {
        channel->arena_tail = channel->block_end[channel->passed];
        channel->passed = wrap((int64_t)channel->passed + 1, channel->entries);
    }
    if (channel->passed == channel->gp_put) channel->arena_head = channel->arena_tail = 0;
}

// A contiguous piece of the arena; head == tail means empty, so one word always stays free.
static bool arena_take(struct tandem_channel *channel, uint32_t bytes, uint32_t *start) {
    uint32_t head = channel->arena_head, tail = channel->arena_tail;
    bytes = (bytes + 31) & ~31u;
    if (head >= tail) {
        if (channel->arena_size - head > bytes || (channel->arena_size - head == bytes && tail > 0)) {
            *start = head;
        } else if (tail > bytes) {
            *start = 0;
        } else {
            return false;
        }
    } else if (tail - head > bytes) {
        *start = head;
    } else {
        return false;
    }
    channel->arena_head = (*start + bytes) % channel->arena_size;
    return true;
}

static enum tandem_status put_entry(struct tandem_channel *channel, uint32_t entry0, uint32_t entry1) {
    struct tandem_device *device = channel->device;
    uint32_t index = channel->gp_put;
    uint32_t entry[2] = {entry0, entry1};
    enum tandem_status status = space_write(channel->space, channel->ring + 8 * index, entry, sizeof entry);
    if (status != TANDEM_OK) return status;
    channel->block_end[index] = channel->arena_head;
    channel->gp_put = wrap((int64_t)index + 1, channel->entries);
    register_write(device, userd_register(channel, USERD_GP_PUT), channel->gp_put);
    return driver_check(device);
}

static enum tandem_status check_room(struct tandem_channel *channel) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    give_back(channel);
    if (channel->passed == wrap((int64_t)channel->gp_put + 1, channel->entries)) {
        return driver_fail(device, TANDEM_FULL,
                           "channel %u: all %u entries of the ring are in use; wait and submit again", channel->number,
                           channel->entries - 1);
    }
    return TANDEM_OK;
}

enum tandem_status channel_submit_entry(struct tandem_channel *channel, uint32_t entry0, uint32_t entry1) {
    enum tandem_status status = check_room(channel);
    return status == TANDEM_OK ? put_entry(channel, entry0, entry1) : status;
}

enum tandem_status channel_submit(struct tandem_channel *channel) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = check_room(channel);
    if (status != TANDEM_OK) return status;
    if (channel->word_count == 0) return put_entry(channel, 0, 0);  // WQ-5: a null entry is legal
    uint32_t start = 0, bytes = (uint32_t)(4 * channel->word_count), head = channel->arena_head;
    if (!arena_take(channel, bytes, &start)) {
        return driver_fail(device, TANDEM_FULL, "channel %u: its command memory is in use; wait and submit again",
                           channel->number);
    }
    status = space_write(channel->space, channel->arena + start, channel->words, bytes);
    if (status == TANDEM_OK) {
        status = put_entry(channel, channel->arena + start, GP_ENTRY1_LENGTH((uint32_t)channel->word_count));
    }
    if (status == TANDEM_OK) {
        channel->word_count = 0;
    } else {
        channel->arena_head = head;
    }
    return status;
}

void channel_clear_interrupts(const struct tandem_channel *channel) {
    const uint32_t bit = 1u << channel->number;
    register_write(channel->device, REG_INTR_STATUS, REG_INTR_STATUS_CHANNEL(bit) | REG_INTR_STATUS_FAULT(bit));
}

void channel_describe(struct tandem_channel *channel, char *to, size_t size) {
    uint32_t status = channel_read(channel, CHANNEL_STATUS);
    uint32_t get = register_read(channel->device, userd_register(channel, USERD_GP_GET));
    uint32_t put = register_read(channel->device, userd_register(channel, USERD_GP_PUT));
    uint32_t state = CHANNEL_STATUS_STATE_OF(status);
    int used = snprintf(to, size, "channel %u is %s%s, GP_GET %u, GP_PUT %u, %u tasks outstanding", channel->number,
                        channel_state_name(state), channel->stopped ? " (its tasks are stopped)" : "", get, put,
                        CHANNEL_STATUS_TASKS_OF(status));
    if (state == CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE && used > 0 && (size_t)used < size) {
        snprintf(to + used, size - (size_t)used, ", it waits for %u at 0x%08x",
                 channel_read(channel, CHANNEL_BLOCKED_PAYLOAD), channel_read(channel, CHANNEL_BLOCKED_ADDR));
    }
}

// What to do about a fault CHILD_DEADLOCK. A handler that finds no record faults at its own instruction; the task unit,
// which finds that nothing can go on, at none.
static const char *deadlock_advice(const struct tandem_fault *fault) {
    return fault->pc != 0 ? "; the channel's memory for CTAs that step aside is used up: tandem_channel_save_memory"
                          : "; those of kernels compiled with --saves step aside";
}

bool channel_fault(struct tandem_channel *channel, struct tandem_fault *fault) {
    *fault = (struct tandem_fault){0};
    if (channel->device->backend == NULL) return false;
    fault->code = channel_read(channel, CHANNEL_FAULT_CODE);
    if (fault->code == FAULT_NONE) return false;
    fault->info = channel_read(channel, CHANNEL_FAULT_INFO);
    fault->pc = channel_read(channel, CHANNEL_FAULT_PC);
    const bool stuck = fault->code == FAULT_CHILD_DEADLOCK;
    snprintf(fault->text, sizeof fault->text, "%s at pc %u, info 0x%08x: %s%s", fault_name(fault->code), fault->pc,
             fault->info, fault_meaning(fault->code), stuck ? deadlock_advice(fault) : "");
    return true;
}
