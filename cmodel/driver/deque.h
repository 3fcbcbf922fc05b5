// The warps' token queues: memory for them, and the service of queues that stand at a bound.
#ifndef TANDEM_DRIVER_DEQUE_H
#define TANDEM_DRIVER_DEQUE_H

#include "driver/device.h"

// Places of a warp's queue unless the device's name says otherwise.
#define TOKENS_DEFAULT 256u

// What the device's name asks for, once its configuration and memory are known: how many places and bytes. Not
// TANDEM_OK: one line in message.
enum tandem_status driver_choose_queues(struct tandem_device *device, char *message, size_t message_size);
// Tells the device where they are, at the end of its memory, and that the driver serves them.
void driver_open_queues(struct tandem_device *device);
// Serves the warps that are held. True: there were some.
bool driver_serve_queues(struct tandem_device *device);

#endif
