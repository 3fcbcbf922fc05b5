// Loops that wait for other threads: see loop_waits.c.
#ifndef TANDEM_COMPILER_IR_LOOP_WAITS_H
#define TANDEM_COMPILER_IR_LOOP_WAITS_H

#include "compiler/ir/ir_graph.h"

// Whether an exit of the loop depends on what another thread can change: the result of an atomic operation, of a
// volatile or atomic load, of a load from the same address each time, or of a call that may do such a thing.
bool loop_waits(const struct ir_graph *graph, const struct loop *loop);

// Whether the instruction is certain to see what another thread does, or is certain to be seen by one: volatile or
// atomic, a fence, or a call with effects.
bool meets_others(LLVMValueRef i);

#endif
