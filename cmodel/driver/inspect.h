// The way past the API to the state behind it, for a debugger.
#ifndef TANDEM_DRIVER_INSPECT_H
#define TANDEM_DRIVER_INSPECT_H

#include "driver/tandem.h"

struct ppu;

// From now on `watch` is called after each step of the device's model, in the thread that runs the device: of model:
// after each instruction, of tandem: after each event that the model has followed; also now and then while nothing
// happens. Until it returns nothing goes on. It may only look at the model (ppu_look_*, ppu_mem_read) and call
// tandem_interrupt(). NULL: no more. cycle: as struct tandem_statistics counts them.
//
// Returns the model, which is the device's, until it is closed. NULL: the device has none, or is closed. Only while no
// other thread runs the device.
const struct ppu *tandem_watch(struct tandem_device *device, void (*watch)(void *context, uint64_t cycle),
                               void *context);

#endif
