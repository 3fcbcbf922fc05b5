// Waiting for a channel, its faults, its reset and its end, and that of a space: all that looks at everything that hangs
// on a channel.
#include <stdio.h>
#include <stdlib.h>

#include "driver/command.h"
#include "driver/launched.h"
#include "driver/local_memory.h"
#include "driver/locks.h"
#include "driver/printf.h"
#include "driver/save_pool.h"
#include "driver/timing.h"
#include "driver/wait.h"
#include "driver/work_queue.h"
#include "gen/registers.h"

#define DEFAULT_DEADLINE (1ull << 32)
#define CLOSE_TURNS 10000u

static void free_list(struct launch **list) {
    while (*list != NULL) {
        struct launch *launch = *list;
        *list = launch->next;
        timing_end(launch->timing, NULL, 1);
        free(launch);
    }
}

// All that the channel holds of the device; the handle stays.
static bool take_back(struct tandem_channel *channel, unsigned turns) {
    work_queue_stop(channel);
    // The memory goes back only when no task can reach it any more.
    const bool idle = channel_stop(channel, turns);
    if (idle) {
        channel_reap_launches(channel, true);
        channel_drop_local(channel, true);
    }
    save_pool_drop(channel, idle);
    const bool queue_idle = work_queue_close(channel, turns);
    free_list(&channel->launches);
    free_list(&channel->local_retired);
    channel_take_back(channel, idle);
    return idle && queue_idle;
}

// Other threads' calls on the handle see that it is closed, and end.
static void let_go(struct driver_lock *lock, const unsigned *calls) {
    while (driver_lock_calls(lock, calls) > 0 && driver_lock_yield(lock))
        continue;
}

enum tandem_status channel_end(struct tandem_channel *channel) {
    // Who has waited to a deadline does not wait once more; tasks that are stopped do not end by themselves.
    if (!channel->closed) (void)take_back(channel, channel->overdue || channel->stopped ? 0 : CLOSE_TURNS);
    let_go(channel->device->lock, &channel->calls);
    channel_close(channel, false);
    return TANDEM_OK;
}

enum tandem_status space_close(struct tandem_space *space) {
    struct tandem_device *device = space->device;
    struct tandem_channel **channels = device->channels;
    const unsigned count = device->options.config->channels;
    bool idle = true;
    if (space == device->own)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "the device's own space ends with the device");
    if (device->backend != NULL) {
        // All of them at once, then one after the other; those of work queues end with their owners.
        for (unsigned k = 0; k < count; k++) {
            if (channels[k] != NULL && channels[k]->space == space)
                channel_write(channels[k], CHANNEL_CONTROL, CHANNEL_CONTROL_STOP(1u));
        }
        for (unsigned k = 0; k < count; k++) {
            if (channels[k] != NULL && channels[k]->space == space && !channels[k]->ppu_owned)
                idle &= take_back(channels[k], 0);
        }
    }
    space_end(space, idle && device->backend != NULL);
    let_go(device->lock, &space->calls);
    space_release(space);
    return TANDEM_OK;
}

bool channel_any_fault(struct tandem_channel *channel, struct tandem_fault *fault) {
    return channel_fault(channel, fault) || work_queue_fault(channel, fault);
}

static enum tandem_status check_fault(struct tandem_channel *channel) {
    struct tandem_device *device = channel->device;
    uint32_t channels = 1u << channel->number;
    if (channel->work != NULL) channels |= 1u << work_queue_channel(channel);
    if ((REG_INTR_STATUS_FAULT_OF(register_read(device, REG_INTR_STATUS)) & channels) == 0) return TANDEM_OK;
    struct tandem_fault fault;
    if (!channel_any_fault(channel, &fault)) return TANDEM_OK;
    return driver_fail(device, TANDEM_CHANNEL_FAULT, "channel %u: %s", channel->number, fault.text);
}

// What may have ended the wait: the word, a fault, another thread that has closed or reset the channel. *ended says
// whether one has.
static enum tandem_status look(struct tandem_channel *channel, unsigned resets, tandem_addr address, uint32_t value,
                               uint32_t *word, bool *ended) {
    *ended = true;
    enum tandem_status status = channel_check(channel);
    if (status == TANDEM_OK && channel->resets != resets)
        status = driver_fail(channel->device, TANDEM_CHANNEL_FAULT, "channel %u has been reset", channel->number);
    if (status == TANDEM_OK) status = space_read(channel->space, address, word, sizeof *word);
    if (status != TANDEM_OK || (int32_t)(*word - value) >= 0) return status;
    status = check_fault(channel);
    *ended = status != TANDEM_OK;
    return status;
}

static uint64_t cycles_now(const struct tandem_device *device) {
    struct tandem_statistics statistics;
    device_statistics(device, &statistics);
    return statistics.cycles;
}

static enum tandem_status overdue(struct tandem_channel *channel, tandem_addr address, uint32_t value, uint32_t word,
                                  uint64_t waited, bool stands) {
    char where[256];
    channel->overdue = true;
    channel_describe(channel, where, sizeof where);
    return driver_fail(channel->device, TANDEM_TIMEOUT, "waited %llu cycles for %u at 0x%08x, which is %u%s; %s",
                       (unsigned long long)waited, value, address, word,
                       stands ? ", and the device can do nothing more by itself" : "", where);
}

static enum tandem_status wait_for(struct tandem_channel *channel, tandem_addr address, uint32_t value,
                                   uint64_t deadline) {
    struct tandem_device *device = channel->device;
    const unsigned resets = channel->resets;
    uint64_t chunk = 64, waited = 0;
    uint32_t word = 0;
    bool ended = false;
    if (deadline == 0) deadline = DEFAULT_DEADLINE;
    enum tandem_status status = look(channel, resets, address, value, &word, &ended);
    if (ended && status != TANDEM_OK) return status;
    // Cycles that other threads' calls have run count too.
    const uint64_t start = cycles_now(device);
    while (!ended) {
        const uint64_t before = cycles_now(device);
        status = device_run(device, chunk < deadline - waited ? chunk : deadline - waited);
        const uint64_t after = cycles_now(device);
        waited = after - start;
        // Even when they are the last ones, what they did may have ended the wait.
        if (status == TANDEM_OK) status = look(channel, resets, address, value, &word, &ended);
        if (status != TANDEM_OK) return status;
        if (ended) break;
        if (waited >= deadline || after == before)
            return overdue(channel, address, value, word, waited, after == before);
        if (chunk < 8192) chunk *= 2;
        if (device->progress != NULL) {
            struct tandem_statistics now;
            device_statistics(device, &now);
            device->progress(device->progress_context, &now);
        }
    }
    channel->overdue = false;
    channel_reap_launches(channel, false);
    return TANDEM_OK;
}

enum tandem_status channel_wait(struct tandem_channel *channel, tandem_addr address, uint32_t value,
                                uint64_t deadline) {
    enum tandem_status status = wait_for(channel, address, value, deadline);
    if (status == TANDEM_MISMATCH || status == TANDEM_CLOSED) return status;
    // What was printed before a fault tells the more.
    enum tandem_status printed = space_print(channel->space);
    return status == TANDEM_OK ? printed : status;
}

enum tandem_status channel_finish(struct tandem_channel *channel, uint64_t deadline) {
    enum tandem_status status = command_wfi(channel);
    if (status == TANDEM_OK) status = command_release(channel, channel->fence, ++channel->fence_value, true);
    if (status == TANDEM_OK) status = channel_submit(channel);
    return status == TANDEM_OK ? channel_wait(channel, channel->fence, channel->fence_value, deadline) : status;
}

enum tandem_status channel_reset(struct tandem_channel *channel) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    work_queue_stop(channel);
    const bool idle = channel_stop(channel, 0);
    status = driver_check(device);
    if (status != TANDEM_OK) return status;
    channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_RESET(1u));
    if (channel_read(channel, CHANNEL_FAULT_CODE) != FAULT_NONE || !idle) {
        char where[256];
        channel_describe(channel, where, sizeof where);
        return driver_fail(device, TANDEM_TIMEOUT, "channel %u cannot be reset: its tasks do not end; %s",
                           channel->number, where);
    }
    channel->resets++;
    channel->stopped = false;
    channel_clear_interrupts(channel);
    channel_forget(channel);
    channel_reap_launches(channel, true);
    status = locks_give_back(channel->space, channel->number);
    if (status == TANDEM_OK) status = save_pool_clear(channel);
    if (status == TANDEM_OK) status = work_queue_reset(channel);
    if (status != TANDEM_OK) return status;
    channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_ENABLE(1u));
    status = driver_check(device);
    // A fault may have ended a thread within a record: what is printed from here on must not stand behind that.
    return status == TANDEM_OK ? space_print(channel->space) : status;
}
