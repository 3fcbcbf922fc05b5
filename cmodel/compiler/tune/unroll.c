// Unrolling of innermost loops that are one block, with a counter that goes on by a step the loop does not change:
//
//     before -> setup --(a whole round is left)--> rounds <-.   `factor` copies of the body, one test and jump
//                 |                                   |_____|
//                 |                                 rest?  --(nothing is left)--> exit
//                 '--> loop <-------------------------'
//                      the old loop, for what is left over; also for all that the setup cannot be sure of
//
// Where the test is "less than the end" the setup makes sure that no sum in a round can wrap. Our own, since LLVM's
// unroller needs to know that without asking.
#include "compiler/tune/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/ir/loop_hints.h"

enum {
    FACTOR_MAX = 4,
    BODY_LARGE = 40,  // instructions: more are unrolled by 2 only
    BODY_MAX = 100,   // more: not at all
    PHIS_MAX = 16,
    STEP_MAX = 0x0FFFFFFF
};

struct copying {
    LLVMValueRef *from, *to;
    size_t count;
};

static LLVMValueRef copy_of(const struct copying *copies, LLVMValueRef v) {
    for (size_t k = 0; k < copies->count; k++)
        if (copies->from[k] == v) return copies->to[k];
    return v;
}

static LLVMValueRef word(const struct module *module, uint32_t value) {
    return LLVMConstInt(LLVMInt32TypeInContext(module->context), value, 0);
}

static LLVMValueRef start_of(LLVMValueRef phi, LLVMBasicBlockRef before) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == before ? 0 : 1);
}

// Where the rounds end: they go on while the counter is not equal to it (TEST_UNEQUAL) or less than it. *enter: whether
// there is a round at all.
static LLVMValueRef build_setup(const struct module *module, const struct counted_loop *loop, LLVMBuilderRef b,
                                unsigned factor, LLVMValueRef *enter) {
    LLVMValueRef start = start_of(loop->phi, loop->before);
    if (loop->form == TEST_UNEQUAL) {
        bool up = LLVMConstIntGetSExtValue(loop->step) == 1;
        // Turns; 0 stands for 2^32, which are left to the old loop.
        LLVMValueRef turns = up ? LLVMBuildSub(b, loop->end, start, "") : LLVMBuildSub(b, start, loop->end, "");
        LLVMValueRef whole = LLVMBuildAnd(b, turns, word(module, 0u - factor), "");
        *enter = LLVMBuildICmp(b, LLVMIntNE, whole, word(module, 0), "");
        return up ? LLVMBuildAdd(b, start, whole, "") : LLVMBuildSub(b, start, whole, "");
    }
    bool is_signed = loop->form == TEST_LESS_SIGNED;
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    uint32_t lowest = is_signed ? 0x80000000u : 0, highest = is_signed ? 0x7FFFFFFFu : 0xFFFFFFFFu;
    // A loop that stands still is left to itself, too.
    LLVMValueRef below = LLVMBuildSub(b, loop->step, word(module, 1), "");
    LLVMValueRef small = LLVMBuildICmp(b, LLVMIntULT, below, word(module, STEP_MAX), "");
    LLVMValueRef span = LLVMBuildMul(b, loop->step, word(module, factor - 1), "");
    LLVMValueRef top = LLVMBuildSub(b, word(module, highest), loop->step, "");
    LLVMValueRef bottom = LLVMBuildAdd(b, word(module, lowest), span, "");
    LLVMValueRef fits = LLVMBuildNot(b, LLVMBuildICmp(b, less, top, loop->end, ""), "");
    LLVMValueRef reaches = LLVMBuildNot(b, LLVMBuildICmp(b, less, loop->end, bottom, ""), "");
    LLVMValueRef sure = LLVMBuildAnd(b, small, LLVMBuildAnd(b, fits, reaches, ""), "");
    LLVMValueRef limit = LLVMBuildSelect(b, sure, LLVMBuildSub(b, loop->end, span, ""), word(module, lowest), "");
    *enter = LLVMBuildICmp(b, less, start, limit, "");
    return limit;
}

// A test of the counter's next value as the loop makes it, against another end.
static LLVMValueRef build_test(const struct counted_loop *loop, LLVMBuilderRef b, LLVMValueRef next, LLVMValueRef end) {
    LLVMIntPredicate predicate = loop->form == TEST_UNEQUAL ? LLVMIntNE
                                 : loop->form == TEST_LESS  ? LLVMIntULT
                                                            : LLVMIntSLT;
    return LLVMBuildICmp(b, predicate, next, end, "");
}

// Turn k of a round: `last` maps values of the loop to those of the turn before and becomes this turn's. The counter's
// next value is `counter`, its value at the round's begin, and k + 1 steps: no chain, and one step a round.
static void copy_turn(const struct counted_loop *loop, LLVMBuilderRef b, struct copying *last, unsigned k,
                      LLVMValueRef counter, LLVMValueRef steps) {
    const bool first = k == 0;
    struct copying turn = {.from = last->from, .to = take(last->count, sizeof(LLVMValueRef)), .count = 0};
    LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->block); i != end; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef copy;
        if (LLVMIsAPHINode(i) != NULL) {
            LLVMValueRef around = LLVMGetIncomingValue(i, LLVMGetIncomingBlock(i, 0) == loop->block ? 0 : 1);
            copy = first ? copy_of(last, i) : copy_of(last, around);
        } else if (i == loop->next) {
            LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
            copy = LLVMBuildAdd(b, counter, steps, "");
        } else {
            copy = LLVMInstructionClone(i);
            for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(copy); o++)
                LLVMSetOperand(copy, o, copy_of(&turn, LLVMGetOperand(copy, o)));
            LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
            LLVMInsertIntoBuilder(b, copy);
        }
        turn.to[turn.count++] = copy;  // the same order as last->from
    }
    free(last->to);
    last->to = turn.to;
}

// All loads of a round can be on their way before one of them is waited for.
static void put_stores_last(LLVMBasicBlockRef rounds, LLVMBuilderRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(rounds), first = NULL;
    LLVMPositionBuilderBefore(b, end);
    for (LLVMValueRef i = LLVMGetFirstInstruction(rounds), next; i != end && i != first; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAStoreInst(i) == NULL) continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));  // insertion gives it the builder's
        LLVMInsertIntoBuilder(b, i);
        if (first == NULL) first = i;
    }
}

static void unroll(const struct module *module, const struct counted_loop *loop, unsigned factor, bool stores_last) {
    LLVMContextRef context = module->context;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMValueRef old_jump = LLVMGetBasicBlockTerminator(loop->before);
    LLVMBasicBlockRef rounds = LLVMInsertBasicBlockInContext(context, loop->block, "rounds");
    LLVMBasicBlockRef rest = LLVMInsertBasicBlockInContext(context, loop->block, "rest");
    LLVMPositionBuilderBefore(b, old_jump);
    LLVMValueRef enter, limit = build_setup(module, loop, b, factor, &enter), steps[FACTOR_MAX];
    for (unsigned k = 0; k < factor; k++)
        steps[k] = LLVMBuildMul(b, loop->step, word(module, k + 1), "");
    LLVMBuildCondBr(b, enter, rounds, loop->block);
    LLVMInstructionEraseFromParent(old_jump);

    // The rounds.
    size_t count = 0, phi_count = 0;
    struct copying turn = {.from = take(loop->size, sizeof(LLVMValueRef)),
                           .to = take(loop->size, sizeof(LLVMValueRef))};
    LLVMValueRef phis[PHIS_MAX];
    LLVMPositionBuilderAtEnd(b, rounds);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->block); i != end; i = LLVMGetNextInstruction(i)) {
        turn.from[count] = turn.to[count] = i;
        if (LLVMIsAPHINode(i) != NULL) {
            phis[phi_count++] = i;
            turn.to[count] = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        }
        count++;
    }
    turn.count = count;
    LLVMValueRef round_phis[PHIS_MAX], after[PHIS_MAX], counter = copy_of(&turn, loop->phi);
    for (size_t k = 0; k < phi_count; k++)
        round_phis[k] = turn.to[k];
    for (unsigned k = 0; k < factor; k++)
        copy_turn(loop, b, &turn, k, counter, steps[k]);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(end));
    LLVMValueRef next = copy_of(&turn, loop->next);
    LLVMBuildCondBr(b, build_test(loop, b, next, limit), rounds, rest);
    for (size_t k = 0; k < phi_count; k++) {
        LLVMValueRef around = LLVMGetIncomingValue(phis[k], LLVMGetIncomingBlock(phis[k], 0) == loop->block ? 0 : 1);
        after[k] = copy_of(&turn, around);
        LLVMValueRef values[2] = {start_of(phis[k], loop->before), after[k]};
        LLVMBasicBlockRef blocks[2] = {loop->before, rounds};
        LLVMAddIncoming(round_phis[k], values, blocks, 2);
    }

    if (stores_last) put_stores_last(rounds, b);

    // What is left over; out of the loop when nothing is.
    LLVMPositionBuilderAtEnd(b, rest);
    LLVMBuildCondBr(b, build_test(loop, b, next, loop->end), loop->block, loop->exit);
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->exit); i != NULL && LLVMIsAPHINode(i) != NULL;
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef value = NULL;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == loop->block) value = copy_of(&turn, LLVMGetIncomingValue(i, k));
        if (value != NULL) LLVMAddIncoming(i, &value, &rest, 1);
    }
    for (size_t k = 0; k < phi_count; k++)
        LLVMAddIncoming(phis[k], &after[k], &rest, 1);
    loop_hint(context, rounds, HINT_NO_UNROLL, 0);
    loop_hint(context, loop->block, HINT_NO_UNROLL, 0);
    free(turn.from);
    free(turn.to);
    LLVMDisposeBuilder(b);
}

static unsigned count_phis(LLVMBasicBlockRef block) {
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL && LLVMIsAPHINode(i) != NULL;
         i = LLVMGetNextInstruction(i))
        count++;
    return count;
}

unsigned unroll_loops(const struct module *module, LLVMValueRef function, unroll_allowed *allowed, const void *context,
                      bool stores_last, unsigned *most) {
    unsigned done = 0;
    *most = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function), next; block != NULL; block = next) {
        next = LLVMGetNextBasicBlock(block);
        struct counted_loop loop;
        if (loop_has_hint(module->context, block, HINT_NO_UNROLL)) continue;
        if (!counted_loop_find(&loop, block) || loop.size > BODY_MAX || count_phis(block) > PHIS_MAX) continue;
        const unsigned usual = loop.size > BODY_LARGE ? 2 : FACTOR_MAX, most_here = allowed(context, &loop);
        const unsigned factor = most_here < usual ? most_here : usual;
        if (factor < 2) continue;
        unroll(module, &loop, factor, stores_last);
        if (factor > *most) *most = factor;
        done++;
    }
    return done;
}
