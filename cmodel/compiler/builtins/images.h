// Images and samplers: what clang makes of them becomes pointers and numbers.
#ifndef TANDEM_COMPILER_BUILTINS_IMAGES_H
#define TANDEM_COMPILER_BUILTINS_IMAGES_H

#include <stdbool.h>

#include "compiler/ir/module.h"

// Whether the program has images or samplers. Then they are, from here on, pointers into constant memory (to the words
// of ../library/image.h) and numbers (CLK_ADDRESS_CLAMP and its like, added up); samplers of the source are constants.
// The module is another one afterwards: called before anything points into it.
bool images_lower(struct module *module);
// What images are like does not change while a kernel runs, so that its loads may be merged and hoisted. Behind the
// library's bodies.
void images_settle(struct module *module);

#endif
