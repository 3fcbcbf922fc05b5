// Images and samplers: clang's opaque types are pointers and numbers by now (opaque_types.c).
#include "compiler/builtins/images.h"

#define TRANSLATE "__translate_sampler_initializer"  // of a number: clang's call in each place that names a sampler

void samplers_translate(struct module *module) {
    LLVMValueRef translate = LLVMGetNamedFunction(module->module, TRANSLATE);
    if (translate == NULL) return;
    for (LLVMUseRef use = LLVMGetFirstUse(translate); use != NULL; use = LLVMGetFirstUse(translate)) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(translate);
}

void images_settle(struct module *module) {
    static const char name[] = "invariant.load";
    const unsigned kind = LLVMGetMDKindIDInContext(module->context, name, sizeof name - 1);
    LLVMValueRef empty = LLVMMetadataAsValue(module->context, LLVMMDNodeInContext2(module->context, NULL, 0));
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
                if (LLVMIsALoadInst(i) != NULL && !LLVMGetVolatile(i) &&
                    LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == SPACE_CONSTANT)
                    LLVMSetMetadata(i, kind, empty);
}
