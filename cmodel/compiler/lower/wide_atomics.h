// Atomic operations of 64 bits become calls of the device library (library/wide_atomics.h).
#ifndef TANDEM_COMPILER_LOWER_WIDE_ATOMICS_H
#define TANDEM_COMPILER_LOWER_WIDE_ATOMICS_H

#include "compiler/ir/module.h"

// True: there were some, and the library is to be linked.
bool wide_atomics_lower(struct module *module);

#endif
