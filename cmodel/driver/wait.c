// Waiting for a channel, its faults, its reset and its end: all that looks at everything that hangs on a channel.
#include <stdio.h>
#include <stdlib.h>

#include "driver/channel.h"
#include "driver/launched.h"
#include "driver/local_memory.h"
#include "driver/printf.h"
#include "driver/timing.h"
#include "driver/work_queue.h"
#include "gen/registers.h"

#define DEFAULT_DEADLINE (1ull << 32)
#define RESET_TURNS 100000u
#define CLOSE_TURNS 10000u

static void free_list(struct launch **list) {
    while (*list != NULL) {
        struct launch *launch = *list;
        *list = launch->next;
        timing_end(launch->timing, NULL, 1);
        free(launch);
    }
}

enum tandem_status tandem_channel_close(struct tandem_channel *channel) {
    if (channel == NULL) return TANDEM_OK;
    // Who has waited to a deadline does not wait once more.
    const unsigned turns = channel->overdue ? 0 : CLOSE_TURNS;
    work_queue_stop(channel);
    // The memory goes back only when no task can reach it any more.
    const bool idle = channel_stop(channel, turns);
    if (idle) {
        channel_reap_launches(channel, true);
        channel_drop_local(channel, true);
    }
    work_queue_close(channel, turns);
    free_list(&channel->launches);
    free_list(&channel->local_retired);
    channel_close(channel, idle);
    return TANDEM_OK;
}

bool tandem_channel_fault(struct tandem_channel *channel, struct tandem_fault *fault) {
    return channel_fault(channel, fault) || work_queue_fault(channel, fault);
}

static enum tandem_status check_fault(struct tandem_channel *channel) {
    struct tandem_device *device = channel->device;
    uint32_t channels = 1u << channel->number;
    if (channel->work != NULL) channels |= 1u << work_queue_channel(channel);
    if ((REG_INTR_STATUS_FAULT_OF(tandem_reg_read(device, REG_INTR_STATUS)) & channels) == 0) return TANDEM_OK;
    struct tandem_fault fault;
    if (!tandem_channel_fault(channel, &fault)) return TANDEM_OK;
    return driver_fail(device, TANDEM_CHANNEL_FAULT, "channel %u: %s", channel->number, fault.text);
}

static enum tandem_status wait_for(struct tandem_channel *channel, tandem_addr address, uint32_t value,
                                   uint64_t deadline) {
    struct tandem_device *device = channel->device;
    uint64_t waited = 0, chunk = 64;
    if (deadline == 0) deadline = DEFAULT_DEADLINE;
    for (;;) {
        uint32_t word = 0;
        enum tandem_status status = tandem_read(device, address, &word, sizeof word);
        if (status != TANDEM_OK) return status;
        if ((int32_t)(word - value) >= 0) break;
        status = check_fault(channel);
        if (status != TANDEM_OK) return status;

        struct tandem_statistics before, after;
        tandem_get_statistics(device, &before);
        status = tandem_run(device, chunk < deadline - waited ? chunk : deadline - waited);
        if (status != TANDEM_OK) return status;
        tandem_get_statistics(device, &after);
        uint64_t done = after.cycles - before.cycles;
        waited += done;
        if (waited >= deadline || done == 0) {
            // What the last cycles did may just have ended the wait.
            status = tandem_read(device, address, &word, sizeof word);
            if (status != TANDEM_OK) return status;
            if ((int32_t)(word - value) >= 0) break;
            status = check_fault(channel);
            if (status != TANDEM_OK) return status;
            channel->overdue = true;
            char where[256];
            channel_describe(channel, where, sizeof where);
            return driver_fail(device, TANDEM_TIMEOUT, "waited %llu cycles for %u at 0x%08x, which is %u%s; %s",
                               (unsigned long long)waited, value, address, word,
                               done == 0 ? ", and the device can do nothing more by itself" : "", where);
        }
        if (chunk < 8192) chunk *= 2;
        if (device->progress != NULL) device->progress(device->progress_context, &after);
    }
    channel->overdue = false;
    channel_reap_launches(channel, false);
    return TANDEM_OK;
}

enum tandem_status tandem_wait(struct tandem_channel *channel, tandem_addr address, uint32_t value, uint64_t deadline) {
    enum tandem_status status = wait_for(channel, address, value, deadline);
    if (status == TANDEM_MISMATCH || status == TANDEM_CLOSED) return status;
    // What was printed before a fault tells the more.
    enum tandem_status printed = driver_print(channel->device);
    return status == TANDEM_OK ? printed : status;
}

enum tandem_status tandem_finish(struct tandem_channel *channel, uint64_t deadline) {
    enum tandem_status status = tandem_wfi(channel);
    if (status == TANDEM_OK) status = tandem_semaphore_release(channel, channel->fence, ++channel->fence_value, true);
    if (status == TANDEM_OK) status = tandem_submit(channel);
    return status == TANDEM_OK ? tandem_wait(channel, channel->fence, channel->fence_value, deadline) : status;
}

enum tandem_status tandem_channel_reset(struct tandem_channel *channel) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = driver_check(device);
    if (status != TANDEM_OK) return status;
    work_queue_stop(channel);
    const bool idle = channel_stop(channel, RESET_TURNS);
    status = driver_check(device);
    if (status != TANDEM_OK) return status;
    channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_RESET(1u));
    if (channel_read(channel, CHANNEL_FAULT_CODE) != FAULT_NONE || !idle) {
        char where[256];
        channel_describe(channel, where, sizeof where);
        return driver_fail(device, TANDEM_TIMEOUT, "channel %u cannot be reset: its tasks do not end; %s",
                           channel->number, where);
    }
    channel_clear_interrupts(channel);
    channel_forget(channel);
    channel_reap_launches(channel, true);
    status = work_queue_reset(channel);
    if (status != TANDEM_OK) return status;
    channel_write(channel, CHANNEL_CONTROL, CHANNEL_CONTROL_ENABLE(1u));
    return driver_check(device);
}
