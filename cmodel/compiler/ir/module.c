// The LLVM module and what is asked of it: see module.h.
#include "compiler/ir/module.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

#include "compiler/ir/float_minimums.h"

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool has_attribute(LLVMValueRef function, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       attribute_kind(name)) != NULL;
}

// Whether clang says `wanted` of it, or nothing: kernels of blocks.
static bool says_of_groups(LLVMValueRef kernel, const char *wanted) {
    static const char name[] = "uniform-work-group-size";
    LLVMAttributeRef known = LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
                                                           (unsigned)strlen(name));
    unsigned length = 0;
    if (known == NULL) return wanted == NULL;
    const char *value = LLVMGetStringAttributeValue(known, &length);
    return wanted != NULL && length == strlen(wanted) && memcmp(value, wanted, length) == 0;
}

bool module_non_uniform(const struct module *module) {
    for (size_t k = 0; k < module->kernel_count; k++)
        if (says_of_groups(module->kernels[k].function, "false")) return true;
    return false;
}

bool kernel_non_uniform(const struct module *module, LLVMValueRef kernel) {
    return says_of_groups(kernel, "false") || (says_of_groups(kernel, NULL) && module_non_uniform(module));
}

void remove_attribute(LLVMValueRef function, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute_kind(name));
}

void add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name, uint64_t value) {
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, attribute_kind(name), value));
}

static struct location location_in(LLVMMetadataRef scope, unsigned line, unsigned column) {
    struct location at = {.line = line, .column = column};
    LLVMMetadataRef file = scope != NULL ? LLVMDIScopeGetFile(scope) : NULL;
    if (file != NULL) {
        unsigned length = 0;
        const char *name = LLVMDIFileGetFilename(file, &length);
        char *copy = take((size_t)length + 1, 1);
        memcpy(copy, name, length);
        at.file = copy;
    }
    return at;
}

struct location location_of(LLVMValueRef instruction) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    if (at == NULL) return (struct location){0};
    // Line 0 marks code that belongs to no one line; the call that brought it in has one.
    while (LLVMDILocationGetLine(at) == 0 && LLVMDILocationGetInlinedAt(at) != NULL)
        at = LLVMDILocationGetInlinedAt(at);
    return location_in(LLVMDILocationGetScope(at), LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at));
}

struct location location_of_function(LLVMValueRef function) {
    LLVMMetadataRef program = LLVMGetSubprogram(function);
    if (program == NULL) return (struct location){0};
    return location_in(program, LLVMDISubprogramGetLine(program), 1);
}

void module_run_passes(struct module *module, const char *passes) {
    module->compilation->stage = passes;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    float_minimums_hide(module->module);
    LLVMErrorRef error = LLVMRunPasses(module->module, passes, NULL, options);
    float_minimums_show(module->module);
    LLVMDisposePassBuilderOptions(options);
    if (error == NULL) return;
    char *text = LLVMGetErrorMessage(error);
    report_fatal(module->compilation, "optimization failed: %s", text);
}

struct module module_copy(const struct module *module) {
    struct module copy = *module;
    copy.module = LLVMCloneModule(module->module);
    copy.layout = LLVMGetModuleDataLayout(copy.module);
    copy.kernels = take(module->kernel_count, sizeof *copy.kernels);
    for (size_t k = 0; k < module->kernel_count; k++) {
        copy.kernels[k].function = LLVMGetNamedFunction(copy.module, module->kernels[k].name);
        copy.kernels[k].name = module->kernels[k].name;
        copy.kernels[k].literal_bytes = module->kernels[k].literal_bytes;
    }
    return copy;
}

const struct kernel_source *module_kernel(const struct module *module, const char *name) {
    for (size_t k = 0; k < module->kernel_count; k++)
        if (strcmp(module->kernels[k].name, name) == 0) return &module->kernels[k];
    return NULL;
}
