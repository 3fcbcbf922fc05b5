// Operations that no instruction does become calls of helpers in the device library (library/float.cl,
// library/wide.cl). After LLVM's optimizations, which know the operations and not the helpers.
#include "compiler/lower/library_operations.h"

#include <stdio.h>
#include <string.h>

#include "compiler/ir/module.h"
#include "compiler/ir/replace.h"

struct lowering {
    struct module *module;
    LLVMBuilderRef b;
    bool any;
};

// Fast-math flags of LLVM-C.
static bool may_approximate(LLVMValueRef i) {
    return LLVMCanValueUseFastMathFlags(i) &&
           (LLVMGetFastMathFlags(i) & (LLVMFastMathAllowReciprocal | LLVMFastMathApproxFunc)) != 0;
}

static LLVMValueRef call(struct lowering *l, const char *name, LLVMTypeRef result, LLVMValueRef *arguments,
                         unsigned count) {
    LLVMTypeRef types[3];
    for (unsigned k = 0; k < count; k++)
        types[k] = LLVMTypeOf(arguments[k]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef f = LLVMGetNamedFunction(l->module->module, name);
    if (f == NULL) f = LLVMAddFunction(l->module->module, name, type);
    l->any = true;
    return LLVMBuildCall2(l->b, type, f, arguments, count, "");
}

static LLVMValueRef call_operands(struct lowering *l, LLVMValueRef i, const char *name) {
    LLVMValueRef arguments[3] = {NULL, NULL, NULL};
    unsigned count = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
    if (count > 3) count = 3;
    for (unsigned k = 0; k < count; k++)
        arguments[k] = LLVMGetOperand(i, k);
    return call(l, name, LLVMTypeOf(i), arguments, count);
}

static bool is_float(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

static unsigned integer_width(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_wide(LLVMTypeRef type) {
    return integer_width(type) > 32 && integer_width(type) <= 64;
}

static LLVMValueRef to_64(struct lowering *l, LLVMValueRef x, bool is_signed) {
    LLVMTypeRef full = LLVMInt64TypeInContext(l->module->context);
    return is_signed ? LLVMBuildSExt(l->b, x, full, "") : LLVMBuildZExt(l->b, x, full, "");
}

static LLVMValueRef divide(struct lowering *l, LLVMValueRef i, const char *name, bool is_signed) {
    if (!is_wide(LLVMTypeOf(i))) return NULL;
    LLVMValueRef arguments[2] = {to_64(l, LLVMGetOperand(i, 0), is_signed), to_64(l, LLVMGetOperand(i, 1), is_signed)};
    LLVMValueRef result = call(l, name, LLVMTypeOf(arguments[0]), arguments, 2);
    return LLVMBuildTrunc(l->b, result, LLVMTypeOf(i), "");
}

static LLVMValueRef from_integer(struct lowering *l, LLVMValueRef i, bool is_signed) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (!is_wide(LLVMTypeOf(from)) || !is_float(LLVMTypeOf(i))) return NULL;
    from = to_64(l, from, is_signed);
    return call(l, is_signed ? "tandem_s64_to_float" : "tandem_u64_to_float", LLVMTypeOf(i), &from, 1);
}

// Also saturates where it need not; a width between needs it only to 64 bits then, unless it was asked for.
static LLVMValueRef to_integer(struct lowering *l, LLVMValueRef i, bool is_signed) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (!is_wide(LLVMTypeOf(i)) || !is_float(LLVMTypeOf(from))) return NULL;
    LLVMTypeRef full = LLVMInt64TypeInContext(l->module->context);
    LLVMValueRef result = call(l, is_signed ? "tandem_float_to_s64" : "tandem_float_to_u64", full, &from, 1);
    return LLVMBuildTrunc(l->b, result, LLVMTypeOf(i), "");
}

static bool is_half(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

static LLVMValueRef half_to_float(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (!is_half(LLVMTypeOf(from)) || !is_float(LLVMTypeOf(i))) return NULL;
    from = LLVMBuildBitCast(l->b, from, LLVMInt16TypeInContext(l->module->context), "");
    return call(l, "tandem_half_to_float", LLVMTypeOf(i), &from, 1);
}

static LLVMValueRef float_to_half(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (!is_half(LLVMTypeOf(i)) || !is_float(LLVMTypeOf(from))) return NULL;
    LLVMTypeRef bits = LLVMInt16TypeInContext(l->module->context);
    return LLVMBuildBitCast(l->b, call(l, "tandem_float_to_half", bits, &from, 1), LLVMTypeOf(i), "");
}

static LLVMValueRef lower_intrinsic(struct lowering *l, LLVMValueRef i) {
    size_t length;
    LLVMValueRef called = LLVMGetCalledValue(i);
    const char *name = LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
    if (strcmp(name, "llvm.fptosi.sat.i64.f32") == 0) return to_integer(l, i, true);
    if (strcmp(name, "llvm.fptoui.sat.i64.f32") == 0) return to_integer(l, i, false);
    if (!is_float(LLVMTypeOf(i))) return NULL;
    if (strcmp(name, "llvm.sqrt.f32") == 0)
        return call_operands(l, i, may_approximate(i) ? "tandem_sqrt_fast" : "tandem_sqrt");
    if (strcmp(name, "llvm.round.f32") == 0) return call_operands(l, i, "tandem_round");
    return NULL;
}

static LLVMValueRef replacement(void *context, LLVMValueRef i) {
    struct lowering *l = context;
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMFDiv:
            if (!is_float(LLVMTypeOf(i))) return NULL;
            return call_operands(l, i, may_approximate(i) ? "tandem_divide_fast" : "tandem_divide");
        case LLVMFRem: return is_float(LLVMTypeOf(i)) ? call_operands(l, i, "tandem_remainder") : NULL;
        case LLVMUDiv: return divide(l, i, "tandem_udiv64", false);
        case LLVMURem: return divide(l, i, "tandem_urem64", false);
        case LLVMSDiv: return divide(l, i, "tandem_sdiv64", true);
        case LLVMSRem: return divide(l, i, "tandem_srem64", true);
        case LLVMSIToFP: return from_integer(l, i, true);
        case LLVMUIToFP: return from_integer(l, i, false);
        case LLVMFPToSI: return to_integer(l, i, true);
        case LLVMFPToUI: return to_integer(l, i, false);
        case LLVMFPExt: return half_to_float(l, i);
        case LLVMFPTrunc: return float_to_half(l, i);
        case LLVMCall: return lower_intrinsic(l, i);
        default: return NULL;
    }
}

bool library_operations_lower(struct module *module) {
    struct lowering l = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    instructions_replace(module->module, l.b, replacement, &l);
    LLVMDisposeBuilder(l.b);
    return l.any;
}
