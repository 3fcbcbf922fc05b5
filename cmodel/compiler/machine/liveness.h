// Live ranges of vector registers: see liveness.c.
#ifndef TANDEM_COMPILER_MACHINE_LIVENESS_H
#define TANDEM_COMPILER_MACHINE_LIVENESS_H

#include "compiler/machine/machine.h"

struct stretch {
    uint32_t start, end;  // positions, end not included
};
struct live_range {
    struct stretch *stretches;  // rising, apart from each other
    size_t count, capacity;
};

// One for each register of the function (predicates: empty). order: blocks in the order in which positions are counted.
struct live_range *live_ranges(const struct machine_function *function, const uint32_t *order, size_t order_count);
bool ranges_meet(const struct live_range *a, const struct live_range *b);
void range_add(struct live_range *to, const struct live_range *from);

#endif
