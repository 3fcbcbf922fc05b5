// Operations on pairs of registers: see wide_parts.h.
#include "compiler/select/wide_parts.h"

#include "gen/isa.h"

struct wide wide_of(struct selection *s, LLVMValueRef v) {
    struct wide w = {.lo = part_of(s, v, 0)};
    w.hi = part_of(s, v, 1);
    return w;
}

void define_wide(struct selection *s, LLVMValueRef v, struct wide w) {
    struct value *value = value_of(s, v);
    value->parts[0] = w.lo;
    value->parts[1] = w.hi;
}

uint32_t word_sign(struct selection *s, uint32_t word) {
    return word == NONE ? NONE : emit_ri(s, OP_SAR, word, 31);
}

// Any integer as 64 bits.
struct wide wide_extended(struct selection *s, LLVMValueRef v, bool is_signed) {
    unsigned width = width_of(LLVMTypeOf(v));
    if (width <= 32) {
        uint32_t lo = is_signed ? reg_sign(s, v) : reg_zeros(s, v);
        return (struct wide){.lo = lo, .hi = is_signed ? word_sign(s, lo) : NONE};
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
struct wide wide_sum(struct selection *s, bool add, struct wide a, struct wide b, uint32_t *carry) {
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

struct predicate wide_below(struct selection *s, struct wide a, struct wide b) {
    uint32_t between, result;
    emit_carry(s, OP_ISUBO, a.lo, b.lo, NONE, &between, false);
    emit_carry(s, OP_ISUBC, a.hi, b.hi, between, &result, false);
    return (struct predicate){.reg = result};
}

struct wide wide_select(struct selection *s, struct predicate p, struct wide a, struct wide b) {
    struct wide r;
    r.lo = a.lo == b.lo ? a.lo : emit_select(s, p, a.lo, b.lo);
    r.hi = a.hi == b.hi ? a.hi : emit_select(s, p, a.hi, b.hi);
    return r;
}

struct wide wide_product(struct selection *s, struct wide a, struct wide b) {
    struct wide r = {NONE, NONE};
    if (a.lo != NONE && b.hi != NONE) r.hi = emit_rr(s, OP_IMUL, a.lo, b.hi);
    if (a.hi != NONE && b.lo != NONE)
        r.hi = r.hi == NONE ? emit_rr(s, OP_IMUL, a.hi, b.lo) : emit_rrr(s, OP_IMAD, a.hi, b.lo, r.hi);
    if (a.lo == NONE || b.lo == NONE) return r;
    r.hi = r.hi == NONE ? emit_rr(s, OP_UMULHI, a.lo, b.lo) : emit_rrr(s, OP_UMADHI, a.lo, b.lo, r.hi);
    r.lo = emit_rr(s, OP_IMUL, a.lo, b.lo);
    return r;
}

uint32_t both_words(struct selection *s, uint8_t op, uint32_t a, uint32_t b) {
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
uint32_t funnel_word(struct selection *s, bool left, uint32_t a, uint32_t b, uint32_t amount, uint32_t fixed) {
    if (a == NONE && b == NONE) return NONE;
    uint8_t op = left ? OP_FSHL : OP_FSHR;
    if (amount != NONE) return emit_rrr(s, op, a, amount, b);
    return fixed == 0 ? (left ? a : b) : emit_rir(s, op, a, fixed, b);
}

struct wide wide_shift(struct selection *s, LLVMOpcode op, struct wide a, uint32_t amount, uint32_t fixed) {
    bool left = op == LLVMShl;
    struct wide near, far;
    uint32_t n = fixed & 31u;
    bool needs_near = amount != NONE || fixed < 32, needs_far = amount != NONE || fixed >= 32;
    near = far = (struct wide){NONE, NONE};
    if (left) {
        if (needs_near) near.hi = funnel_word(s, true, a.hi, a.lo, amount, n);
        uint32_t low = shift_word(s, OP_SHL, a.lo, amount, n);
        near.lo = far.hi = low;
    } else {
        if (needs_near) near.lo = funnel_word(s, false, a.hi, a.lo, amount, n);
        uint32_t high = shift_word(s, op == LLVMLShr ? OP_SHR : OP_SAR, a.hi, amount, n);
        near.hi = far.lo = high;
        if (op == LLVMAShr && needs_far) far.hi = word_sign(s, a.hi);
    }
    if (!needs_far) return near;
    if (!needs_near) return far;
    struct predicate is_far = emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, amount, 32), 0);
    return wide_select(s, is_far, far, near);
}

struct predicate wide_compare(struct selection *s, LLVMIntPredicate how, LLVMValueRef x, LLVMValueRef y) {
    bool is_signed = how == LLVMIntSLT || how == LLVMIntSLE || how == LLVMIntSGT || how == LLVMIntSGE;
    struct wide a = wide_extended(s, x, is_signed), b = wide_extended(s, y, is_signed);
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
    struct predicate p = swap ? wide_below(s, b, a) : wide_below(s, a, b);
    p.negated = how == LLVMIntSLE || how == LLVMIntULE || how == LLVMIntSGE || how == LLVMIntUGE;
    return p;
}
