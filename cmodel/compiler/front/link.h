// Programs in several parts.
#ifndef TANDEM_COMPILER_FRONT_LINK_H
#define TANDEM_COMPILER_FRONT_LINK_H

#include "compiler/base/compilation.h"

// *bitcode becomes that of the program made of it and of the options' further parts. What two of them define, and parts
// that cannot be read, are errors.
void bitcode_link(struct compilation *compilation, void **bitcode, size_t *size);

#endif
