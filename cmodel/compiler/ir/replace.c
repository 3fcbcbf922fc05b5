#include "compiler/ir/replace.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>

bool instructions_replace(LLVMModuleRef module, LLVMBuilderRef builder, instruction_replacement *replacement,
                          void *context) {
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMPositionBuilderBefore(builder, i);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
                LLVMValueRef with = replacement(context, i);
                if (with == NULL) continue;
                any = true;
                if (LLVMGetFirstUse(i) != NULL) LLVMReplaceAllUsesWith(i, with);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
    return any;
}
