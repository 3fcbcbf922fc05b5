// Addresses of accesses as sums that change least first: see split_addresses.c.
#ifndef TANDEM_COMPILER_TUNE_SPLIT_ADDRESSES_H
#define TANDEM_COMPILER_TUNE_SPLIT_ADDRESSES_H

#include "compiler/ir/module.h"

void addresses_split(const struct module *module);

#endif
