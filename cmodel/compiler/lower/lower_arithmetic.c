// Turns what the ISA does not have into what it has, while it is still LLVM IR, so that LLVM's own passes can merge and
// hoist it.
#include "compiler/lower/lower_arithmetic.h"

#include <string.h>

#include "compiler/builtins/work_items.h"
#include "compiler/ir/names.h"
#include "compiler/ir/replace.h"

struct lowering {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef word;
};

static LLVMValueRef number(const struct lowering *l, uint32_t value) {
    return LLVMConstInt(l->word, value, 0);
}

static LLVMValueRef high(struct lowering *l, bool is_signed, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef f = builtin_declare(l->module, is_signed ? NAME_SMULHI : NAME_UMULHI, 2), arguments[2] = {x, y};
    return LLVMBuildCall2(l->b, LLVMGlobalGetValueType(f), f, arguments, 2, "");
}

static LLVMValueRef leading_zeros(struct lowering *l, LLVMValueRef x) {
    unsigned id = LLVMLookupIntrinsicID("llvm.ctlz", 9);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(l->module->module, id, &l->word, 1);
    LLVMValueRef arguments[2] = {x, LLVMConstInt(LLVMInt1TypeInContext(l->module->context), 0, 0)};
    return LLVMBuildCall2(l->b, LLVMIntrinsicGetType(l->module->context, id, &l->word, 1), f, arguments, 2, "");
}

// n / d by a reciprocal. With dn = d << s in [2^31, 2^32) and D = dn / 2^32, x approximates 2^31 / D from below: a line
// through both ends of D's range (error 1/17), then three Newton steps x' = x (2 - D x), where 2 - D x is 2^32 -
// umulhi(dn, x), less one so that rounding cannot carry x past the truth. q = umulhi(n, x) >> (31 - s) is then at most
// a few too small; what is left over is divided once more the same way, which leaves an error of at most one. Straight
// line: no branch, no divergence.
static LLVMValueRef divide_unsigned(struct lowering *l, LLVMValueRef n, LLVMValueRef d, bool want_remainder) {
    LLVMBuilderRef b = l->b;
    LLVMValueRef low_five = number(l, 31);
    LLVMValueRef s = LLVMBuildAnd(b, leading_zeros(l, d), low_five, "");
    LLVMValueRef dn = LLVMBuildShl(b, d, s, "");
    LLVMValueRef x = LLVMBuildSub(b, number(l, 0x69696968u), high(l, false, dn, number(l, 0xF0F0F0F1u)), "");
    for (int step = 0; step < 3; step++) {
        LLVMValueRef rest = LLVMBuildXor(b, high(l, false, dn, x), number(l, 0xFFFFFFFFu), "");
        x = LLVMBuildShl(b, high(l, false, x, rest), number(l, 1), "");
    }
    LLVMValueRef shift = LLVMBuildXor(b, s, low_five, "");
    LLVMValueRef q = LLVMBuildLShr(b, high(l, false, n, x), shift, "");
    LLVMValueRef r = LLVMBuildSub(b, n, LLVMBuildMul(b, q, d, ""), "");
    LLVMValueRef more = LLVMBuildLShr(b, high(l, false, r, x), shift, "");
    r = LLVMBuildSub(b, r, LLVMBuildMul(b, more, d, ""), "");
    LLVMValueRef too_small = LLVMBuildICmp(b, LLVMIntUGE, r, d, "");
    if (want_remainder) return LLVMBuildSelect(b, too_small, LLVMBuildSub(b, r, d, ""), r, "");
    q = LLVMBuildAdd(b, q, more, "");
    return LLVMBuildSelect(b, too_small, LLVMBuildAdd(b, q, number(l, 1), ""), q, "");
}

// By a constant: one high product (Granlund and Montgomery). m = 2^(32 + s) / d rounded up, s the bits of d - 1; m has
// 33 bits, the top one is added by hand.
static LLVMValueRef divide_by_constant(struct lowering *l, LLVMValueRef n, uint32_t d) {
    LLVMBuilderRef b = l->b;
    unsigned s = 0;
    if (d <= 1) return n;
    while (s < 32 && (uint64_t)1 << s < d)
        s++;
    if ((uint64_t)1 << s == d) return LLVMBuildLShr(b, n, number(l, s), "");
    uint64_t m = (((uint64_t)1 << 32) * (((uint64_t)1 << s) - d)) / d + 1;  // without bit 32
    LLVMValueRef t = high(l, false, n, number(l, (uint32_t)m));
    LLVMValueRef half = LLVMBuildLShr(b, LLVMBuildSub(b, n, t, ""), number(l, 1), "");
    return LLVMBuildLShr(b, LLVMBuildAdd(b, t, half, ""), number(l, s - 1), "");
}

static LLVMValueRef quotient_or_rest(struct lowering *l, LLVMValueRef n, LLVMValueRef d, bool want_remainder) {
    if (!LLVMIsAConstantInt(d) || LLVMConstIntGetZExtValue(d) == 0) return divide_unsigned(l, n, d, want_remainder);
    LLVMValueRef q = divide_by_constant(l, n, (uint32_t)LLVMConstIntGetZExtValue(d));
    return want_remainder ? LLVMBuildSub(l->b, n, LLVMBuildMul(l->b, q, d, ""), "") : q;
}

static LLVMValueRef magnitude(struct lowering *l, LLVMValueRef x, LLVMValueRef sign) {
    return LLVMBuildSub(l->b, LLVMBuildXor(l->b, x, sign, ""), sign, "");
}

static LLVMValueRef divide(struct lowering *l, LLVMOpcode op, LLVMValueRef n, LLVMValueRef d) {
    LLVMBuilderRef b = l->b;
    LLVMTypeRef type = LLVMTypeOf(n);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem, want_remainder = op == LLVMURem || op == LLVMSRem;
    if (LLVMGetIntTypeWidth(type) < 32) {
        n = is_signed ? LLVMBuildSExt(b, n, l->word, "") : LLVMBuildZExt(b, n, l->word, "");
        d = is_signed ? LLVMBuildSExt(b, d, l->word, "") : LLVMBuildZExt(b, d, l->word, "");
    }
    LLVMValueRef result;
    if (is_signed) {
        LLVMValueRef sign_n = LLVMBuildAShr(b, n, number(l, 31), ""), sign_d = LLVMBuildAShr(b, d, number(l, 31), "");
        LLVMValueRef unsigned_result =
            quotient_or_rest(l, magnitude(l, n, sign_n), magnitude(l, d, sign_d), want_remainder);
        result = magnitude(l, unsigned_result, want_remainder ? sign_n : LLVMBuildXor(b, sign_n, sign_d, ""));
    } else {
        result = quotient_or_rest(l, n, d, want_remainder);
    }
    return LLVMTypeOf(result) == type ? result : LLVMBuildTrunc(b, result, type, "");
}

// x as a 32-bit value when the 64-bit x is an extension of one (of this sign), else NULL.
static LLVMValueRef narrow(struct lowering *l, LLVMValueRef x, bool is_signed) {
    if (LLVMIsAConstantInt(x)) {
        uint64_t value = LLVMConstIntGetZExtValue(x);
        bool fits = is_signed ? (int64_t)value == (int32_t)value : value <= UINT32_MAX;
        return fits ? number(l, (uint32_t)value) : NULL;
    }
    if (!(is_signed ? LLVMIsASExtInst(x) : LLVMIsAZExtInst(x))) return NULL;
    LLVMValueRef from = LLVMGetOperand(x, 0);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(from));
    if (width > 32) return NULL;
    if (width == 32) return from;
    return is_signed ? LLVMBuildSExt(l->b, from, l->word, "") : LLVMBuildZExt(l->b, from, l->word, "");
}

// The upper half of a 64-bit product: trunc((ext a * ext b) >> 32 or more).
static LLVMValueRef high_product(struct lowering *l, LLVMValueRef truncated) {
    LLVMValueRef shift = LLVMGetOperand(truncated, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(truncated)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(truncated)) > 32 || !LLVMIsABinaryOperator(shift) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(shift)) != 64)
        return NULL;
    bool arithmetic = LLVMGetInstructionOpcode(shift) == LLVMAShr;
    LLVMValueRef product = LLVMGetOperand(shift, 0), amount = LLVMGetOperand(shift, 1);
    if ((!arithmetic && LLVMGetInstructionOpcode(shift) != LLVMLShr) || !LLVMIsAConstantInt(amount) ||
        !LLVMIsABinaryOperator(product) || LLVMGetInstructionOpcode(product) != LLVMMul)
        return NULL;
    uint64_t bits = LLVMConstIntGetZExtValue(amount);
    if (bits < 32 || bits > 63) return NULL;
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        LLVMValueRef x = narrow(l, LLVMGetOperand(product, 0), is_signed != 0);
        LLVMValueRef y = narrow(l, LLVMGetOperand(product, 1), is_signed != 0);
        if (x == NULL || y == NULL) continue;
        LLVMValueRef result = high(l, is_signed != 0, x, y), rest = number(l, (uint32_t)bits - 32);
        if (bits > 32)
            result = arithmetic ? LLVMBuildAShr(l->b, result, rest, "") : LLVMBuildLShr(l->b, result, rest, "");
        if (LLVMGetIntTypeWidth(LLVMTypeOf(truncated)) < 32)
            result = LLVMBuildTrunc(l->b, result, LLVMTypeOf(truncated), "");
        return result;
    }
    return NULL;
}

static LLVMValueRef replacement(void *context, LLVMValueRef i) {
    struct lowering *l = context;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 32)
                return NULL;
            return divide(l, op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
        case LLVMTrunc: return high_product(l, i);
        default: return NULL;
    }
}

void arithmetic_lower(struct module *module) {
    struct lowering l = {.module = module,
                         .b = LLVMCreateBuilderInContext(module->context),
                         .word = LLVMInt32TypeInContext(module->context)};
    instructions_replace(module->module, l.b, replacement, &l);
    LLVMDisposeBuilder(l.b);
}
