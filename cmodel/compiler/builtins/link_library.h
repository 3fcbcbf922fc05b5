// The device library: see link_library.c.
#ifndef TANDEM_COMPILER_BUILTINS_LINK_LIBRARY_H
#define TANDEM_COMPILER_BUILTINS_LINK_LIBRARY_H

#include "compiler/ir/module.h"

// Brings in what the module calls and does not define: our own bodies (library/), then libclc's.
void library_link(struct module *module);

#endif
