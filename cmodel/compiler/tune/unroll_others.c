// Unrolling by LLVM of innermost loops that our own (unroll.c) does not know: those that count down or in other forms,
// that have several blocks, or that are left early. LLVM knows how many turns are left and makes a loop for the rest;
// it leaves a loop alone whose turns it cannot count.
#include "compiler/tune/unroll_others.h"

#include <string.h>

#include "compiler/ir/accesses.h"
#include "compiler/ir/ir_graph.h"
#include "compiler/ir/loop_hints.h"
#include "compiler/ir/names.h"
#include "gen/isa.h"

enum {
    FACTOR = 4,
    BODY_LARGE = 24,  // instructions: more are unrolled by 2 only
    BODY_MAX = 60,    // more: not at all
    DEPTH_MAX = 8
};

// Instructions of a loop with accesses to memory and no other effects; 0: it is no such loop.
static unsigned size_of(const struct ir_graph *graph, const struct loop *loop) {
    unsigned size = 0, accesses = 0;
    for (uint32_t b = 0; b < graph->block_count; b++) {
        if (!loop->blocks[b]) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(graph->blocks[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!access_is_plain(i) && !touches_no_memory(i)) return 0;
            accesses += access_is_plain(i);
            size += LLVMIsAPHINode(i) == NULL;
        }
    }
    return accesses > 0 ? size : 0;
}

static bool is_innermost(const struct ir_graph *graph, size_t l) {
    for (size_t k = 0; k < graph->loops.count; k++)
        if (graph->loops.loops[k].parent == l) return false;
    return true;
}

// The one block that jumps back, or NONE.
static uint32_t latch_of(const struct ir_graph *graph, const struct loop *loop) {
    uint32_t latch = NONE;
    for (size_t k = 0; k < graph->back.next_count[loop->header]; k++) {
        const uint32_t from = graph->back.next[loop->header][k];
        if (!loop->blocks[from]) continue;
        if (latch != NONE) return NONE;
        latch = from;
    }
    return latch;
}

// A phi of the loop's head, or one with a constant added.
static bool is_counter(const struct ir_graph *graph, const struct loop *loop, LLVMValueRef v, bool added) {
    if (!ir_graph_inside(graph, loop, v)) return false;
    if (LLVMIsAPHINode(v) != NULL) {
        if (LLVMGetInstructionParent(v) != graph->blocks[loop->header]) return false;
        for (unsigned k = 0; k < LLVMCountIncoming(v) && !added; k++)
            if (loop->blocks[ir_graph_index(graph, LLVMGetIncomingBlock(v, k))] &&
                !is_counter(graph, loop, LLVMGetIncomingValue(v, k), true))
                return false;
        return true;
    }
    const bool sum = LLVMGetInstructionOpcode(v) == LLVMAdd || LLVMIsAGetElementPtrInst(v) != NULL;
    return sum && LLVMGetNumOperands(v) == 2 && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) != NULL &&
           LLVMIsAPHINode(LLVMGetOperand(v, 0)) != NULL && is_counter(graph, loop, LLVMGetOperand(v, 0), true);
}

// Whether the jump back compares a counter of constant step with what the loop does not change. For other loops LLVM
// would copy the test with the body, which only makes the code longer.
static bool is_counted(const struct ir_graph *graph, const struct loop *loop, uint32_t latch) {
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(graph->blocks[latch]);
    if (LLVMGetInstructionOpcode(jump) != LLVMBr || !LLVMIsConditional(jump)) return false;
    LLVMValueRef test = LLVMGetCondition(jump);
    if (LLVMIsAICmpInst(test) == NULL) return false;
    for (unsigned k = 0; k < 2; k++)
        if (!ir_graph_inside(graph, loop, LLVMGetOperand(test, 1 - k)) &&
            is_counter(graph, loop, LLVMGetOperand(test, k), false))
            return true;
    return false;
}

static bool is_alike_call(LLVMValueRef call) {
    const char *name = LLVMIsAFunction(LLVMGetCalledValue(call)) ? name_of(LLVMGetCalledValue(call)) : "";
    if (strcmp(name, NAME_CONSTANT) == 0) return true;
    if (strcmp(name, NAME_SPECIAL) != 0 || LLVMIsAConstantInt(LLVMGetOperand(call, 0)) == NULL) return false;
    switch (LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0))) {
        case SR_CTAID_X:
        case SR_CTAID_Y:
        case SR_CTAID_Z:
        case SR_NTID_X:
        case SR_NTID_Y:
        case SR_NTID_Z:
        case SR_NCTAID_X:
        case SR_NCTAID_Y:
        case SR_NCTAID_Z: return true;
        default: return false;
    }
}

// Whether the number is one for all threads of a warp: made of constants, arguments and what is one for a work-group.
static bool is_alike(LLVMValueRef v, unsigned depth) {
    if (LLVMIsAConstant(v) != NULL) return true;
    if (depth == 0 || LLVMIsAInstruction(v) == NULL) return false;
    if (LLVMIsALoadInst(v) != NULL)
        return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == SPACE_ARGUMENTS;
    if (LLVMIsACallInst(v) != NULL) return is_alike_call(v);
    if (LLVMIsABinaryOperator(v) == NULL && LLVMIsACastInst(v) == NULL) return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (!is_alike(LLVMGetOperand(v, k), depth - 1)) return false;
    return true;
}

// Whether the counter's start and the limit are such numbers, and the loop is left at its jump back alone.
static bool leaves_alike(const struct ir_graph *graph, const struct loop *loop, uint32_t latch) {
    for (uint32_t b = 0; b < graph->block_count; b++)
        for (size_t k = 0; k < graph->edges.next_count[b]; k++)
            if (loop->blocks[b] && b != latch && !loop->blocks[graph->edges.next[b][k]]) return false;
    LLVMValueRef test = LLVMGetCondition(LLVMGetBasicBlockTerminator(graph->blocks[latch]));
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef v = LLVMGetOperand(test, k);
        if (!ir_graph_inside(graph, loop, v)) {
            if (!is_alike(v, DEPTH_MAX)) return false;
            continue;
        }
        if (LLVMIsAPHINode(v) == NULL) v = LLVMGetOperand(v, 0);
        for (unsigned i = 0; LLVMIsAPHINode(v) != NULL && i < LLVMCountIncoming(v); i++)
            if (!loop->blocks[ir_graph_index(graph, LLVMGetIncomingBlock(v, i))] &&
                !is_alike(LLVMGetIncomingValue(v, i), DEPTH_MAX))
                return false;
    }
    return true;
}

unsigned unroll_others(struct module *module, LLVMValueRef function, bool alike) {
    LLVMContextRef context = module->context;
    struct ir_graph graph;
    ir_graph_make(&graph, function, module->layout);
    if (graph.loops.irreducible) return 0;
    const size_t before = graph.block_count;
    unsigned asked = 0;
    for (size_t l = 0; l < graph.loops.count; l++) {
        const struct loop *loop = &graph.loops.loops[l];
        const uint32_t latch = is_innermost(&graph, l) ? latch_of(&graph, loop) : NONE;
        const unsigned size = size_of(&graph, loop);
        if (latch == NONE || size == 0 || size > BODY_MAX || !is_counted(&graph, loop, latch)) continue;
        if (alike && !leaves_alike(&graph, loop, latch)) continue;
        if (loop_has_hint(context, graph.blocks[latch], HINT_NO_UNROLL)) continue;
        loop_hint(context, graph.blocks[latch], HINT_UNROLL, size > BODY_LARGE ? 2 : FACTOR);
        asked++;
    }
    if (asked == 0) return 0;
    // No other loop than those that were asked for.
    module_run_passes(module,
                      "function(loop-simplify,lcssa,"
                      "loop-unroll<no-runtime;no-partial;no-peeling;no-upperbound;full-unroll-max=0>,simplifycfg)");
    return LLVMCountBasicBlocks(function) > before ? asked : 0;
}
