// LLVM's intrinsics on integers of 33 to 64 bits.
#include "compiler/select/wide_intrinsics.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/select/wide_parts.h"
#include "gen/isa.h"

static unsigned width_at(LLVMValueRef v) {
    return width_of(LLVMTypeOf(v));
}

// The upper (fshl) or lower (fshr) half of 128 bits, shifted by c modulo 64.
static bool funnel_shift(struct selection *s, LLVMValueRef i, bool left) {
    if (width_at(i) != 64) return false;
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), b = wide_of(s, LLVMGetOperand(i, 1)), r;
    uint32_t words[4] = {b.lo, b.hi, a.lo, a.hi}, x[3], fixed = 0;
    bool known = constant_of(s, LLVMGetOperand(i, 2), &fixed);
    uint32_t amount = known ? NONE : reg_of(s, LLVMGetOperand(i, 2));
    fixed = amount == NONE && !known ? 0 : fixed & 63u;
    if (amount == NONE) {
        unsigned from = left ? (fixed >= 32 ? 0 : 1) : fixed >= 32 ? 1 : 0;
        for (unsigned k = 0; k < 3; k++)
            x[k] = words[from + k];
    } else {
        struct predicate far = emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, amount, 32), 0);
        for (unsigned k = 0; k < 3; k++)
            x[k] = emit_select(s, far, words[left ? k : k + 1], words[left ? k + 1 : k]);
    }
    r.lo = funnel_word(s, left, x[1], x[0], amount, fixed & 31u);
    r.hi = funnel_word(s, left, x[2], x[1], amount, fixed & 31u);
    define_wide(s, i, r);
    return true;
}

static uint32_t one_operand(struct selection *s, uint8_t op, uint32_t from) {
    return emit_rr(s, op, NONE, from);
}

static void count_zeros(struct selection *s, LLVMValueRef i, bool leading) {
    struct wide a = wide_extended(s, LLVMGetOperand(i, 0), false);
    unsigned width = width_at(i);
    if (!leading) {
        if (width < 64) a.hi = emit_ri(s, OP_OR, a.hi, 1u << (width - 32));
        uint32_t held = one_operand(s, OP_BREV, a.lo);
        a.lo = one_operand(s, OP_BREV, a.hi);
        a.hi = held;
    }
    uint32_t first = one_operand(s, OP_CLZ, a.hi), second = emit_ri(s, OP_IADD, one_operand(s, OP_CLZ, a.lo), 32);
    struct predicate none = emit_compare_imm(s, CMP_EQ, a.hi, 0);
    uint32_t count = emit_select(s, none, second, first);
    if (leading && width < 64) count = emit_ri(s, OP_ISUB, count, 64 - width);
    define_wide(s, i, (struct wide){.lo = count, .hi = NONE});
}

static void minimum_or_maximum(struct selection *s, LLVMValueRef i, bool is_signed, bool maximum) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    struct predicate less = wide_compare(s, is_signed ? LLVMIntSLT : LLVMIntULT, x, y);
    struct wide a = wide_of(s, x), b = wide_of(s, y);
    define_wide(s, i, maximum ? wide_select(s, less, b, a) : wide_select(s, less, a, b));
}

static void absolute(struct selection *s, LLVMValueRef i) {
    struct wide a = wide_extended(s, LLVMGetOperand(i, 0), true), zero = {NONE, NONE};
    struct wide negated = wide_sum(s, false, zero, a, NULL);
    struct predicate negative = emit_compare_imm(s, CMP_LT, a.hi, 0);
    define_wide(s, i, wide_select(s, negative, negated, a));
}

// Bytes or bits in reverse order: the same for each word, the words change places, the rest is shifted down.
static void reverse(struct selection *s, LLVMValueRef i, bool bytes) {
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), r;
    r.lo = bytes ? emit_rir(s, OP_PRMT, a.hi, 0x0123, NONE) : one_operand(s, OP_BREV, a.hi);
    r.hi = bytes ? emit_rir(s, OP_PRMT, a.lo, 0x0123, NONE) : one_operand(s, OP_BREV, a.lo);
    if (width_at(i) < 64) r = wide_shift(s, LLVMLShr, r, NONE, 64 - width_at(i));
    define_wide(s, i, r);
}

static bool saturate(struct selection *s, LLVMValueRef i, bool is_signed, bool add) {
    if (width_at(i) != 64) return false;
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), b = wide_of(s, LLVMGetOperand(i, 1)), most;
    if (!is_signed) {
        uint32_t carry;
        struct wide r = wide_sum(s, add, a, b, &carry);
        most.lo = most.hi = add ? emit_constant(s, 0xFFFFFFFFu) : NONE;
        define_wide(s, i, wide_select(s, (struct predicate){.reg = carry}, most, r));
        return true;
    }
    struct wide r = wide_sum(s, add, a, b, NULL);
    // The sign is wrong where both operands (of a difference: a and not b) have one and the result the other.
    uint32_t x = emit_rr(s, OP_XOR, a.hi, add ? r.hi : b.hi), y = emit_rr(s, OP_XOR, add ? b.hi : a.hi, r.hi);
    struct predicate over = emit_compare_imm(s, CMP_LT, emit_rr(s, OP_AND, x, y), 0);
    uint32_t sign = emit_ri(s, OP_SAR, a.hi, 31);
    most.lo = emit_ri(s, OP_XOR, sign, 0xFFFFFFFFu);
    most.hi = emit_ri(s, OP_XOR, sign, 0x7FFFFFFFu);
    define_wide(s, i, wide_select(s, over, most, r));
    return true;
}

// Sums and differences with a flag for what does not fit; products have none here.
static bool with_overflow(struct selection *s, LLVMValueRef i, const char *what) {
    bool is_signed = what[0] == 's', add = what[1] == 'a';
    if (what[1] == 'm' || width_at(LLVMGetOperand(i, 0)) != 64) return false;
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), b = wide_of(s, LLVMGetOperand(i, 1)), r;
    struct predicate over = {.reg = NONE};
    if (is_signed) {
        r = wide_sum(s, add, a, b, NULL);
        uint32_t x = emit_rr(s, OP_XOR, a.hi, add ? r.hi : b.hi), y = emit_rr(s, OP_XOR, add ? b.hi : a.hi, r.hi);
        over = emit_compare_imm(s, CMP_LT, emit_rr(s, OP_AND, x, y), 0);
    } else {
        r = wide_sum(s, add, a, b, &over.reg);
    }
    struct value *value = value_new(s, i, 2);
    value->parts[0] = r.lo;
    value->parts[1] = r.hi;
    value->overflow = take(1, sizeof *value->overflow);
    value->overflow->parts = take(1, sizeof *value->overflow->parts);
    value->overflow->parts[0] = NONE;
    flag_result(s, value->overflow, i, over);
    return true;
}

static void three_way(struct selection *s, LLVMValueRef i, bool is_signed) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    struct predicate less = wide_compare(s, is_signed ? LLVMIntSLT : LLVMIntULT, x, y);
    struct predicate greater = wide_compare(s, is_signed ? LLVMIntSGT : LLVMIntUGT, x, y);
    uint32_t one = emit_select_imm(s, (struct predicate){greater.reg, !greater.negated}, NONE, 1);
    uint32_t result = emit_select_imm(s, (struct predicate){less.reg, !less.negated}, one, 0xFFFFFFFFu);
    if (width_at(i) > 32) {
        define_wide(s, i, (struct wide){.lo = result, .hi = word_sign(s, result)});
    } else {
        define(s, i, result, KNOWN_SIGN);
    }
}

static struct wide with_sign_turned(struct selection *s, struct wide a) {
    return (struct wide){.lo = a.lo, .hi = emit_ri(s, OP_XOR, a.hi, 0x80000000u)};
}

static bool combine(struct selection *s, const char *operation, struct wide a, struct wide b, struct wide *result) {
    bool is_signed = operation[0] == 's', least = starts(operation + 1, "min."), most = starts(operation + 1, "max.");
    if (starts(operation, "add.")) {
        *result = wide_sum(s, true, a, b, NULL);
    } else if (starts(operation, "mul.")) {
        *result = wide_product(s, a, b);
    } else if (starts(operation, "and.") || starts(operation, "or.") || starts(operation, "xor.")) {
        uint8_t op = operation[0] == 'a' ? OP_AND : operation[0] == 'o' ? OP_OR : OP_XOR;
        *result = (struct wide){.lo = both_words(s, op, a.lo, b.lo), .hi = both_words(s, op, a.hi, b.hi)};
    } else if ((is_signed || operation[0] == 'u') && (least || most)) {
        struct predicate less =
            is_signed ? wide_below(s, with_sign_turned(s, a), with_sign_turned(s, b)) : wide_below(s, a, b);
        *result = least ? wide_select(s, less, a, b) : wide_select(s, less, b, a);
    } else {
        return false;
    }
    return true;
}

// All elements of a vector into one value.
static bool reduce(struct selection *s, LLVMValueRef i, const char *operation) {
    LLVMValueRef vector = LLVMGetOperand(i, 0);
    struct wide result = {.lo = part_of(s, vector, 0)};
    result.hi = part_of(s, vector, 1);
    for (unsigned e = 1; e < part_count(LLVMTypeOf(vector)); e++) {
        struct wide element = {.lo = part_of(s, vector, 2 * e)};
        element.hi = part_of(s, vector, 2 * e + 1);
        if (!combine(s, operation, result, element, &result)) return false;
    }
    define_wide(s, i, result);
    return true;
}

bool select_wide_intrinsic(struct selection *s, LLVMValueRef i, const char *what) {
    static const char reduction[] = "vector.reduce.";
    if (LLVMGetNumArgOperands(i) == 0) return false;
    LLVMValueRef a = LLVMGetOperand(i, 0);
    if (starts(what, reduction) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && width_at(i) == 64)
        return reduce(s, i, what + sizeof reduction - 1);
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMIntegerTypeKind || width_at(a) <= 32) return false;
    if (strstr(what, ".with.overflow") != NULL) return with_overflow(s, i, what);
    if (starts(what, "fshl.")) return funnel_shift(s, i, true);
    if (starts(what, "fshr.")) return funnel_shift(s, i, false);
    if (starts(what, "uadd.sat.")) return saturate(s, i, false, true);
    if (starts(what, "usub.sat.")) return saturate(s, i, false, false);
    if (starts(what, "sadd.sat.")) return saturate(s, i, true, true);
    if (starts(what, "ssub.sat.")) return saturate(s, i, true, false);
    if (starts(what, "smin.")) {
        minimum_or_maximum(s, i, true, false);
    } else if (starts(what, "smax.")) {
        minimum_or_maximum(s, i, true, true);
    } else if (starts(what, "umin.")) {
        minimum_or_maximum(s, i, false, false);
    } else if (starts(what, "umax.")) {
        minimum_or_maximum(s, i, false, true);
    } else if (starts(what, "ctlz.")) {
        count_zeros(s, i, true);
    } else if (starts(what, "cttz.")) {
        count_zeros(s, i, false);
    } else if (starts(what, "ctpop.")) {
        struct wide bits = wide_extended(s, a, false);
        uint32_t count = emit_rr(s, OP_IADD, one_operand(s, OP_POPC, bits.lo), one_operand(s, OP_POPC, bits.hi));
        define_wide(s, i, (struct wide){.lo = count, .hi = NONE});
    } else if (starts(what, "abs.")) {
        absolute(s, i);
    } else if (starts(what, "bswap.")) {
        reverse(s, i, true);
    } else if (starts(what, "bitreverse.")) {
        reverse(s, i, false);
    } else if (starts(what, "scmp.") || starts(what, "ucmp.")) {
        three_way(s, i, what[0] == 's');
    } else if (starts(what, "expect.")) {
        define_wide(s, i, wide_of(s, a));
    } else {
        return false;
    }
    return true;
}
