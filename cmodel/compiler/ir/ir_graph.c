// The control flow graph of an LLVM function: see ir_graph.h.
#include "compiler/ir/ir_graph.h"

#include <stdlib.h>

static int by_address(const void *left, const void *right) {
    const struct ir_index *a = left, *b = right;
    return a->block < b->block ? -1 : a->block > b->block;
}

uint32_t ir_graph_index(const struct ir_graph *graph, LLVMBasicBlockRef block) {
    const struct ir_index key = {.block = block};
    const struct ir_index *found = bsearch(&key, graph->sorted, graph->block_count, sizeof key, by_address);
    return found == NULL ? NONE : found->index;
}

void ir_graph_make(struct ir_graph *graph, LLVMValueRef function, LLVMTargetDataRef layout) {
    *graph = (struct ir_graph){.layout = layout, .block_count = LLVMCountBasicBlocks(function)};
    graph->blocks = take(graph->block_count, sizeof(LLVMBasicBlockRef));
    graph->sorted = take(graph->block_count, sizeof *graph->sorted);
    LLVMGetBasicBlocks(function, graph->blocks);
    for (uint32_t k = 0; k < graph->block_count; k++) {
        graph->sorted[k].block = graph->blocks[k];
        graph->sorted[k].index = k;
    }
    qsort(graph->sorted, graph->block_count, sizeof *graph->sorted, by_address);
    graph->edges = graph_make(graph->block_count);
    for (uint32_t k = 0; k < graph->block_count; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[k]);
        for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
            graph_add_edge(&graph->edges, k, ir_graph_index(graph, LLVMGetSuccessor(end, n)));
    }
    graph->back = graph_reverse(&graph->edges);
    loops_find(&graph->edges, &graph->loops);
    graph->dominator = take(graph->block_count, sizeof *graph->dominator);
    dominators(&graph->edges, &graph->back, 0, graph->dominator);
}

bool ir_graph_inside(const struct ir_graph *graph, const struct loop *loop, LLVMValueRef instruction) {
    if (LLVMIsAInstruction(instruction) == NULL) return false;
    uint32_t block = ir_graph_index(graph, LLVMGetInstructionParent(instruction));
    return block != NONE && loop->blocks[block];
}

bool ir_graph_every_time(const struct ir_graph *graph, const struct loop *loop, uint32_t block) {
    for (size_t k = 0; k < graph->back.next_count[loop->header]; k++) {
        uint32_t latch = graph->back.next[loop->header][k];
        if (loop->blocks[latch] && !dominates(graph->dominator, block, latch)) return false;
    }
    return true;
}
