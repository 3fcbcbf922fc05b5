// Operations that no instruction does become calls of helpers in the device library (library/float.cl,
// library/wide.cl). After LLVM's optimizations, which know the operations and not the helpers.
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "compiler/module.h"

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

static LLVMValueRef lower_intrinsic(struct lowering *l, LLVMValueRef i) {
    size_t length;
    LLVMValueRef called = LLVMGetCalledValue(i);
    const char *name = LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
    if (!is_float(LLVMTypeOf(i))) return NULL;
    if (strcmp(name, "llvm.sqrt.f32") == 0)
        return call_operands(l, i, may_approximate(i) ? "tandem_sqrt_fast" : "tandem_sqrt");
    if (strcmp(name, "llvm.round.f32") == 0) return call_operands(l, i, "tandem_round");
    return NULL;
}

static LLVMValueRef replacement(struct lowering *l, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMFDiv:
            if (!is_float(LLVMTypeOf(i))) return NULL;
            return call_operands(l, i, may_approximate(i) ? "tandem_divide_fast" : "tandem_divide");
        case LLVMFRem: return is_float(LLVMTypeOf(i)) ? call_operands(l, i, "tandem_remainder") : NULL;
        case LLVMCall: return lower_intrinsic(l, i);
        default: return NULL;
    }
}

bool lower_operations(struct module *module) {
    struct lowering l = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMPositionBuilderBefore(l.b, i);
                LLVMSetCurrentDebugLocation2(l.b, LLVMInstructionGetDebugLoc(i));
                LLVMValueRef with = replacement(&l, i);
                if (with == NULL) continue;
                LLVMReplaceAllUsesWith(i, with);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
    LLVMDisposeBuilder(l.b);
    return l.any;
}
