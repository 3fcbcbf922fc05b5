// Methods that a launch needs before it.
#ifndef TANDEM_DRIVER_COMMAND_H
#define TANDEM_DRIVER_COMMAND_H

#include "driver/channel.h"

// Object and instruction caches are as a launch needs them; the program region is `region`.
enum tandem_status channel_prepare(struct tandem_channel *channel);
// As the calls of tandem.h.
enum tandem_status command_method(struct tandem_channel *channel, uint32_t subchannel, uint32_t method, uint32_t data);
enum tandem_status command_release(struct tandem_channel *channel, tandem_addr address, uint32_t payload,
                                   bool wait_for_idle);
enum tandem_status command_acquire(struct tandem_channel *channel, tandem_addr address, uint32_t payload);
enum tandem_status command_wfi(struct tandem_channel *channel);
enum tandem_status command_launch_tmd(struct tandem_channel *channel, tandem_addr tmd);
enum tandem_status channel_set_region(struct tandem_channel *channel, tandem_addr region);
// A release of four words {0, 0, nanoseconds (64 bits)}, without waiting for tasks.
enum tandem_status command_time_stamp(struct tandem_channel *channel, tandem_addr address);

#endif
