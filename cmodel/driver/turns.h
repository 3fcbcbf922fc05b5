// Work-groups larger than what is resident: the kernel is compiled once more for a local size, so that each thread does
// several work-items in turns (compiler/again/turns.c). Such a form is made at the first launch that needs it, and kept.
#ifndef TANDEM_DRIVER_TURNS_H
#define TANDEM_DRIVER_TURNS_H

#include "driver/module.h"

struct turned {
    struct turned *next;
    const struct code_kernel *kernel;  // of the first compile
    uint32_t local[3];
    uint32_t resident;             // threads of a group, in x
    struct tandem_module *module;  // NULL: there is no such form
    const struct code_kernel *own;
    char *why;  // when there is none
};

// Whether the work-group has more items than the kernel's resident threads. local: three sizes.
bool turns_wanted(const struct tandem_device *device, const struct code_kernel *kernel, const uint32_t local[3]);
// TANDEM_BAD_ARGUMENT: the work-group is larger than both what is resident and what turns can do. TANDEM_BAD_CODE: not
// even one warp is resident.
enum tandem_status turns_check(struct tandem_device *device, const struct code_kernel *kernel, const uint32_t local[3]);
// local: three sizes, whose product is at most kernel_group_most() and more than what is resident. May compile.
// TANDEM_BAD_CODE: it cannot be done in turns; the message says why.
enum tandem_status turns_find(struct tandem_module *module, const struct code_kernel *kernel, const uint32_t local[3],
                              const struct turned **found);
// As tandem_prepare_group().
enum tandem_status turns_prepare(struct tandem_module *module, const char *name, const uint32_t local[3]);
void turns_free(struct tandem_module *module);

#endif
