// In loops of one block: a counter that goes on by the same step several times in a turn, with nobody who asks for what is
// in between, goes on once, by a multiple that is made before the loop. LLVM's slsr makes such chains of what unroll.c
// has made: it writes each sum of a round as the one before and a step.
#include "compiler/tune/round_steps.h"

// The operand of an addition in the block that is made outside of it, the other one in *sum; NULL: there is none.
static LLVMValueRef step_of(LLVMValueRef i, LLVMBasicBlockRef block, LLVMValueRef *sum) {
    if (LLVMIsAInstruction(i) == NULL || LLVMGetInstructionParent(i) != block || LLVMGetInstructionOpcode(i) != LLVMAdd)
        return NULL;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef step = LLVMGetOperand(i, k);
        *sum = LLVMGetOperand(i, 1 - k);
        if (LLVMIsAInstruction(step) == NULL || LLVMGetInstructionParent(step) != block) return step;
    }
    return NULL;
}

static bool used_once(LLVMValueRef v) {
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use != NULL && LLVMGetNextUse(use) == NULL;
}

static void join(const struct module *module, LLVMBasicBlockRef block, LLVMValueRef phi) {
    const unsigned around = LLVMGetIncomingBlock(phi, 0) == block ? 0 : 1;
    LLVMValueRef next = LLVMGetIncomingValue(phi, around), sum, step = step_of(next, block, &sum);
    if (step == NULL) return;
    unsigned steps = 1;
    while (sum != phi) {
        LLVMValueRef before;
        if (!used_once(sum) || step_of(sum, block, &before) != step) return;
        sum = before;
        steps++;
    }
    if (steps == 1) return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, 1 - around)));
    LLVMValueRef all = LLVMBuildMul(b, step, LLVMConstInt(LLVMTypeOf(step), steps, 0), "");
    LLVMPositionBuilderBefore(b, next);
    LLVMReplaceAllUsesWith(next, LLVMBuildAdd(b, phi, all, ""));
    LLVMDisposeBuilder(b);
}

void round_steps_join(const struct module *module, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i) != NULL;
             i = LLVMGetNextInstruction(i)) {
            const bool loops = LLVMCountIncoming(i) == 2 &&
                               (LLVMGetIncomingBlock(i, 0) == block) != (LLVMGetIncomingBlock(i, 1) == block);
            if (loops && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind) join(module, block, i);
        }
    }
}
