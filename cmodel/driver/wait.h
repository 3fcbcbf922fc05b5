// Waiting for a channel, its faults, its reset and its end: as the calls of tandem.h.
#ifndef TANDEM_DRIVER_WAIT_H
#define TANDEM_DRIVER_WAIT_H

#include "driver/channel.h"

enum tandem_status channel_wait(struct tandem_channel *channel, tandem_addr address, uint32_t value, uint64_t deadline);
enum tandem_status channel_finish(struct tandem_channel *channel, uint64_t deadline);
// Of the channel or its work queue.
bool channel_any_fault(struct tandem_channel *channel, struct tandem_fault *fault);
enum tandem_status channel_reset(struct tandem_channel *channel);
// The handles are gone after them.
enum tandem_status channel_end(struct tandem_channel *channel);
enum tandem_status space_close(struct tandem_space *space);

#endif
