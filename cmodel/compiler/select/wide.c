// Integers of 33 to 64 bits: two registers each, the low word first. NONE as a part is zero here as everywhere, so that
// extended operands cost nothing. Division and conversions to floats are calls of the library (library_operations.c).
#include <string.h>

#include "compiler/select/select.h"
#include "gen/isa.h"

struct wide {
    uint32_t lo, hi;
};

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static unsigned width_at(LLVMValueRef v) {
    return width_of(LLVMTypeOf(v));
}

static struct wide wide_of(struct selection *s, LLVMValueRef v) {
    struct wide w = {.lo = part_of(s, v, 0)};
    w.hi = part_of(s, v, 1);
    return w;
}

static void define_wide(struct selection *s, LLVMValueRef v, struct wide w) {
    struct value *value = value_of(s, v);
    value->parts[0] = w.lo;
    value->parts[1] = w.hi;
}

// The sign of a word in all bits.
static uint32_t sign_of(struct selection *s, uint32_t word) {
    return word == NONE ? NONE : emit_ri(s, OP_SAR, word, 31);
}

// Any integer as 64 bits.
static struct wide extended(struct selection *s, LLVMValueRef v, bool is_signed) {
    unsigned width = width_at(v);
    if (width <= 32) {
        uint32_t lo = is_signed ? reg_sign(s, v) : reg_zeros(s, v);
        return (struct wide){.lo = lo, .hi = is_signed ? sign_of(s, lo) : NONE};
    }
    struct wide w = wide_of(s, v);
    if (width == 64 || w.hi == NONE) return w;
    w.hi = emit_ri(s, is_signed ? OP_IBFE : OP_UBFE, w.hi, (width - 32) << 8);
    return w;
}

// ---- sums ----

// One half of a sum or difference; in and out: predicates or NONE.
static uint32_t emit_carry(struct selection *s, uint8_t op, uint32_t a, uint32_t b, uint32_t in, uint32_t *out,
                           bool wanted) {
    struct machine_instruction i = make(op);
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = in;
    if (wanted) i.dst = new_register(s->function, CLASS_VECTOR);
    if (out != NULL) i.carry = *out = new_register(s->function, CLASS_PREDICATE);
    emit(s, i);
    return i.dst;
}

// carry: where the carry or borrow out of 64 bits is wanted, else NULL.
static struct wide add_or_subtract(struct selection *s, bool add, struct wide a, struct wide b, uint32_t *carry) {
    struct wide r = {NONE, NONE};
    uint32_t between;
    if (carry == NULL && b.lo == NONE) {
        r.lo = a.lo;
        r.hi = b.hi == NONE ? a.hi : emit_rr(s, add ? OP_IADD : OP_ISUB, a.hi, b.hi);
        return r;
    }
    r.lo = emit_carry(s, add ? OP_IADDO : OP_ISUBO, a.lo, b.lo, NONE, &between, true);
    r.hi = emit_carry(s, add ? OP_IADDC : OP_ISUBC, a.hi, b.hi, between, carry, true);
    return r;
}

static struct predicate below(struct selection *s, struct wide a, struct wide b) {
    uint32_t between, result;
    emit_carry(s, OP_ISUBO, a.lo, b.lo, NONE, &between, false);
    emit_carry(s, OP_ISUBC, a.hi, b.hi, between, &result, false);
    return (struct predicate){.reg = result};
}

static struct wide select_pair(struct selection *s, struct predicate p, struct wide a, struct wide b) {
    struct wide r;
    r.lo = a.lo == b.lo ? a.lo : emit_select(s, p, a.lo, b.lo);
    r.hi = a.hi == b.hi ? a.hi : emit_select(s, p, a.hi, b.hi);
    return r;
}

static struct wide product(struct selection *s, struct wide a, struct wide b) {
    struct wide r = {NONE, NONE};
    if (a.lo != NONE && b.hi != NONE) r.hi = emit_rr(s, OP_IMUL, a.lo, b.hi);
    if (a.hi != NONE && b.lo != NONE)
        r.hi = r.hi == NONE ? emit_rr(s, OP_IMUL, a.hi, b.lo) : emit_rrr(s, OP_IMAD, a.hi, b.lo, r.hi);
    if (a.lo == NONE || b.lo == NONE) return r;
    r.hi = r.hi == NONE ? emit_rr(s, OP_UMULHI, a.lo, b.lo) : emit_rrr(s, OP_UMADHI, a.lo, b.lo, r.hi);
    r.lo = emit_rr(s, OP_IMUL, a.lo, b.lo);
    return r;
}

static uint32_t both_words(struct selection *s, uint8_t op, uint32_t a, uint32_t b) {
    if (a == NONE && b == NONE) return NONE;
    if (a == NONE || b == NONE) return op == OP_AND ? NONE : a == NONE ? b : a;
    return emit_rr(s, op, a, b);
}

// ---- shifts ----

static uint32_t shift_word(struct selection *s, uint8_t op, uint32_t word, uint32_t amount, uint32_t fixed) {
    if (word == NONE) return NONE;
    if (amount != NONE) return emit_rr(s, op, word, amount);
    return fixed == 0 ? word : emit_ri(s, op, word, fixed);
}

// High word of {a, b} << n (left) or low word of {a, b} >> n; n modulo 32, in a register or fixed.
static uint32_t funnel(struct selection *s, bool left, uint32_t a, uint32_t b, uint32_t amount, uint32_t fixed) {
    if (a == NONE && b == NONE) return NONE;
    uint8_t op = left ? OP_FSHL : OP_FSHR;
    if (amount != NONE) return emit_rrr(s, op, a, amount, b);
    return fixed == 0 ? (left ? a : b) : emit_rir(s, op, a, fixed, b);
}

static struct wide shift(struct selection *s, LLVMOpcode op, struct wide a, uint32_t amount, uint32_t fixed) {
    bool left = op == LLVMShl;
    struct wide near, far;
    uint32_t n = fixed & 31u;
    bool needs_near = amount != NONE || fixed < 32, needs_far = amount != NONE || fixed >= 32;
    near = far = (struct wide){NONE, NONE};
    if (left) {
        if (needs_near) near.hi = funnel(s, true, a.hi, a.lo, amount, n);
        uint32_t low = shift_word(s, OP_SHL, a.lo, amount, n);
        near.lo = far.hi = low;
    } else {
        if (needs_near) near.lo = funnel(s, false, a.hi, a.lo, amount, n);
        uint32_t high = shift_word(s, op == LLVMLShr ? OP_SHR : OP_SAR, a.hi, amount, n);
        near.hi = far.lo = high;
        if (op == LLVMAShr && needs_far) far.hi = sign_of(s, a.hi);
    }
    if (!needs_far) return near;
    if (!needs_near) return far;
    struct predicate is_far = emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, amount, 32), 0);
    return select_pair(s, is_far, far, near);
}

static void select_shift(struct selection *s, LLVMValueRef i, LLVMOpcode op) {
    struct wide a = extended(s, LLVMGetOperand(i, 0), op == LLVMAShr);
    uint32_t fixed;
    bool known = constant_of(s, LLVMGetOperand(i, 1), &fixed);
    uint32_t amount = known ? NONE : reg_of(s, LLVMGetOperand(i, 1));
    // A register that is known to be zero.
    if (!known && amount == NONE) fixed = 0;
    define_wide(s, i, shift(s, op, a, amount, fixed & 63u));
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
    r.lo = funnel(s, left, x[1], x[0], amount, fixed & 31u);
    r.hi = funnel(s, left, x[2], x[1], amount, fixed & 31u);
    define_wide(s, i, r);
    return true;
}

// ---- comparisons ----

static struct predicate compare(struct selection *s, LLVMIntPredicate how, LLVMValueRef x, LLVMValueRef y) {
    bool is_signed = how == LLVMIntSLT || how == LLVMIntSLE || how == LLVMIntSGT || how == LLVMIntSGE;
    struct wide a = extended(s, x, is_signed), b = extended(s, y, is_signed);
    if (how == LLVMIntEQ || how == LLVMIntNE) {
        uint32_t differ = both_words(s, OP_OR, both_words(s, OP_XOR, a.lo, b.lo), both_words(s, OP_XOR, a.hi, b.hi));
        return emit_compare_imm(s, how == LLVMIntEQ ? CMP_EQ : CMP_NE, differ, 0);
    }
    // a < 0, a > -1: only the sign counts.
    uint64_t number;
    if (constant_wide(s, y, &number)) {
        if ((how == LLVMIntSLT && number == 0) || (how == LLVMIntSGT && number == UINT64_MAX))
            return emit_compare_imm(s, how == LLVMIntSLT ? CMP_LT : CMP_GE, a.hi, 0);
    }
    if (is_signed) {
        a.hi = emit_ri(s, OP_XOR, a.hi, 0x80000000u);
        b.hi = emit_ri(s, OP_XOR, b.hi, 0x80000000u);
    }
    bool swap = how == LLVMIntSGT || how == LLVMIntUGT || how == LLVMIntSLE || how == LLVMIntULE;
    struct predicate p = swap ? below(s, b, a) : below(s, a, b);
    p.negated = how == LLVMIntSLE || how == LLVMIntULE || how == LLVMIntSGE || how == LLVMIntUGE;
    return p;
}

// ---- casts and binary operations ----

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
            define_wide(s, i, add_or_subtract(s, true, a, b, NULL));
            return true;
        case LLVMSub: define_wide(s, i, add_or_subtract(s, false, a, b, NULL)); return true;
        case LLVMMul: define_wide(s, i, product(s, a, b)); return true;
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
        define_flag(s, i, compare(s, LLVMGetICmpPredicate(i), a, LLVMGetOperand(i, 1)));
        return true;
    }
    if (op == LLVMTrunc && width_at(a) > 32) {
        select_truncation(s, i);
        return true;
    }
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || width_at(i) <= 32) return false;
    switch (op) {
        case LLVMZExt: define_wide(s, i, extended(s, a, false)); return true;
        case LLVMSExt: define_wide(s, i, extended(s, a, true)); return true;
        case LLVMPtrToInt: define_wide(s, i, (struct wide){.lo = reg_of(s, a), .hi = NONE}); return true;
        case LLVMShl:
        case LLVMLShr:
        case LLVMAShr: select_shift(s, i, op); return true;
        default: return select_binary(s, i, op);
    }
}

// ---- intrinsics ----

static uint32_t one_operand(struct selection *s, uint8_t op, uint32_t from) {
    return emit_rr(s, op, NONE, from);
}

static void count_zeros(struct selection *s, LLVMValueRef i, bool leading) {
    struct wide a = extended(s, LLVMGetOperand(i, 0), false);
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
    struct predicate less = compare(s, is_signed ? LLVMIntSLT : LLVMIntULT, x, y);
    struct wide a = wide_of(s, x), b = wide_of(s, y);
    define_wide(s, i, maximum ? select_pair(s, less, b, a) : select_pair(s, less, a, b));
}

static void absolute(struct selection *s, LLVMValueRef i) {
    struct wide a = extended(s, LLVMGetOperand(i, 0), true), zero = {NONE, NONE};
    struct wide negated = add_or_subtract(s, false, zero, a, NULL);
    struct predicate negative = emit_compare_imm(s, CMP_LT, a.hi, 0);
    define_wide(s, i, select_pair(s, negative, negated, a));
}

// Bytes or bits in reverse order: the same for each word, the words change places, the rest is shifted down.
static void reverse(struct selection *s, LLVMValueRef i, bool bytes) {
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), r;
    r.lo = bytes ? emit_rir(s, OP_PRMT, a.hi, 0x0123, NONE) : one_operand(s, OP_BREV, a.hi);
    r.hi = bytes ? emit_rir(s, OP_PRMT, a.lo, 0x0123, NONE) : one_operand(s, OP_BREV, a.lo);
    if (width_at(i) < 64) r = shift(s, LLVMLShr, r, NONE, 64 - width_at(i));
    define_wide(s, i, r);
}

static bool saturate(struct selection *s, LLVMValueRef i, bool is_signed, bool add) {
    if (width_at(i) != 64) return false;
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), b = wide_of(s, LLVMGetOperand(i, 1)), most;
    if (!is_signed) {
        uint32_t carry;
        struct wide r = add_or_subtract(s, add, a, b, &carry);
        most.lo = most.hi = add ? emit_constant(s, 0xFFFFFFFFu) : NONE;
        define_wide(s, i, select_pair(s, (struct predicate){.reg = carry}, most, r));
        return true;
    }
    struct wide r = add_or_subtract(s, add, a, b, NULL);
    // The sign is wrong where both operands (of a difference: a and not b) have one and the result the other.
    uint32_t x = emit_rr(s, OP_XOR, a.hi, add ? r.hi : b.hi), y = emit_rr(s, OP_XOR, add ? b.hi : a.hi, r.hi);
    struct predicate over = emit_compare_imm(s, CMP_LT, emit_rr(s, OP_AND, x, y), 0);
    uint32_t sign = emit_ri(s, OP_SAR, a.hi, 31);
    most.lo = emit_ri(s, OP_XOR, sign, 0xFFFFFFFFu);
    most.hi = emit_ri(s, OP_XOR, sign, 0x7FFFFFFFu);
    define_wide(s, i, select_pair(s, over, most, r));
    return true;
}

// Sums and differences with a flag for what does not fit; products have none here.
static bool with_overflow(struct selection *s, LLVMValueRef i, const char *what) {
    bool is_signed = what[0] == 's', add = what[1] == 'a';
    if (what[1] == 'm' || width_at(LLVMGetOperand(i, 0)) != 64) return false;
    struct wide a = wide_of(s, LLVMGetOperand(i, 0)), b = wide_of(s, LLVMGetOperand(i, 1)), r;
    struct predicate over = {.reg = NONE};
    if (is_signed) {
        r = add_or_subtract(s, add, a, b, NULL);
        uint32_t x = emit_rr(s, OP_XOR, a.hi, add ? r.hi : b.hi), y = emit_rr(s, OP_XOR, add ? b.hi : a.hi, r.hi);
        over = emit_compare_imm(s, CMP_LT, emit_rr(s, OP_AND, x, y), 0);
    } else {
        r = add_or_subtract(s, add, a, b, &over.reg);
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
    struct predicate less = compare(s, is_signed ? LLVMIntSLT : LLVMIntULT, x, y);
    struct predicate greater = compare(s, is_signed ? LLVMIntSGT : LLVMIntUGT, x, y);
    uint32_t one = emit_select_imm(s, (struct predicate){greater.reg, !greater.negated}, NONE, 1);
    uint32_t result = emit_select_imm(s, (struct predicate){less.reg, !less.negated}, one, 0xFFFFFFFFu);
    if (width_at(i) > 32) {
        define_wide(s, i, (struct wide){.lo = result, .hi = sign_of(s, result)});
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
        *result = add_or_subtract(s, true, a, b, NULL);
    } else if (starts(operation, "mul.")) {
        *result = product(s, a, b);
    } else if (starts(operation, "and.") || starts(operation, "or.") || starts(operation, "xor.")) {
        uint8_t op = operation[0] == 'a' ? OP_AND : operation[0] == 'o' ? OP_OR : OP_XOR;
        *result = (struct wide){.lo = both_words(s, op, a.lo, b.lo), .hi = both_words(s, op, a.hi, b.hi)};
    } else if ((is_signed || operation[0] == 'u') && (least || most)) {
        struct predicate less = is_signed ? below(s, with_sign_turned(s, a), with_sign_turned(s, b)) : below(s, a, b);
        *result = least ? select_pair(s, less, a, b) : select_pair(s, less, b, a);
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
        struct wide bits = extended(s, a, false);
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
