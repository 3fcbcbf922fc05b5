// Functions are expanded where they are called, but for those that stay calls.
#include "compiler/lower/expand.h"

#include "compiler/ir/call_graph.h"
#include "compiler/lower/kept_calls.h"

static bool is_kernel(const struct module *module, LLVMValueRef f) {
    for (size_t k = 0; k < module->kernel_count; k++)
        if (module->kernels[k].function == f) return true;
    return false;
}

// The library defines with the C convention, clang calls with spir_func: InstCombine takes such a call for undefined
// behaviour.
static void same_convention(struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i)) LLVMSetInstructionCallConv(i, LLVMCCallConv);
    }
}

static void mark(struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        remove_attribute(f, "optnone");
        if (call_kept(f)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            remove_attribute(f, "alwaysinline");
            add_attribute(module->context, f, "noinline", 0);
            continue;
        }
        remove_attribute(f, "noinline");
        if (is_kernel(module, f)) {
            LLVMSetLinkage(f, LLVMExternalLinkage);
        } else {
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
        add_attribute(module->context, f, "alwaysinline", 0);
    }
}

void module_expand(struct module *module) {
    same_convention(module);
    calls_choose(module);
    calls_own_copies(module);
    mark(module);
    module_run_passes(module, "always-inline,globaldce");
}
