// What threads find in the memory of a PPU-owned queue (compiler/library/work_queue.h).
#include "driver/work_memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "driver/kernel_task.h"
#include "gen/methods.h"
#include "task/tmd.h"

#define ACQUIRE                                                     \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_ACQUIRE) | \
     HOST_SEMAPHORED_ACQUIRE_SWITCH(HOST_SEMAPHORED_ACQUIRE_SWITCH_ENABLED))
#define RELEASE                                                     \
    (HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE) | \
     HOST_SEMAPHORED_RELEASE_WFI(HOST_SEMAPHORED_RELEASE_WFI_DIS) | \
     HOST_SEMAPHORED_RELEASE_SIZE(HOST_SEMAPHORED_RELEASE_SIZE_4BYTE))

static uint32_t header(uint32_t count, uint32_t subchannel, uint32_t method) {
    return DMA_HEADER(DMA_SEC_OP_INC_METHOD, count, subchannel, method);
}

// Where blocks tell what is free.
static uint32_t given_back(const struct work_queue_host *work) {
    return work->record + (uint32_t)(work_by_software(work) ? offsetof(struct work_queue, unread)
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

enum tandem_status work_memory_for(struct work_queue_host *work, const struct tandem_channel *channel,
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
        tmd_set(words, TMD_CTA_RASTER_HEIGHT, 0, 1);
        tmd_set(words, TMD_CTA_RASTER_DEPTH, 0, 1);
        tmd_set(words, TMD_CTA_THREAD_DIMENSION1, 0, 1);
        tmd_set(words, TMD_CTA_THREAD_DIMENSION2, 0, 1);
        tmd_set(words, TMD_RELEASE_ADDRESS_LOWER, 0, place_at(work, places, k));
        tmd_set(words, TMD_RELEASE_STRUCTURE_SIZE, 0, TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD);
        tmd_set(words, TMD_RELEASE_PAYLOAD, 0, piece | tag);
        tmd_set(words, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0, piece + WORK_STRAIGHT_CONSTANTS);
        constants[LAUNCH_WORK_DIM / 4] = 1;
        constants[16] = piece + WORK_STRAIGHT_LITERAL;  // the block's only argument
    }
    enum tandem_status status = space_write(work->channel->space, at, pieces, WORK_STRAIGHT * sizeof *pieces);
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

enum tandem_status work_memory_fill(struct work_queue_host *work) {
    struct tandem_device *device = work->channel->device;
    const uint32_t entries = work->sizes.entries, pieces = work->sizes.pieces;
    struct work_queue record = {
        .entries = entries,
        .ring = work->channel->ring,
        .blocks = work->blocks,
        .semaphores = work->semaphores,
        .flags = (work->sizes.keep_passed ? 0 : WORK_ERASE) | (work_by_software(work) ? WORK_PUT_SOFTWARE : 0),
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

void work_memory_free(struct work_queue_host *work) {
    const tandem_addr parts[] = {work->record,   work->blocks, work->semaphores, work->places, work->pool,
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

enum tandem_status work_memory_allocate(struct work_queue_host *work) {
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
