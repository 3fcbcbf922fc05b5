// Unrolling of loops of one block: see unroll.c.
#ifndef TANDEM_COMPILER_AGAIN_UNROLL_H
#define TANDEM_COMPILER_AGAIN_UNROLL_H

#include "compiler/again/facts.h"

// With one test and jump for the unrolled body, and the old loop for what is left over. Returns how many; *most: the
// largest factor.
unsigned unroll_loops(const struct facts *facts, unsigned *most);

#endif
