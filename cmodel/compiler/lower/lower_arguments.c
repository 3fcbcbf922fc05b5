// A kernel's arguments are words of constant buffer 0: loads from there, while it is still LLVM IR, so that LLVM's own
// passes can merge and hoist them.
#include "compiler/lower/lower_arguments.h"

#include <llvm-c/DebugInfo.h>

#include "compiler/ir/arguments.h"

void arguments_lower(struct module *module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(module->context);
    LLVMTypeRef word = LLVMInt32TypeInContext(module->context);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(module->context, SPACE_ARGUMENTS);
    for (size_t k = 0; k < module->kernel_count; k++) {
        LLVMValueRef f = module->kernels[k].function;
        unsigned count = LLVMCountParams(f);
        uint32_t *offsets = take(count, sizeof *offsets);
        argument_offsets(module, f, offsets);
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
        LLVMSetCurrentDebugLocation2(builder, NULL);
        for (unsigned p = 0; p < count; p++) {
            LLVMValueRef parameter = LLVMGetParam(f, p);
            LLVMTypeRef type = LLVMTypeOf(parameter);
            if (LLVMGetFirstUse(parameter) == NULL || argument_by_value(f, p) != NULL || !LLVMTypeIsSized(type))
                continue;
            LLVMValueRef at = LLVMConstIntToPtr(LLVMConstInt(word, offsets[p], 0), pointer);
            LLVMReplaceAllUsesWith(parameter, LLVMBuildLoad2(builder, type, at, ""));
        }
    }
    LLVMDisposeBuilder(builder);
}
