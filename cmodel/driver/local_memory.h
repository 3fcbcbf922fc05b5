// Local memory of a channel's threads.
#ifndef TANDEM_DRIVER_LOCAL_MEMORY_H
#define TANDEM_DRIVER_LOCAL_MEMORY_H

#include "driver/channel.h"
#include "driver/module.h"

// Sees to it that the channel's threads have the local memory that the kernel needs: its program's where it makes work
// itself, since what its threads launch has the same, else the channel's. *bytes: what its TMD must say.
enum tandem_status channel_set_local(struct tandem_channel *channel, const struct tandem_module *module,
                                     const struct code_kernel *kernel, uint32_t *bytes);
// Gives back the pieces of before; all: the one in use too.
void channel_drop_local(struct tandem_channel *channel, bool all);

#endif
