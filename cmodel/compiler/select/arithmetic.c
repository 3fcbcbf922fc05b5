// Integer arithmetic, comparisons, selects, casts, and vectors taken apart into their elements.
#include "compiler/select/arithmetic.h"

#include "compiler/select/memory.h"
#include "compiler/select/values.h"
#include "gen/isa.h"

static uint32_t mask_of(unsigned width) {
    return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u;
}

static bool commutes(LLVMOpcode op) {
    return op == LLVMAdd || op == LLVMMul || op == LLVMAnd || op == LLVMOr || op == LLVMXor;
}

static uint8_t opcode_of(LLVMOpcode op) {
    switch (op) {
        case LLVMAdd: return OP_IADD;
        case LLVMSub: return OP_ISUB;
        case LLVMMul: return OP_IMUL;
        case LLVMAnd: return OP_AND;
        case LLVMOr: return OP_OR;
        case LLVMXor: return OP_XOR;
        case LLVMShl: return OP_SHL;
        case LLVMLShr: return OP_SHR;
        case LLVMAShr: return OP_SAR;
        default: return 0;
    }
}

static unsigned known_of(struct selection *s, LLVMValueRef v) {
    uint32_t number;
    if (constant_of(s, v, &number)) return KNOWN_ZEROS;
    return value_of(s, v)->known;
}

// What is known of the upper bits of the result: bitwise operations keep what both sides have, `and` also zeros of one
// side.
static unsigned known_after(struct selection *s, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b) {
    unsigned ka = known_of(s, a), kb = known_of(s, b);
    switch (op) {
        case LLVMAnd: return (ka & kb) | ((ka | kb) & KNOWN_ZEROS);
        case LLVMOr:
        case LLVMXor: return ka & kb;
        case LLVMLShr: return KNOWN_ZEROS;
        case LLVMAShr: return KNOWN_SIGN;
        default: return 0;
    }
}

static void select_flag_logic(struct selection *s, LLVMValueRef i, LLVMOpcode op) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    uint32_t number;
    if ((op == LLVMXor || op == LLVMAdd || op == LLVMSub) && constant_of(s, b, &number)) {
        struct predicate p = predicate_of(s, a);
        if ((number & 1u) != 0) p.negated = !p.negated;
        define_flag(s, i, p);
        return;
    }
    unsigned operation = op == LLVMAnd || op == LLVMMul ? 0 : op == LLVMOr ? 1 : 2;
    if (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) {
        define_flag(s, i, predicate_of(s, a));  // the only shift that is not poison is by 0
        return;
    }
    struct predicate pa = predicate_of(s, a);
    define_flag(s, i, emit_logic(s, operation, pa, predicate_of(s, b)));
}

// The shift instructions look at five bits of the amount, so a mask of those, which clang puts before every shift, says
// nothing new.
static LLVMValueRef without_mask(struct selection *s, LLVMValueRef amount) {
    uint32_t mask;
    if (!LLVMIsABinaryOperator(amount) || LLVMGetInstructionOpcode(amount) != LLVMAnd) return amount;
    return constant_of(s, LLVMGetOperand(amount, 1), &mask) && (mask & 31u) == 31u ? LLVMGetOperand(amount, 0) : amount;
}

static void select_binary(struct selection *s, LLVMValueRef i, LLVMOpcode op) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned width = width_of(LLVMTypeOf(i));
    bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
    uint32_t number;
    if (is_flag(i)) {
        select_flag_logic(s, i, op);
        return;
    }
    if (shift && width == 32) b = without_mask(s, b);
    unsigned known = known_after(s, op, a, b);
    if (constant_of(s, a, &number) && commutes(op)) {
        LLVMValueRef held = a;
        a = b;
        b = held;
    }
    uint32_t left = op == LLVMLShr ? reg_zeros(s, a) : op == LLVMAShr ? reg_sign(s, a) : reg_of(s, a);
    if (constant_of(s, b, &number)) {
        if (op == LLVMMul && number != 0 && (number & (number - 1)) == 0) {
            op = LLVMShl;
            number = (uint32_t)__builtin_ctz(number);
        }
        // The mask of an `and` leaves zeros above it.
        define(s, i, emit_ri(s, opcode_of(op), left, number), known);
        return;
    }
    uint32_t right = shift && width < 32 ? reg_zeros(s, b) : reg_of(s, b);
    define(s, i, emit_rr(s, opcode_of(op), left, right), known);
}

static unsigned comparison_of(LLVMIntPredicate predicate) {
    switch (predicate) {
        case LLVMIntEQ: return CMP_EQ;
        case LLVMIntNE: return CMP_NE;
        case LLVMIntSLT: return CMP_LT;
        case LLVMIntSLE: return CMP_LE;
        case LLVMIntSGT: return CMP_GT;
        case LLVMIntSGE: return CMP_GE;
        case LLVMIntULT: return CMP_ULT;
        case LLVMIntULE: return CMP_ULE;
        case LLVMIntUGT: return CMP_UGT;
        case LLVMIntUGE: return CMP_UGE;
    }
    return CMP_EQ;
}

static unsigned swapped(unsigned comparison) {
    static const uint8_t other[16] = {
        [CMP_EQ] = CMP_EQ, [CMP_NE] = CMP_NE,   [CMP_LT] = CMP_GT,   [CMP_LE] = CMP_GE,   [CMP_GT] = CMP_LT,
        [CMP_GE] = CMP_LE, [CMP_ULT] = CMP_UGT, [CMP_ULE] = CMP_UGE, [CMP_UGT] = CMP_ULT, [CMP_UGE] = CMP_ULE};
    return other[comparison];
}

// Comparisons of flags, as logic: with a and b being 0 or 1 (signed: 0 or -1, which turns the order round).
static struct predicate compare_flags(struct selection *s, unsigned comparison, LLVMValueRef x, LLVMValueRef y) {
    struct predicate a = predicate_of(s, x), b = predicate_of(s, y);
    struct predicate not_a = {a.reg, !a.negated}, not_b = {b.reg, !b.negated};
    switch (comparison) {
        case CMP_EQ: return emit_logic(s, 2, a, not_b);
        case CMP_NE: return emit_logic(s, 2, a, b);
        case CMP_ULT:
        case CMP_GT: return emit_logic(s, 0, not_a, b);
        case CMP_ULE:
        case CMP_GE: return emit_logic(s, 1, not_a, b);
        case CMP_UGT:
        case CMP_LT: return emit_logic(s, 0, a, not_b);
        default: return emit_logic(s, 1, a, not_b);
    }
}

static void select_compare(struct selection *s, LLVMValueRef i) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned comparison = comparison_of(LLVMGetICmpPredicate(i)), width = width_of(LLVMTypeOf(a));
    uint32_t number;
    if (is_flag(a)) {
        define_flag(s, i, compare_flags(s, comparison, a, b));
        return;
    }
    if (constant_of(s, a, &number) && !constant_of(s, b, &number)) {
        LLVMValueRef held = a;
        a = b;
        b = held;
        comparison = swapped(comparison);
    }
    bool by_sign = comparison >= CMP_LT && comparison <= CMP_GE;
    // Equality needs the same extension on both sides, whichever they have already.
    if ((comparison == CMP_EQ || comparison == CMP_NE) && width < 32 && !LLVMIsConstant(a))
        by_sign = (known_of(s, a) & KNOWN_ZEROS) == 0 && (known_of(s, a) & KNOWN_SIGN) != 0;
    uint32_t left = by_sign ? reg_sign(s, a) : reg_zeros(s, a);
    if (constant_of(s, b, &number)) {
        uint32_t sign = width < 32 ? 1u << (width - 1) : 0;
        if (by_sign) number = (number ^ sign) - sign;
        define_flag(s, i, emit_compare_imm(s, comparison, left, number));
        return;
    }
    define_flag(s, i, emit_compare(s, comparison, left, by_sign ? reg_sign(s, b) : reg_zeros(s, b)));
}

// Of flags. && and || come as selects with a constant: one operation.
static struct predicate select_flag(struct selection *s, struct predicate p, LLVMValueRef a, LLVMValueRef b) {
    enum { AND, OR };
    const struct predicate not_p = {p.reg, !p.negated};
    if (LLVMIsAConstantInt(a) != NULL)
        return LLVMConstIntGetZExtValue(a) != 0 ? emit_logic(s, OR, p, predicate_of(s, b))
                                                : emit_logic(s, AND, not_p, predicate_of(s, b));
    if (LLVMIsAConstantInt(b) != NULL)
        return LLVMConstIntGetZExtValue(b) != 0 ? emit_logic(s, OR, not_p, predicate_of(s, a))
                                                : emit_logic(s, AND, p, predicate_of(s, a));
    const struct predicate yes = emit_logic(s, AND, p, predicate_of(s, a));
    return emit_logic(s, OR, yes, emit_logic(s, AND, not_p, predicate_of(s, b)));
}

static void select_select(struct selection *s, LLVMValueRef i) {
    LLVMValueRef condition = LLVMGetOperand(i, 0), a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2);
    if (part_count(LLVMTypeOf(condition)) > 1) {
        unsupported(s, "a select by a vector is not supported");
        return;
    }
    struct predicate p = predicate_of(s, condition), not_p = {p.reg, !p.negated};
    if (is_flag(i)) {
        define_flag(s, i, select_flag(s, p, a, b));
        return;
    }
    struct value *value = value_of(s, i);
    unsigned count = value->count;
    uint32_t number;
    if (count == 1) value->known = (uint8_t)(known_of(s, a) & known_of(s, b));
    for (unsigned k = 0; k < count; k++) {
        if (count == 1 && constant_of(s, b, &number)) {
            value->parts[k] = emit_select_imm(s, p, reg_of(s, a), number);
        } else if (count == 1 && constant_of(s, a, &number)) {
            value->parts[k] = emit_select_imm(s, not_p, reg_of(s, b), number);
        } else {
            uint32_t left = part_of(s, a, k);
            value->parts[k] = emit_select(s, p, left, part_of(s, b, k));
        }
    }
}

static bool select_cast(struct selection *s, LLVMValueRef i, LLVMOpcode op) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned width = width_of(LLVMTypeOf(i));
    switch (op) {
        case LLVMZExt: define(s, i, reg_zeros(s, from), KNOWN_ZEROS); return true;
        case LLVMSExt: define(s, i, reg_sign(s, from), KNOWN_SIGN); return true;
        case LLVMTrunc:
            if (width == 1) {
                define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, reg_of(s, from), 1), 0));
            } else {
                define(s, i, reg_of(s, from), 0);
            }
            return true;
        case LLVMPtrToInt: define(s, i, reg_of(s, from), 0); return true;
        case LLVMIntToPtr: define(s, i, reg_zeros(s, from), 0); return true;
        case LLVMAddrSpaceCast: select_space_cast(s, i); return true;
        case LLVMFreeze: {
            if (is_flag(i)) {
                define_flag(s, i, predicate_of(s, from));
                return true;
            }
            struct value *value = value_of(s, i);
            for (unsigned k = 0; k < value->count; k++)
                value->parts[k] = part_of(s, from, k);
            return true;
        }
        default: return false;
    }
}

// Bits of one row of elements into another of the same size: <4 x i8> to i32, <2 x i16> to <4 x i8>, ..
static void select_bitcast(struct selection *s, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned from_width = width_of(LLVMTypeOf(from)), to_width = width_of(LLVMTypeOf(i));
    struct value *value = value_of(s, i);
    if (from_width == 64) from_width = 32;  // two words, in their order
    if (to_width == 64) to_width = 32;
    if (from_width == to_width) {
        for (unsigned k = 0; k < value->count; k++)
            value->parts[k] = part_of(s, from, k);
        return;
    }
    // Rows of words, halves, bytes or flags.
    if (from_width % to_width != 0 && to_width % from_width != 0) {
        unsupported(s, "a bitcast between elements of %u and %u bits is not supported", from_width, to_width);
        return;
    }
    for (unsigned k = 0; k < value->count; k++) {
        if (from_width > to_width) {
            unsigned ratio = from_width / to_width, at = k % ratio * to_width;
            uint32_t whole = part_of(s, from, k / ratio);
            value->parts[k] = at == 0 ? whole : emit_ri(s, OP_SHR, whole, at);
            if (to_width == 1) value->parts[k] = emit_ri(s, OP_AND, value->parts[k], 1);
            continue;
        }
        unsigned ratio = to_width / from_width;
        uint32_t whole = NONE;
        for (unsigned p = 0; p < ratio && k * ratio + p < part_count(LLVMTypeOf(from)); p++) {
            uint32_t piece = emit_ri(s, OP_AND, part_of(s, from, k * ratio + p), mask_of(from_width));
            if (p > 0) piece = emit_ri(s, OP_SHL, piece, p * from_width);
            whole = p == 0 ? piece : emit_rr(s, OP_OR, whole, piece);
        }
        value->parts[k] = whole;
        value->known = KNOWN_ZEROS;
    }
}

static void select_insert(struct selection *s, LLVMValueRef i) {
    LLVMValueRef vector = LLVMGetOperand(i, 0), element = LLVMGetOperand(i, 1), index = LLVMGetOperand(i, 2);
    struct value *value = value_of(s, i);
    uint32_t number;
    bool fixed = constant_of(s, index, &number);
    unsigned words = word_count(LLVMTypeOf(i));
    uint32_t fresh[2] = {part_of(s, element, 0), words > 1 ? part_of(s, element, 1) : NONE};
    uint32_t at = fixed ? NONE : reg_zeros(s, index);
    for (unsigned k = 0; k < value->count; k++) {
        if (fixed) {
            value->parts[k] = k / words == number ? fresh[k % words] : part_of(s, vector, k);
        } else {
            struct predicate here = emit_compare_imm(s, CMP_EQ, at, k / words);
            value->parts[k] = emit_select(s, here, fresh[k % words], part_of(s, vector, k));
        }
    }
}

static void select_extract(struct selection *s, LLVMValueRef i) {
    LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    unsigned count = part_count(LLVMTypeOf(vector)), words = word_count(LLVMTypeOf(i));
    struct value *value = value_of(s, i);
    uint32_t number, result = NONE;
    bool fixed = constant_of(s, index, &number);
    if (!fixed || number >= count) number = 0;
    uint32_t at = fixed ? NONE : reg_zeros(s, index);
    for (unsigned w = 0; w < words; w++) {
        result = part_of(s, vector, number * words + w);
        for (unsigned k = 1; k < count && !fixed; k++) {
            struct predicate here = emit_compare_imm(s, CMP_EQ, at, k);
            result = emit_select(s, here, part_of(s, vector, k * words + w), result);
        }
        if (!is_flag(i)) value->parts[w] = result;
    }
    if (LLVMIsAInstruction(vector) != NULL) value->known = value_of(s, vector)->known;
    if (is_flag(i)) define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, result, 1), 0));
}

static void select_shuffle(struct selection *s, LLVMValueRef i) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    unsigned count = part_count(LLVMTypeOf(a)), words = word_count(LLVMTypeOf(a));
    struct value *value = value_of(s, i);
    for (unsigned k = 0; k < value->count; k++) {
        int from = LLVMGetMaskValue(i, k / words);
        if (from < 0) {
            value->parts[k] = NONE;
        } else {
            bool first = (unsigned)from < count;
            unsigned element = first ? (unsigned)from : (unsigned)from - count;
            value->parts[k] = part_of(s, first ? a : b, element * words + k % words);
        }
    }
}

static void select_extract_value(struct selection *s, LLVMValueRef i) {
    struct value *pair = value_of(s, LLVMGetOperand(i, 0));
    if (LLVMGetNumIndices(i) != 1 || pair->overflow == NULL) {
        unsupported(s, "a structure as a value is not supported");
        return;
    }
    if (LLVMGetIndices(i)[0] == 0) {
        struct value *result = value_of(s, i);
        for (unsigned k = 0; k < result->count && k < pair->count; k++)
            result->parts[k] = pair->parts[k];
        result->known = pair->known;
        return;
    }
    struct value *flag = pair->overflow;
    if (flag->predicate_stretch == s->stretch) {
        define_flag(s, i, flag->predicate);
    } else {
        define_flag(s, i, emit_compare_imm(s, CMP_NE, flag->parts[0], 0));
    }
}

// Arithmetic on whole vectors is taken apart before selection; this catches what was made afterwards.
static bool is_vector_operation(LLVMValueRef i, LLVMOpcode op) {
    if (op == LLVMExtractElement || op == LLVMInsertElement || op == LLVMShuffleVector || op == LLVMBitCast ||
        op == LLVMSelect || op == LLVMFreeze)
        return false;
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind;
}

bool select_arithmetic(struct selection *s, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (opcode_of(op) != 0) {
        if (is_vector_operation(i, op)) return false;
        select_binary(s, i, op);
        return true;
    }
    switch (op) {
        case LLVMICmp:
            if (is_vector_operation(i, op)) return false;
            select_compare(s, i);
            return true;
        case LLVMSelect: select_select(s, i); return true;
        case LLVMBitCast: select_bitcast(s, i); return true;
        case LLVMInsertElement: select_insert(s, i); return true;
        case LLVMExtractElement: select_extract(s, i); return true;
        case LLVMShuffleVector: select_shuffle(s, i); return true;
        case LLVMExtractValue: select_extract_value(s, i); return true;
        default: return !is_vector_operation(i, op) && select_cast(s, i, op);
    }
}
