// Images and samplers: what is left to do when opaque_types.h has made pointers and numbers of them.
#ifndef TANDEM_COMPILER_BUILTINS_IMAGES_H
#define TANDEM_COMPILER_BUILTINS_IMAGES_H

#include <stdbool.h>

#include "compiler/ir/module.h"

// Samplers of the source become constants: CLK_ADDRESS_CLAMP and its like, added up.
void samplers_translate(struct module *module);
// What images are like does not change while a kernel runs, so that its loads may be merged and hoisted. Behind the
// library's bodies.
void images_settle(struct module *module);

#endif
