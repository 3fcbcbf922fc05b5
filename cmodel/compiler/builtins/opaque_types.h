// clang's opaque types of images, samplers, queues, events and pipes.
#ifndef TANDEM_COMPILER_BUILTINS_OPAQUE_TYPES_H
#define TANDEM_COMPILER_BUILTINS_OPAQUE_TYPES_H

#include "compiler/ir/module.h"

// Puts what the device library takes for them in their place, everywhere in the module: images and pipes are pointers, the
// others numbers. True: there were images or samplers. A module whose functions take and give none stays as it is.
bool opaque_types_replace(struct module *module);

#endif
