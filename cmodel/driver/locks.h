// Locks of a space, under which threads do atomic operations of 64 bits: compiler/library/wide_atomics.h.
#ifndef TANDEM_DRIVER_LOCKS_H
#define TANDEM_DRIVER_LOCKS_H

#include "driver/space.h"

// None is held: before the first channel of the space, when the memory may hold anything.
enum tandem_status locks_begin(struct tandem_space *space);
// What threads of the channel of this number held, which have all been ended.
enum tandem_status locks_give_back(struct tandem_space *space, unsigned channel);

#endif
