// Barriers between accesses of different work-items of a group.
#include "compiler/again/barriers.h"

#include <stdlib.h>

#include "compiler/ir/names.h"

static bool orders(LLVMValueRef i, unsigned fences) {
    if (!is_barrier(i) || (fences & FENCE_NEVER) != 0) return false;
    LLVMValueRef flags = LLVMGetOperand(i, 0);
    return LLVMIsAConstantInt(flags) != NULL && (fences & ~LLVMConstIntGetZExtValue(flags)) == 0;
}

struct search {
    const struct ir_graph *graph;
    LLVMValueRef to;
    unsigned fences;
    bool *begun;  // blocks that have been gone into
};

static bool follow(const struct search *s, LLVMBasicBlockRef block, LLVMValueRef i) {
    for (; i != NULL; i = LLVMGetNextInstruction(i)) {
        if (i == s->to) return true;
        if (orders(i, s->fences)) return false;
    }
    const uint32_t index = ir_graph_index(s->graph, block);
    for (size_t k = 0; k < s->graph->edges.next_count[index]; k++) {
        const uint32_t next = s->graph->edges.next[index][k];
        if (s->begun[next]) continue;
        s->begun[next] = true;
        if (follow(s, s->graph->blocks[next], LLVMGetFirstInstruction(s->graph->blocks[next]))) return true;
    }
    return false;
}

bool way_without_barrier(const struct ir_graph *graph, LLVMValueRef from, LLVMValueRef to, unsigned fences) {
    struct search s = {.graph = graph, .to = to, .fences = fences, .begun = take(graph->block_count, sizeof(bool))};
    const bool found = follow(&s, LLVMGetInstructionParent(from), LLVMGetNextInstruction(from));
    free(s.begun);
    return found;
}
