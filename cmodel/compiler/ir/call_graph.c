// Who calls whom: see call_graph.h.
#include "compiler/ir/call_graph.h"

#include <stdlib.h>
#include <string.h>

LLVMValueRef called_function(LLVMValueRef instruction) {
    if (LLVMIsACallInst(instruction) == NULL) return NULL;
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return f != NULL && !LLVMIsDeclaration(f) ? f : NULL;
}

size_t call_graph_find(const struct call_graph *graph, LLVMValueRef function) {
    size_t k = 0;
    while (k < graph->count && graph->nodes[k].function != function)
        k++;
    return k;
}

static void add_edge(struct call_node *node, size_t callee) {
    for (size_t k = 0; k < node->edge_count; k++) {
        if (node->edges[k].callee != callee) continue;
        node->edges[k].sites++;
        return;
    }
    node->edges = grow(node->edges, node->edge_count, &node->edge_capacity, sizeof *node->edges);
    node->edges[node->edge_count++] = (struct call_edge){.callee = callee, .sites = 1};
}

static size_t add_node(struct call_graph *graph, LLVMValueRef function) {
    size_t known = call_graph_find(graph, function);
    if (known < graph->count) return known;
    struct call_node node = {.function = function};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = called_function(i);
            if (callee != NULL) add_edge(&node, add_node(graph, callee));
        }
    }
    graph->nodes = grow(graph->nodes, graph->count, &graph->capacity, sizeof *graph->nodes);
    graph->nodes[graph->count] = node;
    return graph->count++;
}

void call_graph_make(struct call_graph *graph, const LLVMValueRef *roots, size_t root_count) {
    *graph = (struct call_graph){0};
    for (size_t k = 0; k < root_count; k++)
        add_node(graph, roots[k]);
}

void call_graph_free(struct call_graph *graph) {
    for (size_t k = 0; k < graph->count; k++)
        free(graph->nodes[k].edges);
    free(graph->nodes);
    *graph = (struct call_graph){0};
}

bool call_kept(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, MARK_KEPT,
                                         sizeof MARK_KEPT - 1) != NULL;
}
