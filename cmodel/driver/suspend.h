// Tasks of a channel that are stopped, looked at, and go on: as the calls of tandem.h.
#ifndef TANDEM_DRIVER_SUSPEND_H
#define TANDEM_DRIVER_SUSPEND_H

#include "driver/channel.h"

enum tandem_status suspend_stop(struct tandem_channel *channel, uint64_t deadline);
enum tandem_status suspend_continue(struct tandem_channel *channel);
enum tandem_status suspend_look(struct tandem_channel *channel, tandem_addr tmd, struct tandem_task_look *look);
enum tandem_status suspend_warp(struct tandem_channel *channel, tandem_addr tmd, uint32_t number,
                                struct tandem_saved_warp *warp);
enum tandem_status suspend_registers(struct tandem_channel *channel, tandem_addr tmd, uint32_t number, uint32_t thread,
                                     uint32_t *registers, uint32_t count);

#endif
