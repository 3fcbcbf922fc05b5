// Local memory of a channel's threads: one piece of device memory with a place for every warp that the device can hold.
// Kernels that make work have their program's (work_queue.c) in its place.
//
// Where a thread's bytes lie depends on the bytes a thread has, so all launches get the same number, that of the piece;
// a kernel that needs more gets a new, larger piece. Tasks carry their piece with them: the old one stays until the
// launches that may use it have ended.
#include "driver/local_memory.h"

#include <stdlib.h>

#include "driver/command.h"
#include "gen/methods.h"

#define LOCAL_BYTES_MAX 0xFFFFF0u  // of a thread: what the TMD's field holds

void channel_drop_local(struct tandem_channel *channel, bool all) {
    while (channel->local_retired != NULL) {
        struct launch *old = channel->local_retired;
        channel->local_retired = old->next;
        space_free(channel->space, old->block);
        free(old);
    }
    if (all && channel->local_bytes != 0) {
        space_free(channel->space, channel->local);
        channel->local_bytes = 0;
    }
}

static enum tandem_status grow(struct tandem_channel *channel, uint32_t bytes) {
    struct tandem_device *device = channel->device;
    const struct ppu_config *config = device->options.config;
    const uint64_t warps = (uint64_t)config->sms * config->warps, size = warps * config->threads * bytes;
    struct launch *old = malloc(sizeof *old);
    uint64_t piece = 0;
    // A row of words of a warp begins with a line.
    if (old == NULL || !heap_alloc(&channel->space->data, size, 4u * config->threads, &piece)) {
        free(old);
        return driver_fail(device, TANDEM_NO_MEMORY,
                           "channel %u: no memory for the local memory of its threads: %u bytes each, %llu in all",
                           channel->number, bytes, (unsigned long long)size);
    }
    *old = (struct launch){.next = channel->local_retired, .block = channel->local};
    if (channel->local_bytes != 0) {
        channel->local_retired = old;
    } else {
        free(old);
    }
    channel->local = (tandem_addr)piece;
    channel->local_bytes = bytes;
    channel->local_set = 0;
    if (channel->launches == NULL) channel_drop_local(channel, false);
    return TANDEM_OK;
}

enum tandem_status channel_set_local(struct tandem_channel *channel, const struct tandem_module *module,
                                     const struct code_kernel *kernel, uint32_t *bytes) {
    enum tandem_status status = channel_prepare(channel);
    const bool of_program = kernel->work_queue != 0 && module->work_local != 0;
    *bytes = 0;
    if (status != TANDEM_OK) return status;
    if (kernel->local_bytes > LOCAL_BYTES_MAX) {
        return driver_fail(channel->device, TANDEM_BAD_CODE,
                           "kernel %s: %u bytes of local memory a thread, there can be %u", kernel->name,
                           kernel->local_bytes, LOCAL_BYTES_MAX);
    }
    const uint32_t needed = (kernel->local_bytes + 15) & ~15u;
    if (!of_program && channel->local_bytes < needed) status = grow(channel, needed);
    if (status != TANDEM_OK) return status;
    // Also for a kernel that needs none: a child of it, built before, may count on the channel's.
    const tandem_addr base = of_program ? module->work_local : channel->local_bytes != 0 ? channel->local : 0;
    if (base != 0 && channel->local_set != base) {
        status = command_method(channel, COMPUTE_SUBCHANNEL, COMPUTE_SET_SHADER_LOCAL_MEMORY_A, 0);
        if (status == TANDEM_OK)
            status = command_method(channel, COMPUTE_SUBCHANNEL, COMPUTE_SET_SHADER_LOCAL_MEMORY_B, base);
        channel->local_set = status == TANDEM_OK ? base : 0;
    }
    if (needed != 0) *bytes = of_program ? module->work_local_bytes : channel->local_bytes;
    return status;
}
