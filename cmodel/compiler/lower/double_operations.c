// Arithmetic of 64 and of 16 bits, as library_operations.c does with what single precision lacks. To the device library
// a double is a 64-bit integer; a half is a float while it is worked on, which has enough bits for one rounding more to
// change nothing (24 >= 2 * 11 + 2), but for fma.
#include "compiler/lower/double_operations.h"

#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/ir/names.h"
#include "compiler/ir/replace.h"

enum { NAME_SIZE = 64, OPERANDS_MAX = 3 };

struct lowering {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef half_bits, word, wide, single, half, flag;
    bool any;
};

static bool is_double(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool is_half(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

static bool is_single(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

static unsigned integer_width(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

// ---- calls ----

static LLVMValueRef call(struct lowering *l, const char *name, LLVMTypeRef result, LLVMValueRef *arguments,
                         unsigned count) {
    LLVMTypeRef types[OPERANDS_MAX];
    for (unsigned k = 0; k < count; k++)
        types[k] = LLVMTypeOf(arguments[k]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef f = LLVMGetNamedFunction(l->module->module, name);
    if (f == NULL) f = LLVMAddFunction(l->module->module, name, type);
    l->any = true;
    return LLVMBuildCall2(l->b, type, f, arguments, count, "");
}

static LLVMValueRef call_1(struct lowering *l, const char *name, LLVMTypeRef result, LLVMValueRef x) {
    return call(l, name, result, &x, 1);
}

static LLVMValueRef bits_of(struct lowering *l, LLVMValueRef x) {
    return LLVMBuildBitCast(l->b, x, is_double(LLVMTypeOf(x)) ? l->wide : l->half_bits, "");
}

static LLVMValueRef double_call(struct lowering *l, const char *name, LLVMTypeRef result, LLVMValueRef i,
                                unsigned count) {
    LLVMValueRef arguments[OPERANDS_MAX];
    for (unsigned k = 0; k < count; k++) {
        arguments[k] = LLVMGetOperand(i, k);
        if (is_double(LLVMTypeOf(arguments[k]))) arguments[k] = bits_of(l, arguments[k]);
    }
    return call(l, name, result, arguments, count);
}

// The same with a double as the result.
static LLVMValueRef double_of(struct lowering *l, const char *name, LLVMValueRef i, unsigned count) {
    return LLVMBuildBitCast(l->b, double_call(l, name, l->wide, i, count), LLVMTypeOf(i), "");
}

// The float whose nearest half this is; NULL: it is none that was just made of a float.
static LLVMValueRef narrowed_from(LLVMValueRef half) {
    if (LLVMIsAFPTruncInst(half) && is_single(LLVMTypeOf(LLVMGetOperand(half, 0)))) return LLVMGetOperand(half, 0);
    if (!LLVMIsABitCastInst(half)) return NULL;
    LLVMValueRef call = LLVMGetOperand(half, 0);
    LLVMValueRef f = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
    return f != NULL && strcmp(name_of(f), "tandem_float_to_half") == 0 ? LLVMGetOperand(call, 0) : NULL;
}

static LLVMValueRef widened(struct lowering *l, LLVMValueRef half) {
    LLVMValueRef single = narrowed_from(half);
    if (single != NULL) return call_1(l, "tandem_float_as_half", l->single, single);
    return call_1(l, "tandem_half_to_float", l->single, bits_of(l, half));
}

static LLVMValueRef narrowed(struct lowering *l, LLVMValueRef single) {
    return LLVMBuildBitCast(l->b, call_1(l, "tandem_float_to_half", l->half_bits, single), l->half, "");
}

// ---- arithmetic ----

// The sign's place in the bits.
static uint64_t sign_of(LLVMTypeRef bits) {
    return integer_width(bits) == 64 ? UINT64_C(1) << 63 : UINT64_C(1) << 15;
}

static LLVMValueRef negated(struct lowering *l, LLVMValueRef bits) {
    return LLVMBuildXor(l->b, bits, LLVMConstInt(LLVMTypeOf(bits), sign_of(LLVMTypeOf(bits)), 0), "");
}

static LLVMValueRef binary(struct lowering *l, LLVMValueRef i) {
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    if (is_half(LLVMTypeOf(i))) return narrowed(l, LLVMBuildBinOp(l->b, op, widened(l, x), widened(l, y), ""));
    if (!is_double(LLVMTypeOf(i))) return NULL;
    LLVMValueRef operands[2] = {bits_of(l, x), bits_of(l, y)};
    const char *name = op == LLVMFMul   ? "tandem_double_multiply"
                       : op == LLVMFDiv ? "tandem_double_divide"
                       : op == LLVMFRem ? "tandem_double_modulo"
                                        : "tandem_double_add";
    if (op == LLVMFSub) operands[1] = negated(l, operands[1]);
    return LLVMBuildBitCast(l->b, call(l, name, l->wide, operands, 2), LLVMTypeOf(i), "");
}

static LLVMValueRef ask(struct lowering *l, const char *name, LLVMValueRef x, LLVMValueRef y) {
    return call(l, name, l->flag, (LLVMValueRef[2]){x, y}, 2);
}

static LLVMValueRef compare(struct lowering *l, LLVMValueRef i) {
    static const char less[] = "tandem_double_less", not_above[] = "tandem_double_not_above";
    static const char equal[] = "tandem_double_equal", unordered[] = "tandem_double_unordered";
    const LLVMRealPredicate how = LLVMGetFCmpPredicate(i);
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    if (is_half(LLVMTypeOf(x))) return LLVMBuildFCmp(l->b, how, widened(l, x), widened(l, y), "");
    if (!is_double(LLVMTypeOf(x))) return NULL;
    x = bits_of(l, x);
    y = bits_of(l, y);
    switch (how) {
        case LLVMRealPredicateFalse: return LLVMConstInt(l->flag, 0, 0);
        case LLVMRealPredicateTrue: return LLVMConstInt(l->flag, 1, 0);
        case LLVMRealOEQ: return ask(l, equal, x, y);
        case LLVMRealUNE: return LLVMBuildNot(l->b, ask(l, equal, x, y), "");
        case LLVMRealOLT: return ask(l, less, x, y);
        case LLVMRealOGT: return ask(l, less, y, x);
        case LLVMRealOLE: return ask(l, not_above, x, y);
        case LLVMRealOGE: return ask(l, not_above, y, x);
        case LLVMRealUGE: return LLVMBuildNot(l->b, ask(l, less, x, y), "");
        case LLVMRealULE: return LLVMBuildNot(l->b, ask(l, less, y, x), "");
        case LLVMRealUGT: return LLVMBuildNot(l->b, ask(l, not_above, x, y), "");
        case LLVMRealULT: return LLVMBuildNot(l->b, ask(l, not_above, y, x), "");
        case LLVMRealUNO: return ask(l, unordered, x, y);
        case LLVMRealORD: return LLVMBuildNot(l->b, ask(l, unordered, x, y), "");
        case LLVMRealUEQ: return LLVMBuildOr(l->b, ask(l, equal, x, y), ask(l, unordered, x, y), "");
        case LLVMRealONE:
            return LLVMBuildNot(l->b, LLVMBuildOr(l->b, ask(l, equal, x, y), ask(l, unordered, x, y), ""), "");
    }
    return NULL;
}

// ---- conversions ----

static LLVMValueRef extend(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (is_half(LLVMTypeOf(from)) && is_single(LLVMTypeOf(i)) && narrowed_from(from) != NULL) return widened(l, from);
    if (!is_double(LLVMTypeOf(i))) return NULL;  // other halfs to floats: library_operations.c
    if (is_half(LLVMTypeOf(from))) from = widened(l, from);
    return is_single(LLVMTypeOf(from))
               ? LLVMBuildBitCast(l->b, call_1(l, "tandem_float_to_double", l->wide, from), LLVMTypeOf(i), "")
               : NULL;
}

static LLVMValueRef truncate(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (!is_double(LLVMTypeOf(from))) return NULL;
    if (is_single(LLVMTypeOf(i))) return call_1(l, "tandem_double_to_float", l->single, bits_of(l, from));
    if (!is_half(LLVMTypeOf(i))) return NULL;
    return LLVMBuildBitCast(l->b, call_1(l, "tandem_double_to_half", l->half_bits, bits_of(l, from)), l->half, "");
}

static LLVMValueRef from_integer(struct lowering *l, LLVMValueRef i, bool is_signed) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    const unsigned width = integer_width(LLVMTypeOf(from));
    if (is_half(LLVMTypeOf(i)))
        return narrowed(
            l, is_signed ? LLVMBuildSIToFP(l->b, from, l->single, "") : LLVMBuildUIToFP(l->b, from, l->single, ""));
    if (!is_double(LLVMTypeOf(i)) || width == 0 || width > 64) return NULL;
    LLVMTypeRef as = width > 32 ? l->wide : l->word;
    from = is_signed ? LLVMBuildSExt(l->b, from, as, "") : LLVMBuildZExt(l->b, from, as, "");
    const char *name = width > 32  ? is_signed ? "tandem_s64_to_double" : "tandem_u64_to_double"
                       : is_signed ? "tandem_s32_to_double"
                                   : "tandem_u32_to_double";
    return LLVMBuildBitCast(l->b, call_1(l, name, l->wide, from), LLVMTypeOf(i), "");
}

// The helper's answer is the nearest number of 32 or 64 bits that there is; `saturated`: the nearest of i's own width.
static LLVMValueRef to_integer(struct lowering *l, LLVMValueRef i, bool is_signed, bool saturated) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    const unsigned width = integer_width(LLVMTypeOf(i));
    if (is_half(LLVMTypeOf(from)) && !saturated) {
        from = widened(l, from);
        return is_signed ? LLVMBuildFPToSI(l->b, from, LLVMTypeOf(i), "")
                         : LLVMBuildFPToUI(l->b, from, LLVMTypeOf(i), "");
    }
    if (is_half(LLVMTypeOf(from)))
        from = LLVMBuildBitCast(l->b, call_1(l, "tandem_float_to_double", l->wide, widened(l, from)),
                                LLVMDoubleTypeInContext(l->module->context), "");
    if (!is_double(LLVMTypeOf(from)) || width == 0 || width > 64) return NULL;
    LLVMTypeRef as = width > 32 ? l->wide : l->word;
    const unsigned full = width > 32 ? 64 : 32;
    const char *name = width > 32  ? is_signed ? "tandem_double_to_s64" : "tandem_double_to_u64"
                       : is_signed ? "tandem_double_to_s32"
                                   : "tandem_double_to_u32";
    LLVMValueRef result = call_1(l, name, as, bits_of(l, from));
    if (saturated && width < full) {
        const uint64_t most = ((uint64_t)1 << (is_signed ? width - 1 : width)) - 1;
        LLVMValueRef high = LLVMConstInt(as, most, 0), low = LLVMConstInt(as, ~most, 1);
        LLVMValueRef above = LLVMBuildICmp(l->b, is_signed ? LLVMIntSGT : LLVMIntUGT, result, high, "");
        result = LLVMBuildSelect(l->b, above, high, result, "");
        if (is_signed)
            result = LLVMBuildSelect(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, result, low, ""), low, result, "");
    }
    return LLVMBuildTrunc(l->b, result, LLVMTypeOf(i), "");
}

// ---- intrinsics ----

static const char *intrinsic_name(LLVMValueRef i) {
    LLVMValueRef called = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    const char *name = called != NULL ? name_of(called) : "";
    return starts(name, "llvm.") ? name + strlen("llvm.") : "";
}

static bool is_kind(const char *name, const char *kind) {
    const size_t size = strlen(kind);
    return strncmp(name, kind, size) == 0 && name[size] == '.';
}

static const struct {
    const char *intrinsic, *helper;
    unsigned operands;
} intrinsics[] = {
    {"sqrt", "tandem_double_sqrt", 1},       {"floor", "tandem_double_floor", 1},
    {"ceil", "tandem_double_ceil", 1},       {"trunc", "tandem_double_trunc", 1},
    {"rint", "tandem_double_rint", 1},       {"nearbyint", "tandem_double_rint", 1},
    {"roundeven", "tandem_double_rint", 1},  {"round", "tandem_double_round", 1},
    {"minnum", "tandem_double_smaller", 2},  {"maxnum", "tandem_double_larger", 2},
    {"minimum", "tandem_double_minimum", 2}, {"maximum", "tandem_double_maximum", 2},
    {"fma", "tandem_double_fma", 3},
};

// The same intrinsic of floats.
static LLVMValueRef by_float(struct lowering *l, LLVMValueRef i, const char *kind, unsigned count) {
    char name[NAME_SIZE];
    LLVMValueRef operands[OPERANDS_MAX];
    for (unsigned k = 0; k < count; k++)
        operands[k] = widened(l, LLVMGetOperand(i, k));
    snprintf(name, sizeof name, "llvm.%s", kind);
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(l->module->module, id, &l->single, 1);
    return narrowed(l, LLVMBuildCall2(l->b, LLVMGlobalGetValueType(f), f, operands, count, ""));
}

static LLVMValueRef half_fma(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef operands[OPERANDS_MAX];
    for (unsigned k = 0; k < OPERANDS_MAX; k++)
        operands[k] = widened(l, LLVMGetOperand(i, k));
    return narrowed(l, call(l, "tandem_half_fma", l->single, operands, OPERANDS_MAX));
}

// a * b + c with two roundings: two calls take less than one of fma.
static LLVMValueRef multiply_add(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef product = LLVMBuildFMul(l->b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), "");
    l->any = true;  // these are still to be lowered
    return LLVMBuildFAdd(l->b, product, LLVMGetOperand(i, 2), "");
}

static LLVMValueRef intrinsic(struct lowering *l, LLVMValueRef i) {
    const char *name = intrinsic_name(i);
    if (*name == 0 || LLVMGetNumArgOperands(i) == 0) return NULL;
    if (starts(name, "fptosi.sat.")) return to_integer(l, i, true, true);
    if (starts(name, "fptoui.sat.")) return to_integer(l, i, false, true);
    const bool wide = is_double(LLVMTypeOf(i));
    if (!wide && !is_half(LLVMTypeOf(i))) return NULL;
    if (is_kind(name, "fmuladd")) return multiply_add(l, i);
    if (is_kind(name, "fma") && !wide) return half_fma(l, i);
    if (is_kind(name, "canonicalize") || is_kind(name, "arithmetic.fence")) return LLVMGetOperand(i, 0);
    if (is_kind(name, "ldexp") && wide && integer_width(LLVMTypeOf(LLVMGetOperand(i, 1))) == 32)
        return double_of(l, "tandem_double_scale", i, 2);
    for (size_t k = 0; k < sizeof intrinsics / sizeof *intrinsics; k++) {
        if (!is_kind(name, intrinsics[k].intrinsic)) continue;
        return wide ? double_of(l, intrinsics[k].helper, i, intrinsics[k].operands)
                    : by_float(l, i, intrinsics[k].intrinsic, intrinsics[k].operands);
    }
    return NULL;
}

static LLVMValueRef operation(void *context, LLVMValueRef i) {
    struct lowering *l = context;
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMFAdd:
        case LLVMFSub:
        case LLVMFMul:
        case LLVMFDiv:
        case LLVMFRem: return binary(l, i);
        case LLVMFCmp: return compare(l, i);
        case LLVMFPExt: return extend(l, i);
        case LLVMFPTrunc: return truncate(l, i);
        case LLVMSIToFP: return from_integer(l, i, true);
        case LLVMUIToFP: return from_integer(l, i, false);
        case LLVMFPToSI: return to_integer(l, i, true, false);
        case LLVMFPToUI: return to_integer(l, i, false, false);
        case LLVMCall: return intrinsic(l, i);
        default: return NULL;
    }
}

// ---- bits ----

static LLVMValueRef number(LLVMTypeRef type, uint64_t value) {
    return LLVMConstInt(type, value, 0);
}

// Bits of LLVM's mask of classes, in the order of the magnitudes: zero, subnormal, normal, infinite, quiet NaN's sign does
// not count.
static LLVMValueRef class_of(struct lowering *l, LLVMValueRef x, uint64_t mask) {
    static const struct {
        unsigned negative, positive;
    } classes[] = {{32, 64}, {16, 128}, {8, 256}, {4, 512}, {1, 1}, {2, 2}};
    enum { CLASSES = sizeof classes / sizeof *classes };
    const bool wide = is_double(LLVMTypeOf(x));
    const uint64_t infinity = wide ? UINT64_C(0x7FF0000000000000) : 0x7C00, unit = wide ? UINT64_C(1) << 52 : 1 << 10;
    // Where each class begins, and where the last one ends.
    const uint64_t from[CLASSES + 1] = {0, 1, unit, infinity, infinity + 1, infinity + unit / 2, infinity + unit};
    LLVMValueRef bits = bits_of(l, x), all = LLVMConstInt(l->flag, 0, 0);
    LLVMTypeRef type = LLVMTypeOf(bits);
    const uint64_t sign = sign_of(type);
    LLVMValueRef magnitude = LLVMBuildAnd(l->b, bits, number(type, sign - 1), "");
    for (unsigned side = 0; side < 3; side++) {  // both signs, negative, positive
        for (unsigned k = 0; k < CLASSES; k++) {
            const bool negative = (mask & classes[k].negative) != 0, positive = (mask & classes[k].positive) != 0;
            if (side == 0 ? !negative || !positive : negative == positive || negative != (side == 1)) continue;
            const uint64_t start = from[k] | (side == 1 ? sign : 0);
            LLVMValueRef above = LLVMBuildSub(l->b, side == 0 ? magnitude : bits, number(type, start), "");
            LLVMValueRef is = LLVMBuildICmp(l->b, LLVMIntULT, above, number(type, from[k + 1] - from[k]), "");
            all = LLVMBuildOr(l->b, all, is, "");
        }
    }
    return all;
}

static LLVMValueRef bit_operation(void *context, LLVMValueRef i) {
    struct lowering *l = context;
    const char *name = intrinsic_name(i);
    if (is_kind(name, "is.fpclass")) {
        LLVMValueRef x = LLVMGetOperand(i, 0);
        if (!is_double(LLVMTypeOf(x)) && !is_half(LLVMTypeOf(x))) return NULL;
        return class_of(l, x, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)));
    }
    const bool negates = LLVMGetInstructionOpcode(i) == LLVMFNeg;
    if (!negates && !is_kind(name, "fabs") && !is_kind(name, "copysign")) return NULL;
    if (!is_double(LLVMTypeOf(i)) && !is_half(LLVMTypeOf(i))) return NULL;
    LLVMValueRef bits = bits_of(l, LLVMGetOperand(i, 0));
    LLVMTypeRef type = LLVMTypeOf(bits);
    const uint64_t sign = sign_of(type);
    if (negates) return LLVMBuildBitCast(l->b, negated(l, bits), LLVMTypeOf(i), "");
    bits = LLVMBuildAnd(l->b, bits, number(type, sign - 1), "");
    if (is_kind(name, "copysign")) {
        LLVMValueRef other = LLVMBuildAnd(l->b, bits_of(l, LLVMGetOperand(i, 1)), number(type, sign), "");
        bits = LLVMBuildOr(l->b, bits, other, "");
    }
    return LLVMBuildBitCast(l->b, bits, LLVMTypeOf(i), "");
}

// ---- the module ----

static bool replace_all(struct module *module, instruction_replacement *with) {
    LLVMContextRef context = module->context;
    struct lowering l = {.module = module,
                         .b = LLVMCreateBuilderInContext(context),
                         .half_bits = LLVMInt16TypeInContext(context),
                         .word = LLVMInt32TypeInContext(context),
                         .wide = LLVMInt64TypeInContext(context),
                         .single = LLVMFloatTypeInContext(context),
                         .half = LLVMHalfTypeInContext(context),
                         .flag = LLVMInt1TypeInContext(context)};
    instructions_replace(module->module, l.b, with, &l);
    LLVMDisposeBuilder(l.b);
    return l.any;
}

// Else LLVM would make comparisons of doubles of the integer operations that they have become, round after round.
static const char bits_stay[] = "noimplicitfloat";

bool double_operations_lower(struct module *module) {
    if (!replace_all(module, operation)) return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        add_attribute(module->context, f, bits_stay, 0);
    return true;
}

void float_bits_lower(struct module *module) {
    replace_all(module, bit_operation);
    // It would also keep neighbouring accesses apart.
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        remove_attribute(f, bits_stay);
}
