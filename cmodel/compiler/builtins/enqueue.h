// Device-side enqueue: see enqueue.c.
#ifndef TANDEM_COMPILER_BUILTINS_ENQUEUE_H
#define TANDEM_COMPILER_BUILTINS_ENQUEUE_H

#include "compiler/ir/module.h"

bool enqueue_name(const char *name);  // of what clang calls
bool enqueue_used(const struct module *module);
// Before the library is brought in: clang's calls become calls of the library.
void enqueue_take_calls(struct module *module);
// When the functions of the program are expanded: what a kernel that makes work does at its beginning and end.
void enqueue_frame(struct module *module);

#endif
