// Loads before stores: see group_loads.c.
#ifndef TANDEM_COMPILER_AGAIN_GROUP_LOADS_H
#define TANDEM_COMPILER_AGAIN_GROUP_LOADS_H

#include "compiler/again/facts.h"

// In each block, as far as they are apart. Returns how many loads moved over a store.
unsigned group_loads(const struct facts *facts);

#endif
