// Who calls whom: the functions with bodies that the roots reach. Nothing calls itself (recursion.c).
#ifndef TANDEM_COMPILER_IR_CALL_GRAPH_H
#define TANDEM_COMPILER_IR_CALL_GRAPH_H

#include <llvm-c/Core.h>

#include "compiler/base/memory.h"

struct call_node {
    LLVMValueRef function;
    struct call_edge {
        size_t callee;   // node
        unsigned sites;  // calls of it in the body
    } * edges;
    size_t edge_count, edge_capacity;
};
struct call_graph {
    struct call_node *nodes;  // every callee before its callers
    size_t count, capacity;
};
void call_graph_make(struct call_graph *graph, const LLVMValueRef *roots, size_t root_count);
// Index of the node, or graph->count: it is not reached.
size_t call_graph_find(const struct call_graph *graph, LLVMValueRef function);
void call_graph_free(struct call_graph *graph);
// The function with a body that an instruction calls, or NULL.
LLVMValueRef called_function(LLVMValueRef instruction);

// A function that is to stay a function (kept_calls.c) carries this attribute.
#define MARK_KEPT "tandem-call"
bool call_kept(LLVMValueRef function);

#endif
