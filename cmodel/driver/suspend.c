// The tasks of a channel leave the machine (CONTROL.SUSPEND), stand in memory, where the handler has put them
// (cmodel/isa/save_handler.s), and come back. What they leave there threads of the channel may have overwritten: all of
// it is looked at before it is believed.
#include "driver/suspend.h"

#include <string.h>

#include "driver/save_pool.h"
#include "driver/wait.h"
#include "driver/work_queue.h"
#include "gen/isa.h"
#include "gen/registers.h"
#include "gen/save_handler.h"
#include "task/tmd.h"

#define STOP_DEADLINE 10000000u
#define TOKEN_BYTES 16u
#define MASK_BITS 64u

// Of the channel, and of its work queue's.
static uint32_t control_of(unsigned number) {
    return REG_CHANNEL_BASE + number * REG_CHANNEL_STRIDE + CHANNEL_CONTROL;
}

static void set(struct tandem_channel *channel, bool on) {
    const unsigned numbers[2] = {channel->number, channel->work != NULL ? work_queue_channel(channel) : 0};
    for (unsigned i = 0; i < (channel->work != NULL ? 2u : 1u); i++) {
        const uint32_t control = register_read(channel->device, control_of(numbers[i])) & ~CHANNEL_CONTROL_SUSPEND(1u);
        register_write(channel->device, control_of(numbers[i]), control | CHANNEL_CONTROL_SUSPEND(on ? 1u : 0u));
    }
    channel->stopped = on;
}

static bool has_left(struct tandem_channel *channel, unsigned number) {
    const uint32_t at = REG_CHANNEL_BASE + number * REG_CHANNEL_STRIDE + CHANNEL_STATUS;
    return CHANNEL_STATUS_SUSPENDED_OF(register_read(channel->device, at)) != 0;
}

static bool all_left(struct tandem_channel *channel) {
    return has_left(channel, channel->number) &&
           (channel->work == NULL || has_left(channel, work_queue_channel(channel)));
}

static enum tandem_status check(struct tandem_channel *channel, unsigned resets) {
    struct tandem_fault fault;
    const enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    if (channel->resets != resets)
        return driver_fail(channel->device, TANDEM_CHANNEL_FAULT, "channel %u has been reset", channel->number);
    if (channel_any_fault(channel, &fault))
        return driver_fail(channel->device, TANDEM_CHANNEL_FAULT, "channel %u: %s", channel->number, fault.text);
    return TANDEM_OK;
}

static uint64_t cycles_now(const struct tandem_device *device) {
    struct tandem_statistics statistics;
    device_statistics(device, &statistics);
    return statistics.cycles;
}

enum tandem_status suspend_stop(struct tandem_channel *channel, uint64_t deadline) {
    struct tandem_device *device = channel->device;
    const unsigned resets = channel->resets;
    uint64_t chunk = 64, waited = 0;
    if (deadline == 0) deadline = STOP_DEADLINE;
    enum tandem_status status = check(channel, resets);
    if (status != TANDEM_OK) return status;
    set(channel, true);
    const uint64_t start = cycles_now(device);
    bool moves = true;
    while (!all_left(channel)) {
        if (waited >= deadline || !moves) {
            char where[256];
            channel_describe(channel, where, sizeof where);
            return driver_fail(device, TANDEM_TIMEOUT,
                               "channel %u: after %llu cycles a task of it is still there: one of a kernel without "
                               ".saves leaves only between its CTAs; it stays stopped, stop it again to wait on, or "
                               "let it go on with tandem_channel_continue; %s",
                               channel->number, (unsigned long long)waited, where);
        }
        const uint64_t before = cycles_now(device);
        status = device_run(device, chunk < deadline - waited ? chunk : deadline - waited);
        if (status == TANDEM_OK) status = check(channel, resets);
        if (status != TANDEM_OK) return status;
        moves = cycles_now(device) != before;
        waited = cycles_now(device) - start;
        if (chunk < 8192) chunk *= 2;
    }
    return driver_check(device);
}

enum tandem_status suspend_continue(struct tandem_channel *channel) {
    const enum tandem_status status = check(channel, channel->resets);
    if (status != TANDEM_OK) return status;
    if (!channel->stopped)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "channel %u goes on already: it was not stopped",
                           channel->number);
    set(channel, false);
    return driver_check(channel->device);
}

// ---- looking ----

// A task whose CTAs are saved, and where its records are.
struct saved {
    uint32_t tmd[TMD_WORDS];
    tandem_addr first;           // record
    uint32_t record, bytes;      // of the pool: of a record, of all
    tandem_addr begin;           // the pool's first record
    uint32_t warps, threads;     // of a CTA, of a warp
    uint32_t registers, tokens;  // of a thread, of a warp at most
    uint32_t parts;              // where in a record the part of its first warp is
    uint32_t thread_bytes, warp_bytes;
};

static enum tandem_status read_tmd(struct tandem_channel *channel, tandem_addr at, uint32_t *tmd) {
    const enum tandem_status status = check(channel, channel->resets);
    if (status != TANDEM_OK) return status;
    if (!channel->stopped)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                           "channel %u is not stopped: a task is looked at behind tandem_channel_stop",
                           channel->number);
    if (at % TMD_BYTES != 0)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "0x%08x is no task: its address is a multiple of %u",
                           at, TMD_BYTES);
    return space_read(channel->space, at, tmd, TMD_BYTES);
}

static enum tandem_status open_saved(struct tandem_channel *channel, tandem_addr at, struct saved *saved) {
    const struct ppu_config *config = channel->device->options.config;
    enum tandem_status status = read_tmd(channel, at, saved->tmd);
    if (status != TANDEM_OK) return status;
    const uint32_t *tmd = saved->tmd;
    if (tmd_get(tmd, TMD_TANDEM_SAVE_ENABLE, 0) == 0 || tmd_get(tmd, TMD_TANDEM_SAVED, 0) == 0)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "the task at 0x%08x has no CTA that is saved", at);
    if (!save_pool_find(channel, tmd_get(tmd, TMD_TANDEM_SAVE_POOL, 0), &saved->begin, &saved->record, &saved->bytes))
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                           "the task at 0x%08x names memory for its CTAs that channel %u does not have", at,
                           channel->number);
    const uint32_t threads = tmd_get(tmd, TMD_CTA_THREAD_DIMENSION0, 0) * tmd_get(tmd, TMD_CTA_THREAD_DIMENSION1, 0) *
                             tmd_get(tmd, TMD_CTA_THREAD_DIMENSION2, 0);
    saved->threads = config->threads;
    saved->warps = (threads + config->threads - 1) / config->threads;
    saved->registers = tmd_get(tmd, TMD_REGISTER_COUNT, 0);
    saved->tokens = channel->device->queue_places;
    saved->first = tmd_get(tmd, TMD_TANDEM_SAVED_LIST, 0);
    saved->parts = (SAVE_SHARED + tmd_get(tmd, TMD_SHARED_MEMORY_SIZE, 0) + 15u) & ~15u;
    saved->thread_bytes =
        SAVE_REGISTERS + 4 * saved->registers + tmd_get(tmd, TMD_LOCAL_MEMORY_LOW, 0) - SAVE_OWN_BYTES;
    saved->warp_bytes = SAVE_WARP_BYTES + TOKEN_BYTES * saved->tokens + config->threads * saved->thread_bytes;
    if (saved->warps > config->warps || saved->registers < SAVE_LEAST_REGISTERS ||
        (uint64_t)saved->parts + (uint64_t)saved->warps * saved->warp_bytes > saved->record)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "the TMD at 0x%08x has been overwritten", at);
    return TANDEM_OK;
}

static enum tandem_status broken(struct tandem_channel *channel, tandem_addr record) {
    return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                       "the list of CTAs that are saved leads to 0x%08x, where none is: it has been overwritten",
                       record);
}

// The record at `*record`, and the next one.
static enum tandem_status read_record(struct tandem_channel *channel, const struct saved *saved, tandem_addr *record,
                                      uint32_t header[SAVE_SHARED / 4]) {
    if (*record < saved->begin || *record - saved->begin >= saved->bytes ||
        (*record - saved->begin) % saved->record != 0)
        return broken(channel, *record);
    const enum tandem_status status = space_read(channel->space, *record, header, SAVE_SHARED);
    if (status == TANDEM_OK) *record = header[SAVE_NEXT / 4];
    return status;
}

static uint32_t saved_in(const struct saved *saved, const uint32_t *header) {
    return header[SAVE_WARPS_SAVED / 4] & (saved->warps < 32 ? (1u << saved->warps) - 1 : UINT32_MAX);
}

enum tandem_status suspend_look(struct tandem_channel *channel, tandem_addr at, struct tandem_task_look *look) {
    struct saved saved = {0};
    uint32_t header[SAVE_SHARED / 4] = {0};
    enum tandem_status status = read_tmd(channel, at, saved.tmd);
    if (status != TANDEM_OK) return status;
    const uint32_t *tmd = saved.tmd, state = tmd_get(tmd, TMD_TANDEM_STATE, 0) & 3,
                   counter = tmd_get(tmd, TMD_DEPENDENCE_COUNTER, 0);
    *look = (struct tandem_task_look){.level = tmd_get(tmd, TMD_QMD_GROUP_ID, 0),
                                      .saves = tmd_get(tmd, TMD_TANDEM_SAVE_ENABLE, 0) != 0,
                                      .waits_for = counter,
                                      .ctas = tmd_get(tmd, TMD_TANDEM_SAVED, 0)};
    if (state == TANDEM_TASK_EVICTED || state == TANDEM_TASK_PARENT) {
        look->state = (enum tandem_task_state)state;
        look->next[0] = tmd_get(tmd, TMD_CTA_RASTER_WIDTH_RESUME, 0);
        look->next[1] = tmd_get(tmd, TMD_CTA_RASTER_HEIGHT_RESUME, 0);
        look->next[2] = tmd_get(tmd, TMD_CTA_RASTER_DEPTH_RESUME, 0);
    } else if (state == TANDEM_TASK_PENDING) {
        look->state = TANDEM_TASK_PENDING;
    } else if (counter != 0) {
        look->state = TANDEM_TASK_WAITS;
    } else {
        look->state = all_left(channel) ? TANDEM_TASK_ENDED : TANDEM_TASK_MAY_RUN;
    }
    if (look->ctas == 0) return TANDEM_OK;
    status = open_saved(channel, at, &saved);
    for (uint32_t i = 0; i < look->ctas && status == TANDEM_OK; i++) {
        status = read_record(channel, &saved, &saved.first, header);
        if (status == TANDEM_OK) look->warps += (uint32_t)__builtin_popcount(saved_in(&saved, header));
    }
    return status;
}

// The part of the saved warp `number` of the task in memory.
static enum tandem_status find_warp(struct tandem_channel *channel, tandem_addr at, uint32_t number,
                                    struct saved *saved, struct tandem_saved_warp *warp, tandem_addr *part) {
    uint32_t header[SAVE_SHARED / 4] = {0}, left = number;
    enum tandem_status status = open_saved(channel, at, saved);
    if (status != TANDEM_OK) return status;
    tandem_addr record = saved->first;
    for (uint32_t i = 0; i < tmd_get(saved->tmd, TMD_TANDEM_SAVED, 0); i++) {
        const tandem_addr here = record;
        status = read_record(channel, saved, &record, header);
        if (status != TANDEM_OK) return status;
        for (uint32_t w = 0; w < saved->warps; w++) {
            if ((saved_in(saved, header) >> w & 1) == 0 || left-- != 0) continue;
            *warp = (struct tandem_saved_warp){
                .cta = {header[SAVE_X / 4], header[SAVE_YZ / 4] & 0xFFFF, header[SAVE_YZ / 4] >> 16},
                .index = w,
                .threads = saved->threads,
                .registers = saved->registers};
            *part = here + saved->parts + w * saved->warp_bytes;
            return TANDEM_OK;
        }
    }
    return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "the task at 0x%08x has no saved warp %u", at, number);
}

enum tandem_status suspend_warp(struct tandem_channel *channel, tandem_addr at, uint32_t number,
                                struct tandem_saved_warp *warp) {
    struct saved saved = {0};
    tandem_addr part = 0;
    uint32_t words[SAVE_WARP_BYTES / 4] = {0};
    enum tandem_status status = find_warp(channel, at, number, &saved, warp, &part);
    if (status == TANDEM_OK) status = space_read(channel->space, part, words, sizeof words);
    if (status != TANDEM_OK) return status;
    warp->pc = words[SAVE_TPC / 4];
    warp->tokens = words[SAVE_COUNT / 4];
    memcpy(warp->scalars, words + SAVE_SCALARS / 4, sizeof warp->scalars);
    // Bit i of the reason for which a thread is off is in plane i; 0: it is active.
    uint64_t off = 0, plane;
    for (unsigned i = 0; i < 4; i++) {
        memcpy(&plane, words + SAVE_REASONS / 4 + 2 * i, sizeof plane);
        off |= plane;
    }
    warp->active = ~off & (saved.threads < MASK_BITS ? (UINT64_C(1) << saved.threads) - 1 : UINT64_MAX);
    return TANDEM_OK;
}

enum tandem_status suspend_registers(struct tandem_channel *channel, tandem_addr at, uint32_t number, uint32_t thread,
                                     uint32_t *registers, uint32_t count) {
    struct saved saved = {0};
    struct tandem_saved_warp warp;
    tandem_addr part = 0;
    const enum tandem_status status = find_warp(channel, at, number, &saved, &warp, &part);
    if (status != TANDEM_OK) return status;
    if (thread >= saved.threads || count == 0 || count > saved.registers)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                           "%u registers of thread %u: a warp has %u threads, with %u registers each", count, thread,
                           saved.threads, saved.registers);
    part += SAVE_WARP_BYTES + TOKEN_BYTES * saved.tokens + thread * saved.thread_bytes + SAVE_REGISTERS;
    return space_read(channel->space, part, registers, 4u * count);
}
