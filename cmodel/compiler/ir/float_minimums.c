// See float_minimums.h.
#include "compiler/ir/float_minimums.h"

#include <stdio.h>
#include <string.h>

#include "compiler/ir/replace.h"

static const char *const kinds[] = {"maxnum", "minnum", "maximum", "minimum"};
// No name of C or of the device library begins so.
#define HIDDEN "tandem.hidden."
enum { KINDS = sizeof kinds / sizeof *kinds, NAME_SIZE = 48 };

static const char *name_called(LLVMValueRef i) {
    size_t length;
    if (LLVMGetInstructionOpcode(i) != LLVMCall) return "";
    LLVMValueRef called = LLVMGetCalledValue(i);
    return LLVMIsAFunction(called) ? LLVMGetValueName2(called, &length) : "";
}

// Which of the kinds is called by such a name, PREFIX.KIND.TYPE; KINDS: none.
static unsigned kind_called(LLVMValueRef i, const char *prefix) {
    const char *name = name_called(i);
    const size_t skip = strlen(prefix);
    if (strncmp(name, prefix, skip) != 0) return KINDS;
    unsigned k = 0;
    while (k < KINDS && (strncmp(name + skip, kinds[k], strlen(kinds[k])) != 0 || name[skip + strlen(kinds[k])] != '.'))
        k++;
    return k;
}

static const char *type_name(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
        case LLVMHalfTypeKind: return "f16";
        case LLVMFloatTypeKind: return "f32";
        case LLVMDoubleTypeKind: return "f64";
        default: return NULL;
    }
}

// What stands for a kind while LLVM works.
static LLVMValueRef hidden_function(LLVMModuleRef module, unsigned kind, LLVMTypeRef scalar) {
    static const char *const attributes[] = {"memory", "nounwind", "willreturn",  "nocallback",
                                             "nofree", "nosync",   "speculatable"};
    char name[NAME_SIZE];
    snprintf(name, sizeof name, HIDDEN "%s.%s", kinds[kind], type_name(scalar));
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f != NULL) return f;
    LLVMTypeRef of[2] = {scalar, scalar};
    f = LLVMAddFunction(module, name, LLVMFunctionType(scalar, of, 2, 0));
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        LLVMAddAttributeAtIndex(
            f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(LLVMGetModuleContext(module),
                                    LLVMGetEnumAttributeKindForName(attributes[k], strlen(attributes[k])),
                                    0));  // memory(none)
    return f;
}

static LLVMValueRef call(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef x, LLVMValueRef y, LLVMFastMathFlags flags) {
    LLVMValueRef result = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, (LLVMValueRef[2]){x, y}, 2, "");
    LLVMSetFastMathFlags(result, flags);
    return result;
}

// Where there are no NaNs, LLVM makes minima and maxima of choices. Their flags say so, and LLVM-C cannot take one away.
static LLVMValueRef without_flags(LLVMBuilderRef b, LLVMValueRef i) {
    if (!LLVMCanValueUseFastMathFlags(i) || (LLVMGetFastMathFlags(i) & LLVMFastMathNoNaNs) == 0) return NULL;
    if (LLVMGetInstructionOpcode(i) == LLVMSelect)
        return LLVMBuildSelect(b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2), "");
    if (LLVMGetInstructionOpcode(i) != LLVMPHI) return NULL;
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(i), "");
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
        LLVMValueRef value = LLVMGetIncomingValue(i, k);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, k);
        LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

struct place {
    LLVMModuleRef module;
    LLVMBuilderRef b;
};

static LLVMValueRef hidden(void *context, LLVMValueRef i) {
    const struct place *at = context;
    LLVMBuilderRef b = at->b;
    const unsigned kind = kind_called(i, "llvm.");
    if (kind == KINDS) return without_flags(b, i);
    LLVMTypeRef type = LLVMTypeOf(i), index = LLVMInt32TypeInContext(LLVMGetModuleContext(at->module));
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    const LLVMFastMathFlags flags = LLVMGetFastMathFlags(i);
    if (type_name(type) != NULL) return call(b, hidden_function(at->module, kind, type), x, y, flags);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_name(LLVMGetElementType(type)) == NULL) return NULL;
    LLVMValueRef f = hidden_function(at->module, kind, LLVMGetElementType(type)), all = LLVMGetPoison(type);
    for (unsigned k = 0; k < LLVMGetVectorSize(type); k++) {
        LLVMValueRef number = LLVMConstInt(index, k, 0);
        LLVMValueRef one =
            call(b, f, LLVMBuildExtractElement(b, x, number, ""), LLVMBuildExtractElement(b, y, number, ""), flags);
        all = LLVMBuildInsertElement(b, all, one, number, "");
    }
    return all;
}

static LLVMValueRef shown(void *context, LLVMValueRef i) {
    const struct place *at = context;
    const unsigned kind = kind_called(i, HIDDEN);
    if (kind == KINDS) return NULL;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "llvm.%s", kinds[kind]);
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(at->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    return call(at->b, f, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetFastMathFlags(i));
}

static void allow_nans(LLVMValueRef function) {
    static const char name[] = "no-nans-fp-math";
    LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
}

static void replace_all(LLVMModuleRef module, instruction_replacement *form) {
    struct place at = {.module = module, .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    instructions_replace(module, at.b, form, &at);
    LLVMDisposeBuilder(at.b);
}

void float_minimums_hide(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
        allow_nans(f);
    replace_all(module, hidden);
}

void float_minimums_show(LLVMModuleRef module) {
    replace_all(module, shown);
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f != NULL; f = next) {
        size_t length;
        next = LLVMGetNextFunction(f);
        if (strncmp(LLVMGetValueName2(f, &length), HIDDEN, strlen(HIDDEN)) == 0 && LLVMGetFirstUse(f) == NULL)
            LLVMDeleteFunction(f);
    }
}
