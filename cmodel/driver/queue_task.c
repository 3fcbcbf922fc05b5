// Tasks fed by a ring of entries: the fields of their TMD, and appending by the CPU (TU-7).
#include <string.h>

#include "compiler/library/queue_task.h"
#include "driver/launch.h"
#include "task/tmd.h"

#define ENTRIES_MAX (1u << 24)
#define PER_CTA_MAX 128u
#define WAITING_MAX 255u
#define COUNTER_MASK 0x7FFFFFFFu
#define FLAGS_WORD TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE_WORD

// Makes the TMD in memory that of a task which is fed by the queue; checks the queue's numbers.
static enum tandem_status fill(struct tandem_space *space, tandem_addr tmd, const struct tandem_queue *queue) {
    struct tandem_device *device = space->device;
    uint32_t words[TMD_WORDS];
    if (queue->entries == 0 || queue->entries > ENTRIES_MAX || (queue->entries & (queue->entries - 1)) != 0)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "queue of %u entries; must be a power of two up to %u",
                           queue->entries, ENTRIES_MAX);
    if (queue->entry_bytes == 0 || queue->entry_bytes > UINT16_MAX)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "queue with entries of %u bytes; must be 1 to %u",
                           queue->entry_bytes, (unsigned)UINT16_MAX);
    if (queue->per_cta == 0 || queue->per_cta > PER_CTA_MAX || queue->waiting > WAITING_MAX)
        return driver_fail(device, TANDEM_BAD_ARGUMENT,
                           "queue with %u entries for a CTA, which wait %u * 256 cycles; must be 1 to %u, 0 to %u",
                           queue->per_cta, queue->waiting, PER_CTA_MAX, WAITING_MAX);
    if (queue->filled > queue->entries)
        return driver_fail(device, TANDEM_BAD_ARGUMENT, "queue of %u entries, filled with %u", queue->entries,
                           queue->filled);
    enum tandem_status status = space_read(space, tmd, words, sizeof words);
    if (status != TANDEM_OK) return status;
    tmd_set(words, TMD_OUTER_PUT, 0, queue->filled);
    tmd_set(words, TMD_OUTER_GET, 0, 0);
    words[QUEUE_TASK_TAKEN_WORD] = queue->filled;
    tmd_set(words, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0, !queue->closed);
    tmd_set(words, TMD_CIRCULAR_QUEUE_SIZE, 0, queue->entries);
    tmd_set(words, TMD_CIRCULAR_QUEUE_ADDR_LOWER, 0, queue->ring);
    tmd_set(words, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0, queue->entry_bytes);
    tmd_set(words, TMD_QUEUE_ENTRIES_PER_CTA_MINUS_ONE, 0, queue->per_cta - 1);
    tmd_set(words, TMD_COALESCE_WAITING_PERIOD, 0, queue->waiting);
    return space_write(space, tmd, words, sizeof words);
}

enum tandem_status queue_task_launch(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                     uint32_t threads, const struct tandem_queue *queue,
                                     const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *tmd) {
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    if (threads == 0)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT, "kernel %s: a queue task with CTAs of 0 threads",
                           kernel);
    struct built_task task = {0};
    enum tandem_status status = launch_build(channel, module, kernel, &range, scheduling, arguments, count, &task);
    if (status != TANDEM_OK) return status;
    status = fill(channel->space, task.block, queue);
    if (status != TANDEM_OK) {
        launch_drop(channel, &task);
        return status;
    }
    *tmd = task.block;
    return launch_start(channel, module, &task);
}

enum tandem_status queue_task_append(struct tandem_space *space, tandem_addr tmd, const struct tandem_queue *queue,
                                     const void *entries, uint32_t count, uint32_t *appended) {
    uint32_t counters[2];
    *appended = 0;
    enum tandem_status status = space_read(space, tmd, counters, sizeof counters);
    if (status != TANDEM_OK) return status;
    const uint32_t room = queue->entries - ((counters[0] - counters[1]) & COUNTER_MASK);
    if (room > queue->entries)
        return driver_fail(space->device, TANDEM_BAD_ARGUMENT,
                           "queue at 0x%x: OUTER_PUT %u leads OUTER_GET %u by too much", tmd,
                           counters[0] & COUNTER_MASK, counters[1] & COUNTER_MASK);
    if (count > room) count = room;
    if (count == 0) return TANDEM_OK;
    // Up to the end of the ring, then from its start; OUTER_PUT only when all of them are there.
    const uint32_t at = counters[0] & (queue->entries - 1), size = queue->entry_bytes;
    const uint32_t first = count < queue->entries - at ? count : queue->entries - at;
    status = space_write(space, queue->ring + at * size, entries, (size_t)first * size);
    if (status == TANDEM_OK && count > first)
        status = space_write(space, queue->ring, (const uint8_t *)entries + (size_t)first * size,
                             (size_t)(count - first) * size);
    const uint32_t put = (counters[0] + count) & COUNTER_MASK;
    if (status == TANDEM_OK) status = space_write(space, tmd, &put, sizeof put);
    if (status == TANDEM_OK) *appended = count;
    return status;
}

enum tandem_status queue_task_close(struct tandem_space *space, tandem_addr tmd) {
    uint32_t words[TMD_WORDS] = {0};
    enum tandem_status status = space_read(space, tmd + 4 * FLAGS_WORD, &words[FLAGS_WORD], 4);
    if (status != TANDEM_OK) return status;
    tmd_set(words, TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 0, 0);
    return space_write(space, tmd + 4 * FLAGS_WORD, &words[FLAGS_WORD], 4);
}
