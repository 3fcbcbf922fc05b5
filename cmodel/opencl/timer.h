// The device's time, as programs see it: nanoseconds that run with the host's clock while the device has nothing to do, and
// with its own clock while it has. A simulated clock stands still between launches; what it has missed is added then.
#ifndef TANDEM_OPENCL_TIMER_H
#define TANDEM_OPENCL_TIMER_H

#include "opencl/device.h"

// Of a device no two answers go backwards.
uint64_t device_time(cl_device_id device);
// A time stamp of the device as such a time; valid while the channel that gave it is still lent.
uint64_t device_time_of(cl_device_id device, uint64_t stamp);

#endif
