// The second compiles of a program's kernels: found or made for a launch, judged, kept or dropped.
#ifndef TANDEM_DRIVER_VARIANTS_H
#define TANDEM_DRIVER_VARIANTS_H

#include "driver/channel.h"
#include "driver/module.h"
#include "driver/trial.h"

struct variants;
struct variant;
struct timing;

// Of a module that has been loaded. NULL: the host has no memory.
struct variants *variants_make(struct tandem_module *module);
void variants_free(struct variants *variants);

// What a launch runs.
struct variant_choice {
    struct tandem_module *module;  // the launch's own, or a variant's
    struct variant *variant;       // that is being judged, or waits: the launch should be timed; else NULL
    enum trial_side side;
    uint64_t key, threads;
    bool hit;  // a variant that an earlier launch has made
};
// May compile. The launch has been checked; range: with the local size that it will have. regions may be NULL: the heap
// is asked.
enum tandem_status variants_choose(struct tandem_channel *channel, struct tandem_module *module,
                                   const struct code_kernel *kernel, const struct tandem_range *range,
                                   const struct tandem_argument *arguments, const struct tandem_region *regions,
                                   struct variant_choice *choice);
// The launch has been put into its channel. timing: one of its two owners is the module then; NULL: it is not timed.
void variants_launched(struct tandem_module *module, const struct variant_choice *choice, struct timing *timing);

// As the call of recompile.h.
struct tandem_recompile_counts variants_counts(const struct tandem_module *module);

#endif
