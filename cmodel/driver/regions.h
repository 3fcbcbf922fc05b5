// The facts of one launch: how the memory of its pointer arguments lies.
#ifndef TANDEM_DRIVER_REGIONS_H
#define TANDEM_DRIVER_REGIONS_H

#include "driver/channel.h"
#include "driver/recompile.h"
#include "isa/code_object.h"

enum { FACT_PAIRS_MAX = ALIAS_ARGUMENTS_MAX * (ALIAS_ARGUMENTS_MAX - 1) / 2 };

struct launch_facts {
    struct alias_pair pairs[FACT_PAIRS_MAX];  // those that allow something
    struct tandem_relation relations[FACT_PAIRS_MAX];
    size_t count;
    uint8_t alignment[ALIAS_ARGUMENTS_MAX];  // of each pointer's value, up to 16; 0: not known
};

// regions: what the caller knows, checked; NULL: the channel's heap is asked. The arguments fit the kernel.
enum tandem_status regions_find_facts(struct tandem_channel *channel, const struct code_kernel *kernel,
                                      const struct tandem_argument *arguments, const struct tandem_region *regions,
                                      struct launch_facts *facts);

#endif
