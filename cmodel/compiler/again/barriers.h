// Barriers between accesses: see barriers.c.
#ifndef TANDEM_COMPILER_AGAIN_BARRIERS_H
#define TANDEM_COMPILER_AGAIN_BARRIERS_H

#include "compiler/ir/ir_graph.h"

// As OpenCL C has them, and one that no barrier is.
enum { FENCE_LOCAL = 1, FENCE_GLOBAL = 2, FENCE_NEVER = 1 << 30 };

// Whether there is a way from behind instruction `from` to instruction `to` without a barrier that orders all these
// memories.
bool way_without_barrier(const struct ir_graph *graph, LLVMValueRef from, LLVMValueRef to, unsigned fences);

#endif
