// Token deques that stand at a bound.
#ifndef TANDEM_DRIVER_DEQUE_H
#define TANDEM_DRIVER_DEQUE_H

#include "driver/device.h"

// Says to the device that they are served.
void driver_open_deques(struct tandem_device *device);
// Serves those that wait. True: there were any.
bool driver_serve_deques(struct tandem_device *device);

#endif
