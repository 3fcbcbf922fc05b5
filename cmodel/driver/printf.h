// The buffers of programs that print.
#ifndef TANDEM_DRIVER_PRINTF_H
#define TANDEM_DRIVER_PRINTF_H

#include "driver/module.h"

enum tandem_status printf_load(struct tandem_module *module);
void printf_unload(struct tandem_module *module);
// Hands out what stands in them.
enum tandem_status driver_print(struct tandem_device *device);

#endif
