// Addresses that go on with each turn of a loop: see moving_pointers.c.
#ifndef TANDEM_COMPILER_TUNE_MOVING_POINTERS_H
#define TANDEM_COMPILER_TUNE_MOVING_POINTERS_H

#include "compiler/ir/module.h"

void pointers_move(const struct module *module);

#endif
