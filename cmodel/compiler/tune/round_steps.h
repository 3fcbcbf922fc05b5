// One step of a counter for a round of several turns: see round_steps.c.
#ifndef TANDEM_COMPILER_TUNE_ROUND_STEPS_H
#define TANDEM_COMPILER_TUNE_ROUND_STEPS_H

#include "compiler/ir/module.h"

void round_steps_join(const struct module *module, LLVMValueRef function);

#endif
