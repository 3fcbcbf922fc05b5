// The memory of a PPU-owned queue, as it is before the first launch.
#ifndef TANDEM_DRIVER_WORK_MEMORY_H
#define TANDEM_DRIVER_WORK_MEMORY_H

#include "compiler/library/work_queue.h"
#include "driver/channel.h"
#include "driver/module.h"

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

static inline bool work_by_software(const struct work_queue_host *work) {
    return work->sizes.put == TANDEM_PUT_SOFTWARE;
}

// Either all is allocated, or what is not is 0: work_memory_free().
enum tandem_status work_memory_allocate(struct work_queue_host *work);
void work_memory_free(struct work_queue_host *work);
// Straight pieces are made for the program's first block, so that its first launches find them as later ones do; for other
// kernels threads do this. Before work_memory_fill(). channel: of whose launches' work it is.
enum tandem_status work_memory_for(struct work_queue_host *work, const struct tandem_channel *channel,
                                   const struct tandem_module *module);
// All of the queue's memory (WQ-11, WQ-13, WQ-16).
enum tandem_status work_memory_fill(struct work_queue_host *work);

#endif
