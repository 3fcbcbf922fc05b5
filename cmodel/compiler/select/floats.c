// Single precision: arithmetic, comparisons, conversions to and from integers of up to 32 bits, and what is done on the
// bits (sign, class). What has no instruction has become calls of the library before (library_operations.c).
#include "compiler/select/floats.h"

#include <string.h>

#include "compiler/base/text.h"
#include "compiler/ir/names.h"
#include "compiler/select/values.h"
#include "gen/isa.h"

#define SIGN 0x80000000u
#define INFINITE 0x7F800000u
#define QUIET 0x7FC00000u

static bool is_float(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMFloatTypeKind;
}

static unsigned width_at(LLVMValueRef v) {
    return width_of(LLVMTypeOf(v));
}

static uint32_t flip_sign(struct selection *s, uint32_t reg) {
    return emit_ri(s, OP_XOR, reg, SIGN);
}

// Operations with two operands of which either may be a constant.
static uint32_t either_way(struct selection *s, uint8_t op, LLVMValueRef a, LLVMValueRef b) {
    uint32_t number;
    if (constant_of(s, a, &number)) {
        LLVMValueRef held = a;
        a = b;
        b = held;
    }
    uint32_t left = reg_of(s, a);
    return constant_of(s, b, &number) ? emit_ri(s, op, left, number) : emit_rr(s, op, left, reg_of(s, b));
}

static void subtract(struct selection *s, LLVMValueRef i) {
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    uint32_t number;
    if (constant_of(s, b, &number)) {
        define(s, i, emit_ri(s, OP_FADD, reg_of(s, a), number ^ SIGN), 0);
        return;
    }
    uint32_t negated = flip_sign(s, reg_of(s, b));
    define(
        s, i,
        constant_of(s, a, &number) ? emit_ri(s, OP_FADD, negated, number) : emit_rr(s, OP_FADD, reg_of(s, a), negated),
        0);
}

static unsigned swapped(unsigned comparison) {
    return (comparison & 9u) | (comparison & 2u) << 1 | (comparison & 4u) >> 1;
}

static struct predicate emit_float_compare(struct selection *s, unsigned comparison, LLVMValueRef a, LLVMValueRef b) {
    uint32_t number;
    if (constant_of(s, a, &number) && !constant_of(s, b, &number)) {
        LLVMValueRef held = a;
        a = b;
        b = held;
        comparison = swapped(comparison);
    }
    bool immediate = constant_of(s, b, &number);
    struct machine_instruction compare = make(immediate ? OP_FSETP_I : OP_FSETP);
    compare.mod = (uint8_t)comparison;
    compare.src[0] = reg_of(s, a);
    if (immediate) {
        compare.imm = number;
    } else {
        compare.src[1] = reg_of(s, b);
    }
    compare.dst = new_register(s->function, CLASS_PREDICATE);
    emit(s, compare);
    return (struct predicate){.reg = compare.dst};
}

// ---- conversions ----

static uint32_t from_integer(struct selection *s, LLVMValueRef v, bool is_signed) {
    uint32_t reg = is_signed ? reg_sign(s, v) : reg_zeros(s, v);
    return emit_mod(s, OP_I2F, is_signed ? CVT_RTE : CVT_URTE, reg);
}

// saturate: to the nearest number of the width, NaN to 0; else whatever does not fit may become anything.
static void to_integer(struct selection *s, LLVMValueRef i, bool is_signed, bool saturate) {
    unsigned width = width_at(i);
    uint32_t result = emit_mod(s, OP_F2I, is_signed ? CVT_RTZ : CVT_URTZ, reg_of(s, LLVMGetOperand(i, 0)));
    if (saturate && width < 32) {
        uint32_t most = is_signed ? (1u << (width - 1)) - 1u : (1u << width) - 1u;
        result = emit_ri(s, is_signed ? OP_IMIN : OP_UMIN, result, most);
        if (is_signed) result = emit_ri(s, OP_IMAX, result, ~most);
    }
    if (width == 1) {
        define_flag(s, i, emit_compare_imm(s, CMP_NE, emit_ri(s, OP_AND, result, 1), 0));
    } else {
        define(s, i, result, saturate || width == 32 ? (is_signed ? KNOWN_SIGN : KNOWN_ZEROS) : 0);
    }
}

// ---- classes ----

// llvm.is.fpclass: a bit each for NaNs (signaling, quiet), -infinity, -normal, -subnormal, -0, +0, +subnormal, +normal,
// +infinity.
static void select_class(struct selection *s, LLVMValueRef i) {
    static const struct {
        unsigned negative, positive;  // bits of the mask; of the NaNs, the same one
        uint32_t first, count;        // magnitudes of the class
    } classes[] = {
        {1u << 0, 1u << 0, INFINITE + 1u, QUIET - INFINITE - 1u},
        {1u << 1, 1u << 1, QUIET, SIGN - QUIET},
        {1u << 2, 1u << 9, INFINITE, 1},
        {1u << 3, 1u << 8, 0x00800000u, INFINITE - 0x00800000u},
        {1u << 4, 1u << 7, 1, 0x007FFFFFu},
        {1u << 5, 1u << 6, 0, 1},
    };
    uint32_t mask, x = reg_of(s, LLVMGetOperand(i, 0)), magnitude = NONE;
    if (!constant_of(s, LLVMGetOperand(i, 1), &mask)) mask = 0;
    struct predicate all = {.reg = NONE, .negated = true};
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        bool negative = (mask & classes[k].negative) != 0, positive = (mask & classes[k].positive) != 0;
        if (!negative && !positive) continue;
        uint32_t first = classes[k].first, count = classes[k].count;
        // Classes whose magnitudes follow each other are one question.
        while (k + 1 < sizeof classes / sizeof *classes && ((mask & classes[k + 1].negative) != 0) == negative &&
               ((mask & classes[k + 1].positive) != 0) == positive &&
               (classes[k + 1].first + classes[k + 1].count == first || first + count == classes[k + 1].first)) {
            k++;
            if (classes[k].first < first) first = classes[k].first;
            count += classes[k].count;
        }
        uint32_t from = x;
        if (negative && positive) {
            if (magnitude == NONE) magnitude = emit_ri(s, OP_AND, x, ~SIGN);
            from = magnitude;
        } else if (negative) {
            first |= SIGN;
        }
        struct predicate is =
            count == 1 ? emit_compare_imm(s, CMP_EQ, from, first)
                       : emit_compare_imm(s, CMP_ULT, first == 0 ? from : emit_ri(s, OP_ISUB, from, first), count);
        all = all.reg == NONE ? is : emit_logic(s, 1, all, is);
    }
    define_flag(s, i, all);
}

// ---- dispatch ----

bool select_float(struct selection *s, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) return false;
    if ((op == LLVMFAdd || op == LLVMFMul || op == LLVMFSub || op == LLVMFNeg) && !is_float(i)) return false;
    if (op == LLVMFCmp && !is_float(LLVMGetOperand(i, 0))) return false;
    switch (op) {
        case LLVMFAdd: define(s, i, either_way(s, OP_FADD, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)), 0); return true;
        case LLVMFMul: define(s, i, either_way(s, OP_FMUL, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)), 0); return true;
        case LLVMFSub: subtract(s, i); return true;
        case LLVMFNeg: define(s, i, flip_sign(s, reg_of(s, LLVMGetOperand(i, 0))), 0); return true;
        case LLVMFCmp: {
            unsigned comparison = (unsigned)LLVMGetFCmpPredicate(i);
            if (comparison == FCMP_FALSE || comparison == FCMP_TRUE) {
                define_flag(s, i, (struct predicate){.reg = NONE, .negated = comparison == FCMP_FALSE});
            } else {
                define_flag(s, i, emit_float_compare(s, comparison, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)));
            }
            return true;
        }
        case LLVMSIToFP:
        case LLVMUIToFP:
            if (!is_float(i) || width_at(LLVMGetOperand(i, 0)) > 32) return false;
            define(s, i, from_integer(s, LLVMGetOperand(i, 0), op == LLVMSIToFP), 0);
            return true;
        case LLVMFPToSI:
        case LLVMFPToUI:
            if (!is_float(LLVMGetOperand(i, 0)) || width_at(i) > 32) return false;
            to_integer(s, i, op == LLVMFPToSI, false);
            return true;
        default: return false;
    }
}

bool select_float_intrinsic(struct selection *s, LLVMValueRef i, const char *what) {
    static const struct {
        const char *name;
        unsigned rounding;
    } roundings[] = {
        {"floor.f32", ROUND_RTN}, {"ceil.f32", ROUND_RTP},      {"trunc.f32", ROUND_RTZ},
        {"rint.f32", ROUND_RTE},  {"nearbyint.f32", ROUND_RTE}, {"roundeven.f32", ROUND_RTE},
    };
    if (LLVMGetNumArgOperands(i) == 0) return false;
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, LLVMGetNumArgOperands(i) > 1 ? 1 : 0);
    if (!is_float(a)) return false;
    for (size_t k = 0; k < sizeof roundings / sizeof *roundings; k++) {
        if (strcmp(what, roundings[k].name) != 0) continue;
        define(s, i, emit_mod(s, OP_FRND, roundings[k].rounding, reg_of(s, a)), 0);
        return true;
    }
    if (starts(what, "fma.") || starts(what, "fmuladd.")) {
        uint32_t ra = reg_of(s, a), rb = reg_of(s, b);
        define(s, i, emit_rrr(s, OP_FFMA, ra, rb, reg_of(s, LLVMGetOperand(i, 2))), 0);
    } else if (starts(what, "fabs.")) {
        define(s, i, emit_ri(s, OP_AND, reg_of(s, a), ~SIGN), 0);
    } else if (starts(what, "copysign.")) {
        uint32_t magnitude = reg_of(s, a);
        define(s, i, emit_rir(s, OP_BFI, magnitude, 31u << 8, reg_of(s, b)), 0);
    } else if (starts(what, "minnum.")) {
        define(s, i, either_way(s, OP_FMIN, a, b), 0);
    } else if (starts(what, "maxnum.")) {
        define(s, i, either_way(s, OP_FMAX, a, b), 0);
    } else if (starts(what, "canonicalize.") || starts(what, "arithmetic.fence.")) {
        define(s, i, reg_of(s, a), 0);
    } else if (starts(what, "fptosi.sat.") && width_at(i) <= 32) {
        to_integer(s, i, true, true);
    } else if (starts(what, "fptoui.sat.") && width_at(i) <= 32) {
        to_integer(s, i, false, true);
    } else if (starts(what, "is.fpclass.")) {
        select_class(s, i);
    } else if (starts(what, "exp2.")) {
        define(s, i, emit_mod(s, OP_FEX2, 0, reg_of(s, a)), 0);
    } else if (starts(what, "log2.")) {
        define(s, i, emit_mod(s, OP_FLG2, 0, reg_of(s, a)), 0);
    } else {
        return false;
    }
    return true;
}

bool select_float_own(struct selection *s, LLVMValueRef i, const char *name) {
    const struct instruction_name *own = find_instruction_name(name);
    if (own == NULL) return false;
    define(s, i, emit_mod(s, own->op, own->mod, reg_of(s, LLVMGetOperand(i, 0))), 0);
    return true;
}
