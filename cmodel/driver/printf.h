// The buffers of programs that print.
#ifndef TANDEM_DRIVER_PRINTF_H
#define TANDEM_DRIVER_PRINTF_H

#include "driver/module.h"

enum tandem_status printf_load(struct tandem_module *module);
void printf_unload(struct tandem_module *module);
// Hands out what stands in those of the space's programs.
enum tandem_status space_print(struct tandem_space *space);
enum tandem_status printf_set_bytes(struct tandem_device *device, uint32_t bytes);

#endif
