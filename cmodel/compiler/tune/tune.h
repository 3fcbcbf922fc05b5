// What makes faster code and takes registers and room for it: see tune.c.
#ifndef TANDEM_COMPILER_TUNE_TUNE_H
#define TANDEM_COMPILER_TUNE_TUNE_H

#include "compiler/ir/module.h"

// skipped: for each kernel of the module, whether it stays as it is; NULL: none does. Kept functions are tuned.
void module_tune(struct module *module, const bool *skipped);

#endif
