// Records of one pool are alike in size, a power of two. A task names its pool, so pools of several sizes stand beside
// each other. They are the channel's own: a handler that is stopped by a fault of its channel may leave a pool locked.
#include "driver/save_pool.h"

#include <stdlib.h>

#include "gen/save_handler.h"
#include "isa/save_handler.h"
#include "task/tmd.h"

#define RECORD_LEAST 1024u
#define PART_OF_SPACE 8u  // of it, for each pool, unless the caller says how much

struct save_pool {
    struct save_pool *next;
    tandem_addr header;
    uint32_t record, bytes;  // of a record; of all records
};

static enum tandem_status clear(struct tandem_channel *channel, const struct save_pool *pool, uint32_t tokens,
                                uint32_t threads) {
    const tandem_addr first = pool->header + SAVE_POOL_BYTES;
    uint32_t words[SAVE_POOL_BYTES / 4] = {0};
    words[SAVE_REST / 4] = first;
    words[SAVE_END / 4] = first + pool->bytes;
    words[SAVE_RECORD_BYTES / 4] = pool->record;
    words[SAVE_TOKENS / 4] = tokens;
    words[SAVE_THREADS / 4] = threads;
    return space_write(channel->space, pool->header, words, sizeof words);
}

enum tandem_status save_pool_clear(struct tandem_channel *channel) {
    const struct tandem_device *device = channel->device;
    enum tandem_status status = TANDEM_OK;
    for (const struct save_pool *pool = channel->save_pools; pool != NULL && status == TANDEM_OK; pool = pool->next)
        status = clear(channel, pool, device->queue_places, device->options.config->threads);
    return status;
}

bool save_pool_find(const struct tandem_channel *channel, tandem_addr at, tandem_addr *first, uint32_t *record,
                    uint32_t *bytes) {
    for (const struct save_pool *pool = channel->save_pools; pool != NULL; pool = pool->next) {
        if (pool->header != at) continue;
        *first = pool->header + SAVE_POOL_BYTES;
        *record = pool->record;
        *bytes = pool->bytes;
        return true;
    }
    return false;
}

void save_pool_drop(struct tandem_channel *channel, bool idle) {
    while (channel->save_pools != NULL) {
        struct save_pool *pool = channel->save_pools;
        channel->save_pools = pool->next;
        if (idle) space_free(channel->space, pool->header);
        free(pool);
    }
}

enum tandem_status save_pool_memory(struct tandem_channel *channel, size_t bytes) {
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK) return status;
    if (channel->save_pools != NULL)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                           "channel %u: memory for CTAs that step aside has been given out already; say how much there "
                           "is before the first task of a kernel that saves",
                           channel->number);
    if (bytes == 0 || bytes > channel->space->bytes)
        return driver_fail(channel->device, TANDEM_BAD_ARGUMENT,
                           "channel %u: %zu bytes for CTAs that step aside: must be 1 to the space's %llu",
                           channel->number, bytes, (unsigned long long)channel->space->bytes);
    channel->save_bytes = bytes;
    return TANDEM_OK;
}

// The pool whose records have `record` bytes.
static enum tandem_status find(struct tandem_channel *channel, const struct code_kernel *kernel, uint64_t record,
                               const struct save_pool **result) {
    struct tandem_device *device = channel->device;
    const struct ppu_config *config = device->options.config;
    const uint64_t least = record * config->sms * config->warps;
    uint64_t bytes = channel->save_bytes != 0 ? channel->save_bytes : channel->space->bytes / PART_OF_SPACE;
    for (const struct save_pool *pool = channel->save_pools; pool != NULL; pool = pool->next) {
        *result = pool;
        if (pool->record == record) return TANDEM_OK;
    }
    if (bytes < least && channel->save_bytes == 0) bytes = least;
    bytes -= bytes % record;
    struct save_pool *pool = malloc(sizeof *pool);
    uint64_t header = 0;
    if (pool == NULL || bytes < least || !heap_alloc(&channel->space->data, SAVE_POOL_BYTES + bytes, 32, &header)) {
        free(pool);
        return driver_fail(
            device, TANDEM_NO_MEMORY,
            "kernel %s: no memory to store its CTAs when they step aside: a CTA takes %llu bytes, and as "
            "many as can run at once need %llu; open the channel in a larger space, or say how much with "
            "tandem_channel_save_memory",
            kernel->name, (unsigned long long)record, (unsigned long long)least);
    }
    *pool = (struct save_pool){channel->save_pools, (tandem_addr)header, (uint32_t)record, (uint32_t)bytes};
    channel->save_pools = pool;
    *result = pool;
    return clear(channel, pool, device->queue_places, config->threads);
}

enum tandem_status save_pool_set(struct tandem_channel *channel, const struct code_kernel *kernel, uint32_t *tmd) {
    const struct ppu_config *config = channel->device->options.config;
    const struct save_pool *pool = NULL;
    if (kernel->saves == 0) return TANDEM_OK;
    const uint32_t threads = tmd_get(tmd, TMD_CTA_THREAD_DIMENSION0, 0) * tmd_get(tmd, TMD_CTA_THREAD_DIMENSION1, 0) *
                             tmd_get(tmd, TMD_CTA_THREAD_DIMENSION2, 0);
    const uint32_t warps = (threads + config->threads - 1) / config->threads;
    // The handler goes over shared memory word by word.
    const uint32_t shared = (tmd_get(tmd, TMD_SHARED_MEMORY_SIZE, 0) + 3u) & ~3u;
    const uint64_t needed =
        save_record_bytes(warps, config->threads, kernel->registers, tmd_get(tmd, TMD_LOCAL_MEMORY_LOW, 0),
                          channel->device->queue_places, shared);
    uint64_t record = RECORD_LEAST;
    while (record < needed)
        record *= 2;
    const enum tandem_status status = find(channel, kernel, record, &pool);
    if (status != TANDEM_OK || pool == NULL) return status;
    tmd_set(tmd, TMD_SHARED_MEMORY_SIZE, 0, shared);
    tmd_set(tmd, TMD_TANDEM_SAVE_ENABLE, 0, 1);
    tmd_set(tmd, TMD_TANDEM_SAVE_POOL, 0, pool->header);
    return TANDEM_OK;
}
