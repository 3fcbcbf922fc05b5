// A launch in two steps, so that a task can be changed between them.
#ifndef TANDEM_DRIVER_LAUNCH_H
#define TANDEM_DRIVER_LAUNCH_H

#include "driver/channel.h"
#include "driver/module.h"

struct built_task {
    const struct code_kernel *kernel;
    tandem_addr block;  // the TMD stands first
};

// As the calls of tandem.h; regions may be NULL.
enum tandem_status launch_kernel(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                 const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                 const struct tandem_argument *arguments, const struct tandem_region *regions,
                                 size_t count);
enum tandem_status launch_build_task(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                     const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *tmd);
enum tandem_status launch_task(struct tandem_channel *channel, const struct tandem_module *module, tandem_addr tmd);
enum tandem_status queue_task_launch(struct tandem_channel *channel, struct tandem_module *module, const char *kernel,
                                     uint32_t threads, const struct tandem_queue *queue,
                                     const struct tandem_scheduling *scheduling,
                                     const struct tandem_argument *arguments, size_t count, tandem_addr *tmd);
enum tandem_status queue_task_append(struct tandem_space *space, tandem_addr tmd, const struct tandem_queue *queue,
                                     const void *entries, uint32_t count, uint32_t *appended);
enum tandem_status queue_task_close(struct tandem_space *space, tandem_addr tmd);

// Builds a task of the kernel in device memory.
enum tandem_status launch_build(struct tandem_channel *channel, struct tandem_module *module, const char *name,
                                const struct tandem_range *range, const struct tandem_scheduling *scheduling,
                                const struct tandem_argument *arguments, size_t count, struct built_task *task);
// Launches it; when that fails it is given back.
enum tandem_status launch_start(struct tandem_channel *channel, struct tandem_module *module,
                                const struct built_task *task);
void launch_drop(struct tandem_channel *channel, const struct built_task *task);

#endif
