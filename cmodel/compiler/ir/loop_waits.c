// Whether a loop waits for other threads: what its exits depend on is followed back through the loop.
//
// A value depends on its operands. A phi depends on the branches that decide by which way it is come to, a branch on
// those that decide whether it is come to: their conditions are followed as well. (A branch c decides about a block b
// when b post-dominates one of c's successors and not c itself: Ferrante, Ottenstein, Warren.)
//
// An atomic whose result decides only what is added up is no waiting; neither is a search, which loads from another
// address each time.
#include "compiler/ir/loop_waits.h"

#include <stdlib.h>

#include "compiler/base/pointer_set.h"
#include "compiler/ir/loop_search.h"
#include "compiler/ir/module.h"
#include "compiler/ir/names.h"

struct following {
    const struct ir_graph *graph;
    const struct loop *loop;
    struct graph deciders;  // of each block: the blocks whose branches decide whether it is come to
    uint32_t *round;        // of each block: the last round in which its deciders were followed
    uint32_t rounds;
    struct pointer_set seen;
    LLVMValueRef *stack;
    size_t depth, capacity;
};

// The iteration as a graph whose last node is its end.
static struct graph iteration(const struct following *f) {
    const struct graph *edges = &f->graph->edges;
    struct graph one = graph_make(edges->count + 1);
    for (uint32_t b = 0; b < edges->count; b++) {
        if (!f->loop->blocks[b]) continue;
        for (size_t k = 0; k < edges->next_count[b]; k++) {
            uint32_t to = edges->next[b][k];
            graph_add_edge(&one, b, f->loop->blocks[to] && to != f->loop->header ? to : (uint32_t)edges->count);
        }
    }
    return one;
}

static void find_deciders(struct following *f) {
    struct graph one = iteration(f), back = graph_reverse(&one);
    uint32_t end = (uint32_t)one.count - 1, *post = take(one.count, sizeof *post);
    dominators(&back, &one, end, post);
    f->deciders = graph_make(one.count);
    for (uint32_t b = 0; b < end; b++) {
        if (one.next_count[b] < 2) continue;
        for (size_t k = 0; k < one.next_count[b]; k++)
            for (uint32_t at = one.next[b][k]; at != NONE && at != end && at != post[b]; at = post[at])
                if (at != b) graph_add_edge(&f->deciders, at, b);
    }
    free(post);
    graph_free(&one);
    graph_free(&back);
}

static void follow(struct following *f, LLVMValueRef value) {
    if (!ir_graph_inside(f->graph, f->loop, value) || !pointer_set_add(&f->seen, value)) return;
    f->stack = grow(f->stack, f->depth, &f->capacity, sizeof(LLVMValueRef));
    f->stack[f->depth++] = value;
}

static void follow_branch(struct following *f, uint32_t block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->graph->blocks[block]);
    if (LLVMGetNumSuccessors(end) > 1) follow(f, LLVMGetOperand(end, 0));
}

// Why the block is come to. Of branches, only those that `from` dominates (NONE: all).
static void follow_deciders(struct following *f, uint32_t block, uint32_t from) {
    if (f->round[block] == f->rounds) return;
    f->round[block] = f->rounds;
    for (size_t k = 0; k < f->deciders.next_count[block]; k++) {
        uint32_t by = f->deciders.next[block][k];
        if (from != NONE && !dominates(f->graph->dominator, from, by)) continue;
        follow_branch(f, by);
        follow_deciders(f, by, from);
    }
}

// By which way the block of a phi is come to.
static void follow_ways(struct following *f, LLVMValueRef phi) {
    uint32_t block = ir_graph_index(f->graph, LLVMGetInstructionParent(phi)), ways = 0;
    bool header = block == f->loop->header;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        uint32_t way = ir_graph_index(f->graph, LLVMGetIncomingBlock(phi, k));
        if (way == NONE || !f->loop->blocks[way]) continue;
        follow(f, LLVMGetIncomingValue(phi, k));
        ways++;
    }
    f->rounds++;
    for (unsigned k = 0; k < LLVMCountIncoming(phi) && ways > 1; k++) {
        uint32_t way = ir_graph_index(f->graph, LLVMGetIncomingBlock(phi, k));
        if (way == NONE || !f->loop->blocks[way]) continue;
        follow_branch(f, way);
        follow_deciders(f, way, header ? f->loop->header : f->graph->dominator[block]);
    }
}

// A load that another thread can make end differently the next time.
static bool polls(const struct following *f, LLVMValueRef load) {
    const struct loop_search search = {.graph = f->graph, .loop = f->loop};
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) {
        case SPACE_PRIVATE:
        case SPACE_CONSTANT:
        case SPACE_ARGUMENTS: return false;
        default: return meets_others(load) || loop_keeps(&search, pointer, LOOP_INVARIANT_DEPTH);
    }
}

static bool waits_for(struct following *f, LLVMValueRef value) {
    if (LLVMIsALoadInst(value) ? polls(f, value) : meets_others(value)) return true;
    if (LLVMIsAPHINode(value)) {
        follow_ways(f, value);
        return false;
    }
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        follow(f, LLVMGetOperand(value, (unsigned)k));
    return false;
}

bool loop_waits(const struct ir_graph *graph, const struct loop *loop) {
    struct following f = {
        .graph = graph, .loop = loop, .rounds = 1, .round = take(graph->block_count, sizeof *f.round)};
    bool waits = false;
    find_deciders(&f);
    for (uint32_t b = 0; b < graph->block_count; b++) {
        bool leaves = false;
        for (size_t k = 0; k < graph->edges.next_count[b] && loop->blocks[b]; k++)
            leaves |= !loop->blocks[graph->edges.next[b][k]];
        if (!leaves) continue;
        follow_branch(&f, b);
        follow_deciders(&f, b, NONE);
    }
    while (f.depth > 0 && !waits)
        waits = waits_for(&f, f.stack[--f.depth]);
    graph_free(&f.deciders);
    pointer_set_free(&f.seen);
    free(f.stack);
    free(f.round);
    return waits;
}

bool meets_others(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        return LLVMGetVolatile(i) != 0 || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i)) return true;
    if (!LLVMIsACallInst(i) || is_yield(i) || asks_yield(i) || is_team(i)) return false;
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(i));
    if (f == NULL) return true;
    if (LLVMGetIntrinsicID(f) != 0) return false;
    static const char memory[] = "memory";
    LLVMAttributeRef effects = LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                           LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1));
    return effects == NULL || LLVMGetEnumAttributeValue(effects) != 0;
}
