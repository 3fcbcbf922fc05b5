// Stores of a loop that can wait for the end of a round: see stores_apart.c.
#ifndef TANDEM_COMPILER_TUNE_STORES_APART_H
#define TANDEM_COMPILER_TUNE_STORES_APART_H

#include "compiler/ir/module.h"
#include "compiler/tune/counted_loop.h"

// Whether no load of the loop, in its turn or up to three turns later, may read what a store of it has written, for
// steps as unroll.c makes rounds of. Also false when it is not known.
bool stores_apart(const struct module *module, const struct counted_loop *loop);

#endif
