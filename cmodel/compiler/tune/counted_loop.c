// Innermost loops that are one block, with a counter that goes on by a step the loop does not change. Two forms of the
// loop's own test, on the counter's next value: "not equal to the end" with a step of 1 or -1 (what LLVM makes of most
// loops), and "less than the end" with any step, which may be known at run time only.
#include "compiler/tune/counted_loop.h"

#include "compiler/ir/accesses.h"
#include "compiler/ir/module.h"

static bool outside(LLVMValueRef v, LLVMBasicBlockRef block) {
    return LLVMIsAInstruction(v) == NULL || LLVMGetInstructionParent(v) != block;
}

// next = phi + step
static bool find_counter(struct counted_loop *loop, LLVMValueRef next) {
    if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionParent(next) != loop->block ||
        LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetIntTypeWidth(LLVMTypeOf(next)) != 32)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef phi = LLVMGetOperand(next, k), step = LLVMGetOperand(next, 1 - k);
        if (LLVMIsAPHINode(phi) == NULL || LLVMGetInstructionParent(phi) != loop->block || !outside(step, loop->block))
            continue;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (LLVMGetIncomingBlock(phi, i) != loop->block || LLVMGetIncomingValue(phi, i) != next) continue;
            loop->phi = phi, loop->step = step, loop->next = next;
            return true;
        }
    }
    return false;
}

static LLVMIntPredicate turned(LLVMIntPredicate predicate) {
    switch (predicate) {
        case LLVMIntUGT: return LLVMIntULT;
        case LLVMIntULT: return LLVMIntUGT;
        case LLVMIntSGT: return LLVMIntSLT;
        case LLVMIntSLT: return LLVMIntSGT;
        default: return predicate;
    }
}

static bool is_unit(LLVMValueRef step) {
    if (LLVMIsAConstantInt(step) == NULL) return false;
    int64_t value = LLVMConstIntGetSExtValue(step);
    return value == 1 || value == -1;
}

static bool find_test(struct counted_loop *loop) {
    LLVMValueRef test = loop->test;
    if (LLVMIsAICmpInst(test) == NULL || LLVMGetInstructionParent(test) != loop->block) return false;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    LLVMValueRef next = LLVMGetOperand(test, 0), end = LLVMGetOperand(test, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(next)) != LLVMIntegerTypeKind) return false;
    if (!outside(next, loop->block) && outside(end, loop->block)) {
        loop->end = end;
    } else if (outside(next, loop->block) && !outside(end, loop->block)) {
        loop->end = next;
        next = end;
        predicate = turned(predicate);
    } else {
        return false;
    }
    if (!find_counter(loop, next)) return false;
    LLVMIntPredicate unequal = loop->stays_on_true ? LLVMIntNE : LLVMIntEQ;
    if (predicate == unequal && is_unit(loop->step)) {
        loop->form = TEST_UNEQUAL;
        return true;
    }
    if (!loop->stays_on_true) return false;
    loop->form = predicate == LLVMIntSLT ? TEST_LESS_SIGNED : TEST_LESS;
    return predicate == LLVMIntULT || predicate == LLVMIntSLT;
}

// The block before the loop, when there is one only.
static bool find_entry(struct counted_loop *loop) {
    LLVMValueRef phi = LLVMGetFirstInstruction(loop->block);
    if (LLVMIsAPHINode(phi) == NULL || LLVMCountIncoming(phi) != 2) return false;
    loop->before = LLVMGetIncomingBlock(phi, LLVMGetIncomingBlock(phi, 0) == loop->block ? 1 : 0);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(loop->before);
    return LLVMGetInstructionOpcode(jump) == LLVMBr && !LLVMIsConditional(jump);
}

static bool is_count(LLVMValueRef i) {
    return LLVMIsAAtomicRMWInst(i) != NULL && !LLVMGetVolatile(i) && LLVMGetFirstUse(i) == NULL &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == SPACE_LOCAL;
}

bool counted_loop_find(struct counted_loop *loop, LLVMBasicBlockRef block) {
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    *loop = (struct counted_loop){.block = block};
    if (LLVMGetInstructionOpcode(jump) != LLVMBr || !LLVMIsConditional(jump)) return false;
    LLVMBasicBlockRef to[2] = {LLVMGetSuccessor(jump, 0), LLVMGetSuccessor(jump, 1)};
    if ((to[0] == block) == (to[1] == block)) return false;
    loop->stays_on_true = to[0] == block;
    loop->exit = loop->stays_on_true ? to[1] : to[0];
    loop->test = LLVMGetCondition(jump);
    unsigned accesses = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != jump; i = LLVMGetNextInstruction(i)) {
        if (access_is_plain(i)) {
            accesses++;
        } else if (is_count(i)) {
            loop->counts = true;
        } else if (!touches_no_memory(i)) {
            return false;
        }
        loop->size++;
    }
    return accesses > 0 && find_entry(loop) && find_test(loop);
}
