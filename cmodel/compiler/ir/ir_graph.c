// The control flow graph of an LLVM function, for our own analyses: LLVM's C interface has neither dominators nor
// loops.
#include <stdlib.h>

#include "compiler/ir/trip_count.h"

static int by_address(const void *left, const void *right) {
    const struct ir_index *a = left, *b = right;
    return a->block < b->block ? -1 : a->block > b->block;
}

uint32_t ir_graph_index(const struct ir_graph *graph, LLVMBasicBlockRef block) {
    const struct ir_index key = {.block = block};
    const struct ir_index *found = bsearch(&key, graph->sorted, graph->block_count, sizeof key, by_address);
    return found == NULL ? NONE : found->index;
}

// A node has two targets at most: of a switch the rest hangs on further nodes.
static void add_targets(struct ir_graph *graph, uint32_t node, LLVMValueRef terminator) {
    unsigned count = LLVMGetNumSuccessors(terminator);
    if (count == 0) {
        graph->nodes.blocks[node].terminator = TERM_EXIT;
        return;
    }
    for (unsigned k = 0; k + 1 < count; k++) {
        bool last = k + 2 == count;
        uint32_t further = last ? ir_graph_index(graph, LLVMGetSuccessor(terminator, k + 1)) : new_block(&graph->nodes);
        struct machine_block *at = &graph->nodes.blocks[node];
        at->terminator = TERM_CONDITION;
        at->target[0] = ir_graph_index(graph, LLVMGetSuccessor(terminator, k));
        at->target[1] = further;
        node = further;
    }
    if (count > 1) return;
    graph->nodes.blocks[node].terminator = TERM_BRANCH;
    graph->nodes.blocks[node].target[0] = ir_graph_index(graph, LLVMGetSuccessor(terminator, 0));
}

void ir_graph_make(struct ir_graph *graph, struct compilation *compilation, LLVMValueRef function,
                   LLVMTargetDataRef layout) {
    *graph = (struct ir_graph){.layout = layout, .nodes.compilation = compilation};
    graph->block_count = LLVMCountBasicBlocks(function);
    graph->blocks = take(graph->block_count, sizeof(LLVMBasicBlockRef));
    graph->sorted = take(graph->block_count, sizeof *graph->sorted);
    LLVMGetBasicBlocks(function, graph->blocks);
    for (uint32_t k = 0; k < graph->block_count; k++) {
        graph->sorted[k].block = graph->blocks[k];
        graph->sorted[k].index = k;
        new_block(&graph->nodes);
    }
    qsort(graph->sorted, graph->block_count, sizeof *graph->sorted, by_address);
    for (uint32_t k = 0; k < graph->block_count; k++)
        add_targets(graph, k, LLVMGetBasicBlockTerminator(graph->blocks[k]));
    graph_update(&graph->nodes);
    loops_find(&graph->nodes, &graph->loops);
    graph->dominator = take(graph->nodes.block_count, sizeof *graph->dominator);
    struct graph edges = graph_of(&graph->nodes);
    dominators(&edges, 0, graph->dominator);
    graph_free(&edges);
}

bool ir_graph_inside(const struct ir_graph *graph, const struct loop *loop, LLVMValueRef instruction) {
    if (LLVMIsAInstruction(instruction) == NULL) return false;
    uint32_t block = ir_graph_index(graph, LLVMGetInstructionParent(instruction));
    return block != NONE && loop->blocks[block];
}

bool ir_graph_every_time(const struct ir_graph *graph, const struct loop *loop, uint32_t block) {
    const struct machine_block *header = &graph->nodes.blocks[loop->header];
    for (size_t k = 0; k < header->pred_count; k++)
        if (loop->blocks[header->preds[k]] && !dominates(graph->dominator, block, header->preds[k])) return false;
    return true;
}
