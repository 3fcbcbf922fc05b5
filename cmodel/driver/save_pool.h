// Where a channel's CTAs that step aside are stored: pools of records, which the handler takes from and gives back to
// (cmodel/isa/save_handler.s).
#ifndef TANDEM_DRIVER_SAVE_POOL_H
#define TANDEM_DRIVER_SAVE_POOL_H

#include "driver/channel.h"
#include "isa/code_object.h"

// The fields of a task of a kernel that saves, in its TMD, all other fields of which are there: that it does, and a pool
// of records large enough for a CTA of it; a new one when the channel has none. TANDEM_NO_MEMORY: no room for a pool with
// as many records as CTAs can run at once. Nothing for other kernels.
enum tandem_status save_pool_set(struct tandem_channel *channel, const struct code_kernel *kernel, uint32_t *tmd);

// As tandem_channel_save_memory.
enum tandem_status save_pool_memory(struct tandem_channel *channel, size_t bytes);

// All records are free again: no task of the channel is left.
enum tandem_status save_pool_clear(struct tandem_channel *channel);

// The pool that a task names, by its address: its first record, bytes of a record and of all. False: the channel has none there.
bool save_pool_find(const struct tandem_channel *channel, tandem_addr pool, tandem_addr *first, uint32_t *record,
                    uint32_t *bytes);

// Forgets the pools; idle: their memory goes back to the space, no task can reach it any more.
void save_pool_drop(struct tandem_channel *channel, bool idle);

#endif
