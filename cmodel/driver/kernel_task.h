// What a kernel says of its tasks, whoever launches them.
#ifndef TANDEM_DRIVER_KERNEL_TASK_H
#define TANDEM_DRIVER_KERNEL_TASK_H

#include "driver/module.h"

// The fields of a TMD that are the same in every launch of the kernel.
void kernel_fill_tmd(uint32_t *tmd, const struct tandem_module *module, const struct code_kernel *kernel);
// A TMD, all 0, of a task without CTAs: a queue task that is closed with an empty ring. It needs no code; the check of a TMD
// wants some.
void tmd_fill_empty(uint32_t *tmd);
// The most threads a CTA of this kernel can have on this device.
uint32_t kernel_threads_limit(const struct tandem_device *device, const struct code_kernel *kernel);
// The most work-items of a group whose threads take turns (turns.h), on this device.
uint32_t kernel_group_most(const struct tandem_device *device);
// Why no launch of the kernel can be done in turns; NULL: it may.
const char *kernel_why_no_turns(const struct tandem_module *module, const struct code_kernel *kernel);
// As tandem_get_kernel_info().
enum tandem_status kernel_info(const struct tandem_module *module, const char *name, struct tandem_kernel_info *info);

// Of a work queue (work_queue.md): the smallest pieces that there are, and those that the module's kernels can use.
#define PIECE_BYTES_LEAST 768u
uint32_t kernel_piece_bytes(const struct tandem_module *module);

#endif
