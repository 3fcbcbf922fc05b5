// What the child process does: see child.c.
#ifndef TANDEM_COMPILER_CHILD_H
#define TANDEM_COMPILER_CHILD_H

#include "compiler/base/compilation.h"

// The compilation from its source on. Returns when all is done.
void compilation_run(struct compilation *compilation);

#endif
