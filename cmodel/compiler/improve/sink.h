// Values made as late as possible: see sink.c.
#ifndef TANDEM_COMPILER_IMPROVE_SINK_H
#define TANDEM_COMPILER_IMPROVE_SINK_H

#include "compiler/machine/machine.h"

// Before the phis go: values that only go round a loop are made as late as possible.
void values_sink(struct machine_function *function);

#endif
