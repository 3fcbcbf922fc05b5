// Questions of one loop: see loop_search.h.
#include "compiler/ir/loop_search.h"

bool is_signed_relation(LLVMIntPredicate p) {
    return p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntSLT || p == LLVMIntSLE;
}

bool loop_keeps(const struct loop_search *s, LLVMValueRef v, unsigned depth) {
    if (!ir_graph_inside(s->graph, s->loop, v)) return LLVMIsABasicBlock(v) == NULL;
    if (depth == 0) return false;
    if (!LLVMIsABinaryOperator(v) && !LLVMIsACastInst(v) && !LLVMIsAGetElementPtrInst(v) && !LLVMIsASelectInst(v) &&
        !LLVMIsAICmpInst(v))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        if (!loop_keeps(s, LLVMGetOperand(v, (unsigned)k), depth - 1)) return false;
    return true;
}

LLVMValueRef loop_start(const struct loop_search *s, LLVMValueRef phi) {
    LLVMValueRef start = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(phi, k));
        if (from != NONE && s->loop->blocks[from]) continue;
        if (start != NULL && start != LLVMGetIncomingValue(phi, k)) return NULL;
        start = LLVMGetIncomingValue(phi, k);
    }
    return start;
}

LLVMValueRef without_freeze(LLVMValueRef v) {
    while (LLVMIsAFreezeInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}
