// Which branches can make threads of a warp part: see divergence.c.
#ifndef TANDEM_COMPILER_MACHINE_DIVERGENCE_H
#define TANDEM_COMPILER_MACHINE_DIVERGENCE_H

#include "compiler/machine/machine.h"

// While there are phis. Sets `divergent` of the blocks.
void divergence_analyse(struct machine_function *function);

#endif
