// Places of variables in memory: see variables.c.
#ifndef TANDEM_COMPILER_SELECT_VARIABLES_H
#define TANDEM_COMPILER_SELECT_VARIABLES_H

#include "compiler/select/selection.h"

enum { NULL_RESERVE = 16 };  // bytes left free at address 0 where null matters
// Where the private variables that stayed in memory lie, for all of them, before selection.
void place_private(struct selection *s);
// Where a __local variable of the kernel lies, on its first use.
uint32_t place_local(struct selection *s, LLVMValueRef global);

#endif
