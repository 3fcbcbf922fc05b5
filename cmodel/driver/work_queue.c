// PPU-owned queues: what the driver does so that the PPU's own threads can make work (WQ-10 to WQ-17).
// work_queue.md tells the protocol; compiler/library/work_queue.h has the memory, work_queue.cl the threads' part.
#include "driver/work_queue.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/command.h"
#include "driver/kernel_task.h"
#include "gen/methods.h"
#include "gen/registers.h"
#include "task/tmd.h"

#define DEFAULT_ENTRIES 256u
#define DEFAULT_PIECES 1024u
#define DEFAULT_POOL_BYTES (1u << 20)
#define PIECES_FEWEST 32u
#define PIECES_MAX (1u << 20)
#define ACQUIRE                                                     \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_ACQUIRE) | \
     HOST_SEMAPHORED_ACQUIRE_SWITCH(HOST_SEMAPHORED_ACQUIRE_SWITCH_ENABLED))
#define RELEASE                                                     \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) | \
     HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS) | \
     HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_4BYTE))

struct work_queue_host {
    struct tandem_channel *channel;  // the PPU-owned one
    struct tandem_work_queue sizes;
    tandem_addr record, blocks, semaphores, places, pool, straight, linked, references, events;
    uint32_t launches;
    // TANDEM_PUT_SOFTWARE: GP_GET and shadow GP_PUT as they were given to the queue last.
    uint32_t get, shadow;
    uint32_t
        straight_words[WORK_STRAIGHT_BYTES / 4];  // what straight pieces have in common: of the kernel with this tag
    uint32_t straight_tag;
};

static uint32_t header(uint32_t count, uint32_t subchannel, uint32_t method) {
    return DMA_HEADER(DMA_SEC_OP_INC_METHOD, count, subchannel, method);
}

static void control(struct work_queue_host *work, uint32_t value) {
    channel_write(work->channel, CHANNEL_CONTROL, value);
}

static bool by_software(const struct work_queue_host *work) {
    return work->sizes.put == TANDEM_PUT_SOFTWARE;
}

static uint32_t userd(const struct work_queue_host *work, uint32_t offset) {
    return REG_USERD_BASE + work->channel->number * REG_USERD_STRIDE + offset;
}

static uint32_t one_behind(const struct work_queue_host *work, uint32_t place) {
    return place == 0 ? work->sizes.entries - 1 : place - 1;
}

// The channel, reset and with its memory filled, may go (WQ-14): GP_PUT is one behind GP_GET.
static void open_ring(struct work_queue_host *work) {
    if (by_software(work)) {
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
        if (channel != NULL && channel->work != NULL && by_software(channel->work)) given |= give_back(channel->work);
    }
    return given;
}

// Where blocks tell what is free.
static uint32_t given_back(const struct work_queue_host *work) {
    return work->record + (uint32_t)(by_software(work) ? offsetof(struct work_queue, unread)
                                                       : offsetof(struct work_queue, shadow_put));
}

static void put_semaphore(uint32_t *words, uint32_t address, uint32_t payload, uint32_t operation) {
    const uint32_t method[] = {header(4, 0, HOST_SEMAPHOREA), 0, address, payload, operation};
    memcpy(words, method, sizeof method);
}

// What threads find in the entries' blocks; they fill in the words that change.
static enum tandem_status fill_blocks(const struct work_queue_host *work) {
    enum { WORDS = WORK_BLOCK_BYTES / 4 };
    const uint32_t entries = work->sizes.entries, ring = work->channel->ring;
    uint32_t(*blocks)[WORDS] = entries != 0 ? calloc(entries, sizeof *blocks) : NULL;
    if (blocks == NULL)
        return driver_fail(work->channel->device, TANDEM_NO_MEMORY, "the host has no memory for a work queue");
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t *words = blocks[i];
        const uint32_t before = i == 0 ? entries - 1 : i - 1;
        put_semaphore(words + WORK_LAUNCH_FIRST, ring + 8 * before + 4, WORK_UNWRITTEN1, RELEASE);
        put_semaphore(words + WORK_LAUNCH_ERASE, ring + 8 * i + 4, WORK_UNWRITTEN1, RELEASE);
        put_semaphore(words + WORK_LAUNCH_PLAIN, given_back(work), 0, RELEASE);
        words[WORK_REGION - 2] = header(2, COMPUTE_SUBCHANNEL, COMPUTE_SET_PROGRAM_REGION_A);  // and B
        words[WORK_LOCAL - 2] = header(2, COMPUTE_SUBCHANNEL, COMPUTE_SET_SHADER_LOCAL_MEMORY_A);
        words[WORK_TASK_NUMBER - 1] = header(1, COMPUTE_SUBCHANNEL, COMPUTE_SEND_PCAS_A);
        words[WORK_TASK_NUMBER + 1] = header(1, COMPUTE_SUBCHANNEL, COMPUTE_SEND_SIGNALING_PCAS_B);
        words[WORK_TASK_NUMBER + 2] =
            COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE(COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE_TRUE);
        put_semaphore(words + WORK_ACQUIRE_BEGIN, work->semaphores + 4 * i, 0, ACQUIRE);
    }
    enum tandem_status status =
        space_write(work->channel->space, work->blocks, blocks, (size_t)entries * WORK_BLOCK_BYTES);
    free(blocks);
    return status;
}

static tandem_addr place_at(const struct work_queue_host *work, size_t places, uint32_t place) {
    return work->record + (uint32_t)places + 4 * place;
}

// Straight pieces of a queue that the driver opens for a launch are made for the program's first block, so that its first
// launches find them as later ones do; for other kernels threads do this (fill_in() of work_straight.cl).
static enum tandem_status make_straight(struct work_queue_host *work, const struct tandem_channel *channel,
                                        const struct tandem_module *module) {
    const struct code_object *object = &module->object;
    uint32_t *words = work->straight_words, *constants = words + WORK_STRAIGHT_CONSTANTS / 4;
    size_t number = 0;
    while (number < object->kernel_count && !code_kernel_is_block(&object->kernels[number]))
        number++;
    struct work_kernel kernel;
    if (number == object->kernel_count || module->work_kernels == 0) return TANDEM_OK;
    enum tandem_status status =
        space_read(module->space, module->work_kernels + (uint32_t)(number * sizeof kernel), &kernel, sizeof kernel);
    if (status != TANDEM_OK || kernel.straight.threads_max == 0) return status;
    memcpy(words, kernel.tmd, sizeof kernel.tmd);
    words[TMD_SHARED_MEMORY_SIZE_WORD] = kernel.straight.shared_bytes;
    work->straight_tag = kernel.straight.tag & WORK_STRAIGHT_TAG;
    constants[LAUNCH_CONSTANT_QUEUE / 4] = work->record;
    constants[LAUNCH_CONSTANT_KERNELS / 4] = module->work_kernels;
    constants[LAUNCH_CONSTANT_DATA / 4] = module->data;
    constants[LAUNCH_PRINTF / 4] = module->print.buffer;
    constants[LAUNCH_WARP_THREADS / 4] = module->device->options.config->threads | (channel->number + 1) << 16;
    return TANDEM_OK;
}

// Straight and linked pieces (WQ-31): at the end of its task each comes back to its place, which is the TMD's own release.
// places: offset of their places in the record; tag: what they are made for.
static enum tandem_status fill_straight(const struct work_queue_host *work, tandem_addr at, size_t places,
                                        uint32_t tag) {
    enum { WORDS = WORK_STRAIGHT_BYTES / 4 };
    uint32_t(*pieces)[WORDS] = calloc(WORK_STRAIGHT, sizeof *pieces);
    if (pieces == NULL)
        return driver_fail(work->channel->device, TANDEM_NO_MEMORY, "the host has no memory for a work queue");
    for (uint32_t k = 0; k < WORK_STRAIGHT; k++) {
        const uint32_t piece = at + k * WORK_STRAIGHT_BYTES;
        uint32_t *words = pieces[k], *constants = words + WORK_STRAIGHT_CONSTANTS / 4;
        if (tag != 0) memcpy(words, work->straight_words, sizeof pieces[k]);
        words[offsetof(struct work_task, unclean) / 4] = WORK_STRAIGHT_TAG;
        tmd_set(words, TMD_CTA_THREAD_DIMENSION1, 0, 1);
        tmd_set(words, TMD_CTA_THREAD_DIMENSION2, 0, 1);
        tmd_set(words, TMD_RELEASE_ADDRESS_LOWER, 0, place_at(work, places, k));
        tmd_set(words, TMD_RELEASE_STRUCTURE_SIZE, 0, TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD);
        tmd_set(words, TMD_RELEASE_PAYLOAD, 0, piece | tag);
        tmd_set(words, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, piece + WORK_STRAIGHT_CONSTANTS);
        constants[LAUNCH_WORK_DIM / 4] = 1;
        constants[16] = piece + WORK_STRAIGHT_LITERAL;  // the block's only argument
    }
    enum tandem_status status =
        space_write(work->channel->space, at, pieces, WORK_STRAIGHT * sizeof *pieces);
    free(pieces);
    return status;
}

// Events: TMDs of tasks without CTAs, which give a reference to themselves back at their end. Threads fill in the rest. Such a
// task needs no code; the check of a TMD wants some, and a program region, as they were of a launch.
static enum tandem_status fill_events(const struct work_queue_host *work) {
    const uint32_t count = work->sizes.pieces;
    uint32_t(*events)[TMD_WORDS] = calloc(count, sizeof *events);
    if (events == NULL)
        return driver_fail(work->channel->device, TANDEM_NO_MEMORY, "the host has no memory for a work queue");
    for (uint32_t k = 0; k < count; k++) {
        uint32_t *words = events[k];
        tmd_fill_empty(words);
        tmd_set(words, TMD_RELEASE_ADDRESS_LOWER, 0, work->references + 4 * k);
        tmd_set(words, TMD_RELEASE_STRUCTURE_SIZE, 0, TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD);
        tmd_set(words, TMD_RELEASE_RED_ENABLE, 0, 1);
        tmd_set(words, TMD_RELEASE_RED_OP, 0, TMD_RELEASE_RED_OP_ADD);
        tmd_set(words, TMD_RELEASE_PAYLOAD, 0, UINT32_MAX);
        tmd_set(words, TMD_TANDEM_REGION, 0, work->record);
    }
    enum tandem_status status = space_write(work->channel->space, work->events, events, count * sizeof *events);
    free(events);
    return status;
}

// Threads look at places and references four at a time.
static uint32_t whole_rows(uint32_t count) {
    return (count + 3) & ~3u;
}

// All of the queue's memory as before the first launch (WQ-11, WQ-13, WQ-16).
static enum tandem_status fill_memory(struct work_queue_host *work) {
    struct tandem_device *device = work->channel->device;
    const uint32_t entries = work->sizes.entries, pieces = work->sizes.pieces;
    struct work_queue record = {
        .entries = entries,
        .ring = work->channel->ring,
        .blocks = work->blocks,
        .semaphores = work->semaphores,
        .flags = (work->sizes.keep_passed ? 0 : WORK_ERASE) | (by_software(work) ? WORK_PUT_SOFTWARE : 0),
        .rebase = work->sizes.rebase,
        .pieces = pieces,
        .piece_bytes = work->sizes.piece_bytes,
        .soft_put = entries + 1,        // the entry after the one at GP_GET, on the first lap
        .shadow_put = 2 * entries - 1,  // GP_PUT
        .given_back = given_back(work),
        .launch = 1,
        .outstanding = 1,
        .pool = work->pool,
        .places = work->places,
        .events = work->events,
        .event_bytes = pieces * WORK_EVENT_BYTES,
        .references = work->references - work->events / 64,
        .ns_per_cycle = device->options.config->ns_per_cycle,
    };
    for (uint32_t k = 0; k < WORK_STRAIGHT; k++) {
        record.straight[k] = (work->straight + k * WORK_STRAIGHT_BYTES) | work->straight_tag;
        record.linked[k] = work->linked + k * WORK_STRAIGHT_BYTES;
    }
    const uint32_t x = work->record + (uint32_t)offsetof(struct work_queue, x);
    // The first entry stands before X, and then before its own semaphore, which the first adder releases. Its block is the
    // one that ends the second launch.
    const uint32_t first = work->blocks + entries * WORK_BLOCK_BYTES;
    const uint32_t block[] = {header(1, COMPUTE_SUBCHANNEL, HOST_SET_OBJECT),
                              COMPUTE_CLASS,
                              header(4, 0, HOST_SEMAPHOREA),
                              0,
                              x,
                              1,
                              ACQUIRE,
                              header(4, 0, HOST_SEMAPHOREA),
                              0,
                              work->semaphores,
                              entries,
                              ACQUIRE};
    const size_t places = whole_rows(pieces), count = 2 * (size_t)entries + entries + 2 * places;
    uint32_t *words = calloc(count, sizeof *words);
    if (words == NULL) return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a work queue");
    uint32_t *ring = words, *semaphores = ring + 2 * (size_t)entries, *free_places = semaphores + entries;
    for (uint32_t i = 0; i < entries; i++) {
        ring[2 * i] = i == 0 ? first : WORK_UNWRITTEN0;
        ring[2 * i + 1] = i == 0 ? GP_ENTRY1_LENGTH((uint32_t)(sizeof block / 4)) : WORK_UNWRITTEN1;
    }
    for (uint32_t i = 0; i < pieces; i++)
        free_places[i] = work->pool + i * work->sizes.piece_bytes;
    enum tandem_status status = space_write(work->channel->space, work->record, &record, sizeof record);
    if (status == TANDEM_OK) status = fill_blocks(work);
    if (status == TANDEM_OK)
        status = fill_straight(work, work->straight, offsetof(struct work_queue, straight), work->straight_tag);
    if (status == TANDEM_OK) status = fill_straight(work, work->linked, offsetof(struct work_queue, linked), 0);
    if (status == TANDEM_OK) status = fill_events(work);
    if (status == TANDEM_OK) status = space_write(work->channel->space, first, block, sizeof block);
    if (status == TANDEM_OK) status = space_write(work->channel->space, work->channel->ring, ring, 8 * (size_t)entries);
    if (status == TANDEM_OK)
        status = space_write(work->channel->space, work->semaphores, semaphores, 4 * (size_t)entries);
    if (status == TANDEM_OK) status = space_write(work->channel->space, work->places, free_places, 4 * places);
    if (status == TANDEM_OK)  // none
        status = space_write(work->channel->space, work->references, free_places + places, 4 * places);
    free(words);
    work->launches = 0;
    return status;
}

static void free_memory(struct work_queue_host *work) {
    const tandem_addr parts[] = {work->record, work->blocks, work->semaphores, work->places,    work->pool,
                                 work->straight, work->linked, work->references, work->events};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i] != 0) space_free(work->channel->space, parts[i]);
    }
}

_Static_assert(offsetof(struct work_queue, straight) % WORK_QUEUE_ALIGNMENT == 0 &&
                   offsetof(struct work_queue, linked) % WORK_QUEUE_ALIGNMENT == 0,
               "threads take a place by bits of its address");
_Static_assert(offsetof(struct work_queue, events) == 176, "work_events() of compiler/library/work_parts.h");
_Static_assert(sizeof(struct work_task) == 4 * TMD_WORDS && sizeof(struct work_event) == 4 * TMD_WORDS &&
                   offsetof(struct work_task, region) == 4 * TMD_TANDEM_REGION_WORD &&
                   offsetof(struct work_task, counter) == 4 * TMD_DEPENDENCE_COUNTER_WORD &&
                   offsetof(struct work_event, counter) == 4 * TMD_DEPENDENCE_COUNTER_WORD &&
                   sizeof(uint32_t) * 33 <= offsetof(struct work_task, leaves) &&
                   offsetof(struct work_task, scope) < 4 * TMD_LOCAL_MEMORY_LOW_WORD &&
                   offsetof(struct work_event, end) + 8 <= 4 * TMD_LOCAL_MEMORY_LOW_WORD,
               "both are TMDs, with words of threads in those of constant buffers that are not there");

static enum tandem_status allocate(struct work_queue_host *work) {
    const struct {
        tandem_addr *to;
        uint64_t size;
        uint32_t alignment;
    } parts[] = {
        {&work->record, sizeof(struct work_queue), WORK_QUEUE_ALIGNMENT},
        {&work->blocks, ((uint64_t)work->sizes.entries + 2) * WORK_BLOCK_BYTES, 32},
        {&work->semaphores, 4ull * work->sizes.entries, 32},
        {&work->places, 4ull * whole_rows(work->sizes.pieces), 32},
        {&work->pool, (uint64_t)work->sizes.pieces * work->sizes.piece_bytes, 256},
        {&work->straight, (uint64_t)WORK_STRAIGHT * WORK_STRAIGHT_BYTES, WORK_STRAIGHT_BYTES},
        {&work->linked, (uint64_t)WORK_STRAIGHT * WORK_STRAIGHT_BYTES, WORK_STRAIGHT_BYTES},
        {&work->references, 4ull * whole_rows(work->sizes.pieces), 32},
        {&work->events, (uint64_t)WORK_EVENT_BYTES * work->sizes.pieces, WORK_EVENT_BYTES},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        enum tandem_status status = space_alloc(work->channel->space, parts[i].size, parts[i].alignment, parts[i].to);
        if (status != TANDEM_OK) return status;
    }
    return TANDEM_OK;
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
    status = allocate(work);
    if (status == TANDEM_OK && module != NULL) status = make_straight(work, channel, module);
    if (status == TANDEM_OK) status = fill_memory(work);
    if (status != TANDEM_OK) {
        free_memory(work);
        channel_close(work->channel, true);
        free(work);
        return status;
    }
    channel->work = work;
    if (by_software(work)) device->serve_queues = serve;
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
    enum tandem_status status = fill_memory(work);
    if (status == TANDEM_OK) open_ring(work);
    return status;
}

bool work_queue_close(struct tandem_channel *channel, unsigned turns) {
    struct work_queue_host *work = channel->work;
    if (work == NULL) return true;
    channel->work = NULL;
    const bool idle = channel_stop(work->channel, turns);
    if (idle) free_memory(work);
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
    if (!by_software(work) || work->shadow < work->sizes.rebase) return TANDEM_OK;
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
    if (by_software(work)) (void)give_back(work);
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
                        straight_back(&record) &&
                        record.launch == work->launches + 1 && record.y == work->launches && record.x == work->launches;
    return TANDEM_OK;
}
