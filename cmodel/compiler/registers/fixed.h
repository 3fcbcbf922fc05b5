// Registers that are given: those in which values are handed over at calls, and those that a called function uses. See
// fixed.c.
#ifndef TANDEM_COMPILER_REGISTERS_FIXED_H
#define TANDEM_COMPILER_REGISTERS_FIXED_H

#include "compiler/machine/liveness.h"

// What is taken of the real registers before anything is allocated, during one attempt.
struct reserved {
    struct live_range of[REGISTERS_MAX];  // stretches of the program in which a register is not free
    uint16_t *real;                       // of each virtual register that has to be a certain one, else NOT_FIXED
    unsigned count;                       // registers above are free everywhere
};
enum { NOT_FIXED = 0xFFFF };

struct reserved *reserved_make(const struct machine_function *function, const struct live_range *ranges,
                               const uint32_t *order, size_t order_count);
void reserved_free(struct reserved *reserved);
bool reserved_has(const struct reserved *reserved, uint32_t number);
// Whether the real register is free for all of a range.
bool reserved_fits(const struct reserved *reserved, unsigned real, const struct live_range *range);
// Whether two registers that do not meet may become one. A fixed one comes out as *to, and its reservation grows.
// alone: only values that need not be spilled go together with a fixed one.
bool reserved_merge(struct reserved *reserved, const struct machine_function *function, const struct live_range *ranges,
                    uint32_t *to, uint32_t *from, bool alone);

#endif
