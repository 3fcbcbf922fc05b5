// LLVM's instructions on integers of 33 to 64 bits. Division and conversions to floats are calls of the library
// (library_operations.c).
#include "compiler/select/wide.h"

#include "compiler/select/wide_parts.h"
#include "gen/isa.h"

static unsigned width_at(LLVMValueRef v) {
    return width_of(LLVMTypeOf(v));
}

static void select_shift(struct selection *s, LLVMValueRef i, LLVMOpcode op) {
    struct wide a = wide_extended(s, LLVMGetOperand(i, 0), op == LLVMAShr);
    uint32_t fixed;
    bool known = constant_of(s, LLVMGetOperand(i, 1), &fixed);
    uint32_t amount = known ? NONE : reg_of(s, LLVMGetOperand(i, 1));
    // A register that is known to be zero.
    if (!known && amount == NONE) fixed = 0;
    define_wide(s, i, wide_shift(s, op, a, amount, fixed & 63u));
}

static void select_truncation(struct selection *s, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (width_at(i) == 1) {
        define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, part_of(s, from, 0), 1), 0));
    } else if (width_at(i) <= 32) {
        define(s, i, part_of(s, from, 0), 0);
    } else {
        define_wide(s, i, wide_of(s, from));
    }
}

static bool select_binary(struct selection *s, LLVMValueRef i, LLVMOpcode op) {
    if (!LLVMIsABinaryOperator(i)) return false;
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), b = wide_of(s, LLVMGetOperand(i, 1)), r;
    switch (op) {
        case LLVMAdd:
            if (a.lo == NONE) {
                r = a;
                a = b;
                b = r;
            }
            define_wide(s, i, wide_sum(s, true, a, b, NULL));
            return true;
        case LLVMSub: define_wide(s, i, wide_sum(s, false, a, b, NULL)); return true;
        case LLVMMul: define_wide(s, i, wide_product(s, a, b)); return true;
        case LLVMAnd:
        case LLVMOr:
        case LLVMXor: {
            uint8_t what = op == LLVMAnd ? OP_AND : op == LLVMOr ? OP_OR : OP_XOR;
            r.lo = both_words(s, what, a.lo, b.lo);
            r.hi = both_words(s, what, a.hi, b.hi);
            define_wide(s, i, r);
            return true;
        }
        default: return false;
    }
}

bool select_wide(struct selection *s, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || LLVMGetNumOperands(i) == 0) return false;
    LLVMValueRef a = LLVMGetOperand(i, 0);
    if (op == LLVMICmp && width_at(a) > 32) {
        define_flag(s, i, wide_compare(s, LLVMGetICmpPredicate(i), a, LLVMGetOperand(i, 1)));
        return true;
    }
    if (op == LLVMTrunc && width_at(a) > 32) {
        select_truncation(s, i);
        return true;
    }
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || width_at(i) <= 32) return false;
    switch (op) {
        case LLVMZExt: define_wide(s, i, wide_extended(s, a, false)); return true;
        case LLVMSExt: define_wide(s, i, wide_extended(s, a, true)); return true;
        case LLVMPtrToInt: define_wide(s, i, (struct wide){.lo = reg_of(s, a), .hi = NONE}); return true;
        case LLVMShl:
        case LLVMLShr:
        case LLVMAShr: select_shift(s, i, op); return true;
        default: return select_binary(s, i, op);
    }
}
