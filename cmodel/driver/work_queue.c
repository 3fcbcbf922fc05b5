// PPU-owned queues: what the driver does so that the PPU's own threads can make work (WQ-10 to WQ-17).
// work_queue.md tells the protocol; compiler/library/work_queue.h has the memory, work_queue.cl the threads' part.
#include "driver/work_queue.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/command.h"
#include "driver/kernel_task.h"
#include "driver/work_memory.h"
#include "gen/registers.h"
#include "task/tmd.h"

#define DEFAULT_ENTRIES 256u
#define DEFAULT_PIECES 1024u
#define DEFAULT_POOL_BYTES (1u << 20)
#define PIECES_FEWEST 32u
#define PIECES_MAX (1u << 20)

static void control(struct work_queue_host *work, uint32_t value) {
    channel_write(work->channel, CHANNEL_CONTROL, value);
}

static uint32_t userd(const struct work_queue_host *work, uint32_t offset) {
    return REG_USERD_BASE + work->channel->number * REG_USERD_STRIDE + offset;
}

static uint32_t one_behind(const struct work_queue_host *work, uint32_t place) {
    return place == 0 ? work->sizes.entries - 1 : place - 1;
}

// The channel, reset and with its memory filled, may go (WQ-14): GP_PUT is one behind GP_GET.
static void open_ring(struct work_queue_host *work) {
    if (work_by_software(work)) {
        work->get = 0;
        work->shadow = 2 * work->sizes.entries - 1;
        register_write(work->channel->device, userd(work, USERD_GP_PUT), one_behind(work, 0));
        control(work, CHANNEL_CONTROL_ENABLE(1u));
    } else {
        control(work, CHANNEL_CONTROL_ENABLE(1u) | CHANNEL_CONTROL_PPU_OWNED(1u));
    }
}

// Hands the entries over again that GP_GET has passed (WQ-29): GP_PUT follows it, and the threads are told behind that.
static bool give_back(struct work_queue_host *work) {
    struct tandem_device *device = work->channel->device;
    const uint32_t entries = work->sizes.entries, get = register_read(device, userd(work, USERD_GP_GET));
    if (get == work->get || get >= entries) return false;
    work->shadow += get > work->get ? get - work->get : get + entries - work->get;
    work->get = get;
    register_write(device, userd(work, USERD_GP_PUT), one_behind(work, get));
    device->put_moves++;
    return space_write(work->channel->space, work->record + (uint32_t)offsetof(struct work_queue, shadow_put),
                       &work->shadow, 4) == TANDEM_OK;
}

static bool serve(struct tandem_device *device) {
    bool given = false;
    for (uint32_t k = 0; k < device->options.config->channels; k++) {
        const struct tandem_channel *channel = device->channels[k];
        if (channel != NULL && channel->work != NULL && work_by_software(channel->work))
            given |= give_back(channel->work);
    }
    return given;
}

static enum tandem_status check_sizes(struct tandem_device *device, const struct tandem_work_queue *sizes) {
    if (sizes->entries < WORK_ENTRIES_MIN || sizes->entries > WORK_ENTRIES_MAX) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "work queue with %u entries: must be %u to %u", sizes->entries,
                           WORK_ENTRIES_MIN, WORK_ENTRIES_MAX);
    }
    if (sizes->pieces == 0 || (sizes->pieces & (sizes->pieces - 1)) != 0 || sizes->pieces > PIECES_MAX) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "work queue with %u pieces: must be a power of two up to %u",
                           sizes->pieces, PIECES_MAX);
    }
    if (sizes->piece_bytes % 256 != 0 || sizes->piece_bytes < PIECE_BYTES_LEAST || sizes->piece_bytes > 1u << 20) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT,
                           "work queue with pieces of %u bytes: must be a multiple of 256 from %u to %u",
                           sizes->piece_bytes, PIECE_BYTES_LEAST, 1u << 20);
    }
    if (sizes->put > TANDEM_PUT_SOFTWARE || sizes->rebase < 2 * sizes->entries || sizes->rebase > WORK_REBASE) {
        return driver_fail(device, TANDEM_BAD_ARGUMENT,
                           "work queue with put %u and %u positions: put must be 0 to 2, positions %u to %u",
                           (unsigned)sizes->put, sizes->rebase, 2 * sizes->entries, WORK_REBASE);
    }
    return TANDEM_OK;
}

// module: whose launch the queue is opened for, or NULL.
static enum tandem_status open_for(struct tandem_channel *channel, const struct tandem_work_queue *wanted,
                                   const struct tandem_module *module) {
    struct tandem_device *device = channel->device;
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    if (channel->work != NULL)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "channel %u has its work queue already", channel->number);
    struct tandem_work_queue sizes = *wanted;
    if (sizes.entries == 0) sizes.entries = DEFAULT_ENTRIES;
    if (sizes.pieces == 0) sizes.pieces = DEFAULT_PIECES;
    if (sizes.piece_bytes == 0) sizes.piece_bytes = PIECE_BYTES_LEAST;
    if (sizes.rebase == 0) sizes.rebase = WORK_REBASE;
    if (sizes.put == TANDEM_PUT_OF_DEVICE)
        sizes.put = device->options.put_software ? TANDEM_PUT_SOFTWARE : TANDEM_PUT_HARDWARE;
    status = check_sizes(device, &sizes);
    if (status != TANDEM_OK) return status;
    struct work_queue_host *work = calloc(1, sizeof *work);
    if (work == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a work queue");
    work->sizes = sizes;
    status = channel_open(channel->space, sizes.entries, sizes.priority, true, &work->channel);
    if (status != TANDEM_OK) {
        free(work);
        return status;
    }
    status = work_memory_allocate(work);
    if (status == TANDEM_OK && module != NULL) status = work_memory_for(work, channel, module);
    if (status == TANDEM_OK) status = work_memory_fill(work);
    if (status != TANDEM_OK) {
        work_memory_free(work);
        channel_close(work->channel, true);
        free(work);
        return status;
    }
    channel->work = work;
    if (work_by_software(work)) device->serve_queues = serve;
    open_ring(work);
    return driver_check(device);
}

enum tandem_status work_queue_open(struct tandem_channel *channel, const struct tandem_work_queue *wanted) {
    return open_for(channel, wanted, NULL);
}

void work_queue_stop(struct tandem_channel *channel) {
    const uint32_t stopped = 1;
    struct work_queue_host *work = channel->work;
    if (work == NULL || channel->device->backend == NULL) return;
    space_write(channel->space, work->record + (uint32_t)offsetof(struct work_queue, stopped), &stopped, 4);
}

enum tandem_status work_queue_reset(struct tandem_channel *channel) {
    struct work_queue_host *work = channel->work;
    if (work == NULL) return TANDEM_OK;
    struct tandem_device *device = channel->device;
    if (!channel_stop(work->channel, 0)) {
        enum tandem_status status = driver_check(device);
        if (status != TANDEM_OK) return status;
        char where[256];
        channel_describe(work->channel, where, sizeof where);
        return driver_fail(device, TANDEM_TIMEOUT,
                           "the work queue of channel %u cannot be reset: its tasks do not end; %s", channel->number,
                           where);
    }
    control(work, CHANNEL_CONTROL_RESET(1u));
    channel_clear_interrupts(work->channel);
    enum tandem_status status = work_memory_fill(work);
    if (status == TANDEM_OK) open_ring(work);
    return status;
}

bool work_queue_close(struct tandem_channel *channel, unsigned turns) {
    struct work_queue_host *work = channel->work;
    if (work == NULL) return true;
    channel->work = NULL;
    const bool idle = channel_stop(work->channel, turns);
    if (idle) work_memory_free(work);
    channel_close(work->channel, idle);
    free(work);
    return idle;
}

bool work_queue_idle(const struct tandem_channel *channel) {
    const struct work_queue_host *work = channel->work;
    uint32_t done = 0;
    if (work == NULL) return true;
    return space_read(channel->space, work->record + (uint32_t)offsetof(struct work_queue, y), &done, 4) == TANDEM_OK &&
           done == work->launches;
}

unsigned work_queue_channel(const struct tandem_channel *channel) {
    return channel->work->channel->number;
}

bool work_queue_fault(struct tandem_channel *channel, struct tandem_fault *fault) {
    if (channel->work == NULL || !channel_fault(channel->work->channel, fault)) return false;
    char text[sizeof fault->text];
    memcpy(text, fault->text, sizeof text);
    snprintf(fault->text, sizeof fault->text, "its work queue (channel %u): %.200s", channel->work->channel->number,
             text);
    return true;
}

enum tandem_status work_queue_load(struct tandem_module *module) {
    struct tandem_device *device = module->device;
    const struct code_object *object = &module->object;
    bool wanted = false;
    uint32_t local_bytes = 0;
    for (size_t k = 0; k < object->kernel_count; k++) {
        const struct code_kernel *kernel = &object->kernels[k];
        if (kernel->work_queue != 0) wanted = true;
        if (kernel->local_bytes > local_bytes) local_bytes = (kernel->local_bytes + 15) & ~15u;
        if (kernel->constant_bytes > module->constants_max) module->constants_max = kernel->constant_bytes;
    }
    if (!wanted) return TANDEM_OK;
    const size_t size = object->kernel_count * sizeof(struct work_kernel);
    // Private memory of the threads of all launches that threads make, and of those that make them: a place for every
    // warp of the device, the same number of bytes for every kernel. A launch that needs none has the base nonetheless,
    // for its children (LAUNCH), who inherit it.
    const struct ppu_config *config = device->options.config;
    enum tandem_status status = TANDEM_OK;
    if (local_bytes != 0) {
        status = space_alloc(module->space, (size_t)config->sms * config->warps * config->threads * local_bytes,
                             4u * config->threads, &module->work_local);
    }
    if (status != TANDEM_OK) return status;
    module->work_local_bytes = local_bytes;
    struct work_kernel *kernels = calloc(object->kernel_count, sizeof *kernels);
    if (kernels == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a module");
    for (size_t k = 0; k < object->kernel_count; k++) {
        const struct code_kernel *kernel = &object->kernels[k];
        kernel_fill_tmd(kernels[k].tmd, module, kernel);
        if (kernel->local_bytes != 0) tmd_set(kernels[k].tmd, TMD_LOCAL_MEMORY_LOW, 0, local_bytes);
        tmd_set(kernels[k].tmd, TMD_TANDEM_REGION, 0, module->text);
        tmd_set(kernels[k].tmd, TMD_TANDEM_LOCAL, 0, module->work_local);
        kernels[k].constant_bytes = kernel->constant_bytes;
        kernels[k].shared_bytes = kernel->shared_bytes;
        kernels[k].threads_max = kernel_threads_limit(device, kernel);
        kernels[k].warp_threads = device->options.config->threads;
        kernels[k].non_uniform = kernel->non_uniform;
        kernels[k].shared_max = device->options.config->shared_bytes;
        kernels[k].straight.tag = device->work_tags < WORK_STRAIGHT_TAG ? ++device->work_tags : WORK_STRAIGHT_NO_TAG;
        if (kernel->shared_bytes <= kernels[k].shared_max) kernels[k].straight.threads_max = kernels[k].threads_max;
        kernels[k].straight.shared_bytes = kernels[k].shared_bytes;
        kernels[k].straight.shared_max = kernels[k].shared_max;
    }
    status = space_alloc(module->space, size, 32, &module->work_kernels);
    if (status == TANDEM_OK) status = space_write(module->space, module->work_kernels, kernels, size);
    free(kernels);
    return status;
}

// Positions must never come near 2^32. With TANDEM_PUT_HARDWARE the threads take them back themselves.
static enum tandem_status begin_anew(struct tandem_channel *channel) {
    struct work_queue_host *work = channel->work;
    if (!work_by_software(work) || work->shadow < work->sizes.rebase) return TANDEM_OK;
    if (!work_queue_idle(channel))
        return driver_fail(channel->device, TANDEM_FULL,
                           "the work queue of channel %u has used up its positions; wait for what was launched, then "
                           "launch again",
                           channel->number);
    return work_queue_reset(channel);
}

enum tandem_status work_queue_prepare(struct tandem_channel *channel, const struct tandem_module *module,
                                      tandem_addr task_at, uint32_t words[3], struct work_task *task) {
    struct tandem_device *device = channel->device;
    const uint32_t needed = kernel_piece_bytes(module);
    if (channel->work == NULL) {
        struct tandem_work_queue sizes = {
            .pieces = DEFAULT_PIECES, .piece_bytes = needed, .priority = channel->priority};
        // Of large ones fewer.
        while (sizes.pieces > PIECES_FEWEST && (uint64_t)sizes.pieces * sizes.piece_bytes > DEFAULT_POOL_BYTES)
            sizes.pieces /= 2;
        enum tandem_status status = open_for(channel, &sizes, module);
        if (status != TANDEM_OK || channel->work == NULL) return status;
    }
    if (needed > channel->work->sizes.piece_bytes) {
        return driver_fail(device, TANDEM_NO_MEMORY,
                           "the work queue of channel %u has pieces of %u bytes, this program needs %u; open it with "
                           "larger ones",
                           channel->number, channel->work->sizes.piece_bytes, needed);
    }
    enum tandem_status status = begin_anew(channel);
    if (status != TANDEM_OK) return status;
    words[0] = channel->work->record;
    words[1] = task_at;
    words[2] = module->work_kernels;
    task->counted = 1;
    return TANDEM_OK;
}

enum tandem_status work_queue_follow(struct tandem_channel *channel) {
    struct work_queue_host *work = channel->work;
    const uint32_t x = work->record + (uint32_t)offsetof(struct work_queue, x);
    const uint32_t y = work->record + (uint32_t)offsetof(struct work_queue, y);
    const uint32_t number = ++work->launches;
    enum tandem_status status = command_wfi(channel);
    if (status == TANDEM_OK) status = command_release(channel, x, number, false);
    return status == TANDEM_OK ? command_acquire(channel, y, number) : status;
}

// Whether all straight and linked pieces are in their places.
static bool straight_back(const struct work_queue *record) {
    for (uint32_t k = 0; k < WORK_STRAIGHT; k++)
        if (record->straight[k] == 0 || record->linked[k] == 0) return false;
    return true;
}

// How many of the words are 0.
static enum tandem_status count_zeros(const struct work_queue_host *work, tandem_addr at, uint32_t *zeros) {
    const uint32_t count = work->sizes.pieces;
    uint32_t *words = calloc(count, sizeof *words);
    if (words == NULL)
        return driver_fail(work->channel->device, TANDEM_NO_MEMORY, "the host has no memory to look at a work queue");
    enum tandem_status status = space_read(work->channel->space, at, words, 4 * (size_t)count);
    *zeros = 0;
    for (uint32_t k = 0; k < count; k++)
        *zeros += words[k] == 0;
    free(words);
    return status;
}

enum tandem_status work_queue_state(struct tandem_channel *channel, struct tandem_work_queue_state *state) {
    struct tandem_device *device = channel->device;
    *state = (struct tandem_work_queue_state){0};
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    struct work_queue_host *work = channel->work;
    if (work == NULL) return driver_fail(device, TANDEM_BAD_ARGUMENT, "channel %u has no work queue", channel->number);
    struct work_queue record;
    if (work_by_software(work)) (void)give_back(work);
    status = space_read(channel->space, work->record, &record, sizeof record);
    uint32_t used = 0, free_events = 0;
    if (status == TANDEM_OK) status = count_zeros(work, work->places, &used);
    if (status == TANDEM_OK) status = count_zeros(work, work->references, &free_events);
    if (status != TANDEM_OK) return status;
    const unsigned number = work->channel->number;
    const uint32_t gp_get = register_read(device, userd(work, USERD_GP_GET));
    const uint32_t gp_put = register_read(device, userd(work, USERD_GP_PUT));
    const uint32_t entries = work->sizes.entries;
    *state = (struct tandem_work_queue_state){
        .channel = number,
        .gp_get = gp_get,
        .launches = work->launches,
        .soft_put = record.soft_put,
        .shadow_put = record.shadow_put,
        .outstanding = record.outstanding,
        .parked = record.parked,
        .free = work->sizes.pieces - used,
        .record = work->record,
    };
    // After the last launch the channel stands before X in the last adder's first entry (before any, in entry 0).
    const uint32_t last = work->launches == 0 ? record.soft_put - 1 : record.soft_put - 2;
    state->consistent = gp_get == last % entries && gp_put == one_behind(work, gp_get) && record.outstanding == 1 &&
                        record.parked == 0 && used == 0 && free_events == work->sizes.pieces &&
                        straight_back(&record) && record.launch == work->launches + 1 && record.y == work->launches &&
                        record.x == work->launches;
    return TANDEM_OK;
}
