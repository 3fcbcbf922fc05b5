// Registers that portions use one after the other: see shared_rows.c.
#ifndef TANDEM_COMPILER_SEGMENTS_SHARED_ROWS_H
#define TANDEM_COMPILER_SEGMENTS_SHARED_ROWS_H

#include "compiler/graph/loops.h"
#include "compiler/machine/liveness.h"

// For registers_allocate(): the group inside which all of a register's range lies, 0: none. NULL: no registers are
// shared.
uint32_t *segment_rows_inside(const struct machine_function *function, const struct live_range *ranges,
                              const uint32_t *order, size_t order_count);
// Whether a move in the block should stay a move, because merging would make a register of a group private.
bool segment_rows_keep_move(const struct machine_function *function, const struct loops *loops, uint32_t block);

#endif
