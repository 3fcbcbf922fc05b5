// Work-groups of more items than threads: each thread is several items, one after the other.
#ifndef TANDEM_COMPILER_AGAIN_TURNS_H
#define TANDEM_COMPILER_AGAIN_TURNS_H

#include "compiler/ir/module.h"

// Before the module is optimized: only the kernel that the metadata is about stays a kernel. Nothing is done when its
// threads take no turns. Ends the compilation when there is no such kernel.
void turns_alone(struct module *module);
// When nothing but kernels asks for NAME_TURN any more, and while arguments are parameters: makes the kernel one whose
// threads take turns, and tells in the report what that takes. What cannot be turned is an error with its place.
void turns_take(struct module *module);

#endif
