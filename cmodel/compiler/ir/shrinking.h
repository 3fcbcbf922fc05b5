// Loops over a value that shrinks to 0: see shrinking.c.
#ifndef TANDEM_COMPILER_IR_SHRINKING_H
#define TANDEM_COMPILER_IR_SHRINKING_H

#include "compiler/ir/loop_search.h"
#include "compiler/ir/trip_count.h"

enum trip_count shrinking_verdict(struct loop_search *s, const struct loop_test *test);

#endif
