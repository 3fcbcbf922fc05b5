// The control flow graph of a machine function.
#ifndef TANDEM_COMPILER_MACHINE_FLOW_GRAPH_H
#define TANDEM_COMPILER_MACHINE_FLOW_GRAPH_H

#include "compiler/graph/graph.h"
#include "compiler/graph/loops.h"
#include "compiler/machine/machine.h"

// Fills in the blocks' predecessors. Blocks that cannot be reached lose their contents.
void flow_update(struct machine_function *function);
// Reverse post-order of the reachable blocks: fills order (room for block_count), returns how many.
size_t flow_order(const struct machine_function *function, uint32_t *order);
// The blocks as nodes, with their targets; graph_free().
struct graph flow_graph(const struct machine_function *function);
// The natural loops, with what their blocks say of waiting.
void flow_loops(const struct machine_function *function, struct loops *loops);
// Puts an empty block on the edge from block `from`, successor `which`.
uint32_t flow_split_edge(struct machine_function *function, uint32_t from, unsigned which);
// Takes out empty blocks that only branch on, and conditions whose targets are the same.
void flow_clean(struct machine_function *function);

#endif
