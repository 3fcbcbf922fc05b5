// Second compiles, as the driver's files see them: the compiler to call, the log.
#ifndef TANDEM_DRIVER_AGAIN_H
#define TANDEM_DRIVER_AGAIN_H

#include "driver/device.h"
#include "isa/code_object.h"

// As the calls of recompile.h.
void again_set_options(struct tandem_device *device, const struct tandem_recompile_options *options);
void again_set_compiler(struct tandem_device *device, alias_compile *compile, void *context);
void again_set_log(struct tandem_device *device, tandem_recompile_log *call, void *context);
// NULL: there is none.
alias_compile *again_compiler(const struct tandem_device *device);
// Whether anybody listens.
bool again_logs(const struct tandem_device *device);
void again_log(struct tandem_device *device, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Each line of the text, with the kernel's name in front.
void again_log_text(struct tandem_device *device, const struct code_kernel *kernel, const char *text);

#endif
