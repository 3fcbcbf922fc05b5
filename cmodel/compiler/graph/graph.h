// Directed graphs of numbered nodes, their orders and their dominators. LLVM's C interface has none of this, so both
// the LLVM functions (ir/ir_graph.h) and the machine program (machine/flow_graph.h) are made graphs for it.
#ifndef TANDEM_COMPILER_GRAPH_GRAPH_H
#define TANDEM_COMPILER_GRAPH_GRAPH_H

#include "compiler/base/memory.h"

// Nodes 0..count-1, each with a list of its successors. The same successor may stand there twice.
struct graph {
    size_t count;
    uint32_t **next;  // successors of each node
    size_t *next_count;
};

// A graph without edges.
struct graph graph_make(size_t count);
void graph_free(struct graph *graph);
void graph_add_edge(struct graph *graph, uint32_t from, uint32_t to);
// The same graph with every edge turned round.
struct graph graph_reverse(const struct graph *graph);

// Reverse post-order of the nodes that the root reaches: fills order (room for count), returns how many. Of a node's
// successors the first comes first, as far as that is possible.
size_t graph_order(const struct graph *graph, uint32_t root, uint32_t *order);

// immediate[n]: immediate dominator, NONE for the root and for nodes that it does not reach. back: graph_reverse() of
// the graph. Post-dominators: both the other way round, from a node that stands for the end.
void dominators(const struct graph *graph, const struct graph *back, uint32_t root, uint32_t *immediate);
// Whether every way from the root to b passes a; true for a itself.
bool dominates(const uint32_t *immediate, uint32_t a, uint32_t b);

#endif
