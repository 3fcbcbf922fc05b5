// Second compiles, as the driver's files see them: the compiler to call, the log.
#ifndef TANDEM_DRIVER_AGAIN_H
#define TANDEM_DRIVER_AGAIN_H

#include "driver/device.h"
#include "isa/code_object.h"

// NULL: there is none.
alias_compile *again_compiler(const struct tandem_device *device);
// Whether anybody listens.
bool again_logs(const struct tandem_device *device);
void again_log(struct tandem_device *device, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Each line of the text, with the kernel's name in front.
void again_log_text(struct tandem_device *device, const struct code_kernel *kernel, const char *text);

#endif
