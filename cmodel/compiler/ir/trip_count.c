// Whether a loop comes to an end by itself, whatever memory holds and other threads do.
//
// It does when an exit that every iteration passes compares a counter with a value that the loop does not change, and
// the counter cannot miss that value. A counter (counters.c) is a phi of the loop's header to which every way round
// adds a number of one sign. Numbers of w bits form a ring; the values at which the loop ends are a stretch of it. A
// counter whose steps are no longer than the shortest that the stretch can be, cannot jump over it, wherever it starts:
// so neither its start nor whether it goes round before has to be known. Where an overflow is undefined (signed
// numbers, pointers) the counter cannot go round at all, and a number that only moves one way comes to the end of its
// range.
//
// Taken on trust is one thing: that a counter which steps towards a limit finds room for its last step below the end of
// its range (for (i = get_global_id(0); i < n; i += get_global_size(0)): n is not within a step of 2^32). A number of
// things in memory never is, because addresses end before.
//
// The other kind (shrinking.c) is a value that every iteration brings nearer to 0 (x >>= 1, x /= 10, x &= x - 1, a % x,
// x <<= 1): it stays there, so the loop ends if the comparison ends it there.
#include "compiler/ir/trip_count.h"

#include "compiler/ir/counters.h"
#include "compiler/ir/loop_search.h"
#include "compiler/ir/shrinking.h"

enum { CONDITION_DEPTH = 6 };

static LLVMIntPredicate opposite(LLVMIntPredicate p) {
    static const LLVMIntPredicate table[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT,
        [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE};
    return table[p];
}

static LLVMIntPredicate turned(LLVMIntPredicate p) {
    static const LLVMIntPredicate table[] = {
        [LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE] = LLVMIntNE,   [LLVMIntUGT] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGT,
        [LLVMIntUGE] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGE, [LLVMIntSGT] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGT,
        [LLVMIntSGE] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGE};
    return table[p];
}

static enum trip_count of_test(struct loop_search *s, struct loop_test test) {
    if (ir_width(test.value) == 0) return TRIP_DATA;
    if (!loop_keeps(s, test.limit, LOOP_INVARIANT_DEPTH)) {
        LLVMValueRef held = test.value;
        test = (struct loop_test){turned(test.relation), test.limit, held};
    }
    struct counter counter;
    if (!loop_keeps(s, test.limit, LOOP_INVARIANT_DEPTH))
        return counter_of(s, &test, &counter) ||
                       counter_of(s, &(struct loop_test){test.relation, test.limit, test.value}, &counter)
                   ? TRIP_BOUND
                   : TRIP_DATA;
    if (counter_of(s, &test, &counter)) return counter_verdict(s, &test, &counter);
    return shrinking_verdict(s, &test);
}

// A flag of the loop that says "the first time".
static bool only_once(const struct loop_search *s, LLVMValueRef flag, bool goes_on) {
    if (!LLVMIsAPHINode(flag) || ir_graph_index(s->graph, LLVMGetInstructionParent(flag)) != s->loop->header)
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(flag); k++) {
        uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(flag, k));
        LLVMValueRef value = LLVMGetIncomingValue(flag, k);
        if (from == NONE || !s->loop->blocks[from]) continue;
        if (LLVMIsAConstantInt(value) == NULL || (LLVMConstIntGetZExtValue(value) != 0) == goes_on) return false;
    }
    return true;
}

// The loop goes on while the condition has this value.
static enum trip_count of_condition(struct loop_search *s, LLVMValueRef condition, bool goes_on, unsigned depth) {
    if (depth == 0 || !LLVMIsAInstruction(condition)) return TRIP_DATA;
    if (LLVMIsAFreezeInst(condition)) return of_condition(s, LLVMGetOperand(condition, 0), goes_on, depth - 1);
    if (only_once(s, condition, goes_on)) return TRIP_COUNTED;
    if (LLVMIsAPHINode(condition)) return TRIP_DATA;
    if (LLVMIsAICmpInst(condition)) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
        return of_test(s, (struct loop_test){goes_on ? p : opposite(p), LLVMGetOperand(condition, 0),
                                             LLVMGetOperand(condition, 1)});
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(condition);
    if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
        return of_condition(s, LLVMGetOperand(condition, 0), !goes_on, depth - 1);
    // a && b: one of the two ends the loop; a || b the same for what leaves it.
    LLVMValueRef a = LLVMGetOperand(condition, 0),
                 b = LLVMGetNumOperands(condition) > 1 ? LLVMGetOperand(condition, 1) : NULL;
    bool either_ends = goes_on ? op == LLVMAnd : op == LLVMOr;
    if (op == LLVMSelect) {
        LLVMValueRef otherwise = LLVMGetOperand(condition, 2);
        bool is_and = LLVMIsAConstantInt(otherwise) && LLVMConstIntGetZExtValue(otherwise) == 0;
        bool is_or = LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) != 0;
        either_ends = goes_on ? is_and : is_or;
        if (is_or) b = otherwise;
    }
    if (!either_ends) return TRIP_DATA;
    enum trip_count one = of_condition(s, a, goes_on, depth - 1), other = of_condition(s, b, goes_on, depth - 1);
    return one > other ? one : other;
}

enum trip_count trip_count(const struct ir_graph *graph, const struct loop *loop) {
    struct loop_search s = {.graph = graph, .loop = loop};
    enum trip_count best = TRIP_NO_EXIT;
    for (uint32_t b = 0; b < graph->block_count; b++) {
        if (!loop->blocks[b]) continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[b]);
        bool leaves = false;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            leaves |= !loop->blocks[ir_graph_index(graph, LLVMGetSuccessor(end, k))];
        if (!leaves) continue;
        enum trip_count here = TRIP_DATA;
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && ir_graph_every_time(graph, loop, b)) {
            bool goes_on = loop->blocks[ir_graph_index(graph, LLVMGetSuccessor(end, 0))];
            here = of_condition(&s, LLVMGetCondition(end), goes_on, CONDITION_DEPTH);
        }
        if (here > best) best = here;
    }
    return best;
}
