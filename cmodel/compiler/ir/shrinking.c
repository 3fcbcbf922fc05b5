// Values that every iteration brings nearer to 0.
#include "compiler/ir/shrinking.h"

#include "compiler/ir/ir_range.h"

enum shrinking { GROWS_NOT = 0, TO_ZERO = 1, TO_ZERO_OR_MINUS_ONE = 2, SHIFTS_OUT = 4, MULTIPLIES = 8, OTHERWISE = 16 };

static bool is_less_one(LLVMValueRef v, LLVMValueRef than) {
    return LLVMIsABinaryOperator(v) != NULL && LLVMGetInstructionOpcode(v) == LLVMAdd &&
           without_freeze(LLVMGetOperand(v, 0)) == than && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) != NULL &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) == -1;
}

static unsigned shrinking_step(LLVMValueRef v, LLVMValueRef phi) {
    LLVMValueRef a = without_freeze(LLVMGetOperand(v, 0)), b = without_freeze(LLVMGetOperand(v, 1));
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMAnd && ((a == phi && is_less_one(b, phi)) || (b == phi && is_less_one(a, phi)))) return TO_ZERO;
    if ((op == LLVMURem || op == LLVMSRem) && b == phi) return TO_ZERO;
    if (a != phi || LLVMIsAConstantInt(b) == NULL) return OTHERWISE;
    uint64_t number = LLVMConstIntGetZExtValue(b);
    int64_t with_sign = LLVMConstIntGetSExtValue(b);
    bool shifts = number >= 1 && number < ir_width(v),
         keeps = LLVMIsABinaryOperator(v) && (op == LLVMShl || op == LLVMMul) && (LLVMGetNSW(v) || LLVMGetNUW(v));
    switch (op) {
        case LLVMLShr: return shifts ? TO_ZERO : OTHERWISE;
        case LLVMAShr: return shifts ? TO_ZERO_OR_MINUS_ONE : OTHERWISE;
        case LLVMUDiv: return number >= 2 ? TO_ZERO : OTHERWISE;
        case LLVMSDiv: return with_sign >= 2 || with_sign <= -2 ? TO_ZERO : OTHERWISE;
        case LLVMShl: return !shifts ? OTHERWISE : keeps ? MULTIPLIES : SHIFTS_OUT;
        case LLVMMul: return keeps && with_sign >= 2 ? MULTIPLIES : OTHERWISE;
        default: return OTHERWISE;
    }
}

static unsigned shrinking(struct loop_search *s, LLVMValueRef v, LLVMValueRef phi) {
    if (s->budget-- <= 0 || !ir_graph_inside(s->graph, s->loop, v)) return OTHERWISE;
    if (LLVMIsAFreezeInst(v)) return shrinking(s, LLVMGetOperand(v, 0), phi);
    if (LLVMIsASelectInst(v)) return shrinking(s, LLVMGetOperand(v, 1), phi) | shrinking(s, LLVMGetOperand(v, 2), phi);
    if (LLVMIsAPHINode(v)) {
        if (ir_graph_index(s->graph, LLVMGetInstructionParent(v)) == s->loop->header) return OTHERWISE;
        unsigned all = GROWS_NOT;
        for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
            all |= shrinking(s, LLVMGetIncomingValue(v, k), phi);
        return all;
    }
    return LLVMIsABinaryOperator(v) != NULL ? shrinking_step(v, phi) : OTHERWISE;
}

// Whether the loop may go on with this value for ever.
static bool goes_on_at(const struct loop_test *test, wide_number v) {
    unsigned width = ir_width(test->limit);
    bool is_signed = is_signed_relation(test->relation);
    struct ir_range limit = ir_range(test->limit, is_signed), ring = ir_range_full(width, is_signed);
    if (v < ring.lowest) v += power_of_two(width);
    if (v > ring.highest) v -= power_of_two(width);
    switch (test->relation) {
        case LLVMIntEQ: return limit.lowest <= v && v <= limit.highest;
        case LLVMIntNE: return limit.lowest != v || limit.highest != v;
        case LLVMIntULT:
        case LLVMIntSLT: return v < limit.highest;
        case LLVMIntULE:
        case LLVMIntSLE: return v <= limit.highest;
        case LLVMIntUGT:
        case LLVMIntSGT: return v > limit.lowest;
        default: return v >= limit.lowest;
    }
}

enum trip_count shrinking_verdict(struct loop_search *s, const struct loop_test *test) {
    // LLVM makes (unsigned)(x + 9) > 18 of x / 10 != 0.
    LLVMValueRef value = without_freeze(test->value);
    wide_number more = 0;
    if (LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL) {
        more = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
        value = without_freeze(LLVMGetOperand(value, 0));
    }
    LLVMBasicBlockRef header = s->graph->blocks[s->loop->header];
    enum trip_count best = TRIP_DATA;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi != NULL && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        if (ir_width(phi) == 0 || LLVMTypeOf(phi) != LLVMTypeOf(value)) continue;
        unsigned kind = GROWS_NOT;
        bool compared = value == phi;
        s->budget = LOOP_BUDGET;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            uint32_t from = ir_graph_index(s->graph, LLVMGetIncomingBlock(phi, k));
            if (from == NONE || !s->loop->blocks[from]) continue;
            kind |= shrinking(s, LLVMGetIncomingValue(phi, k), phi);
            compared |= value == without_freeze(LLVMGetIncomingValue(phi, k));
        }
        if (!compared || (kind & OTHERWISE) != 0) continue;
        best = TRIP_PAST;
        if (kind == SHIFTS_OUT || kind == TO_ZERO) {
            if (!goes_on_at(test, more)) return TRIP_SHRINKS;
        } else if ((kind & (unsigned)~(TO_ZERO | TO_ZERO_OR_MINUS_ONE)) == 0) {
            if (!goes_on_at(test, more) && !goes_on_at(test, more - 1)) return TRIP_SHRINKS;
        } else if (kind == MULTIPLIES) {
            LLVMValueRef start = loop_start(s, phi);
            if (start != NULL && ir_range(start, true).lowest >= 1) return TRIP_COUNTED;
        }
    }
    return best;
}
