// A launch in two steps, so that a task can be changed between them.
#ifndef TANDEM_DRIVER_LAUNCH_H
#define TANDEM_DRIVER_LAUNCH_H

#include "driver/channel.h"
#include "driver/module.h"

struct built_task {
    const struct code_kernel *kernel;
    tandem_addr block;  // the TMD stands first
};

// Builds a task of the kernel in device memory.
enum tandem_status launch_build(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                                const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                const struct tandem_argument *arguments, size_t count, struct built_task *task);
// Launches it; when that fails it is given back.
enum tandem_status launch_start(struct tandem_channel *channel, struct tandem_module *module,
                                const struct built_task *task);
void launch_drop(struct tandem_channel *channel, const struct built_task *task);

#endif
