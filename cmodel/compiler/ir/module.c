// From clang's bitcode to kernels that are ready for selection: see module.h.
#include "compiler/lower/calls.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum { CONVENTION_C = 0, CONVENTION_KERNEL = 76 };

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
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

static void on_fatal_error(const char *reason);
static struct compilation *fatal_compilation(struct compilation *set);

// LLVM's handler has no context argument. The child does one compilation, so one place to keep it is enough.
static struct compilation *fatal_compilation(struct compilation *set) {
    static struct compilation *kept;
    if (set != NULL) kept = set;
    return kept;
}

static void on_fatal_error(const char *reason) {
    struct compilation *compilation = fatal_compilation(NULL);
    report_fatal(compilation, "%s: LLVM gave up: %.*s", compilation->stage, (int)strcspn(reason, "\n"), reason);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
    struct compilation *compilation = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    report_error(compilation, (struct location){0}, "%s: %.*s", compilation->stage, (int)strcspn(text, "\n"), text);
    LLVMDisposeMessage(text);
}

static LLVMModuleRef parse(struct module *module, const void *data, size_t size, bool lazy) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, "bitcode");
    LLVMModuleRef parsed = NULL;
    bool failed = lazy ? LLVMGetBitcodeModuleInContext2(module->context, buffer, &parsed) != 0
                       : LLVMParseBitcodeInContext2(module->context, buffer, &parsed) != 0;
    if (failed && module->compilation->errors > 0) compilation_end(module->compilation);  // LLVM has said why
    if (failed) report_fatal(module->compilation, "%s: it cannot be read", module->compilation->stage);
    return parsed;
}

static void find_kernels(struct module *module) {
    size_t capacity = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) != CONVENTION_KERNEL) continue;
        size_t length;
        module->kernels = grow(module->kernels, module->kernel_count, &capacity, sizeof *module->kernels);
        module->kernels[module->kernel_count++] =
            (struct kernel_source){.function = f, .name = LLVMGetValueName2(f, &length)};
        if (length >= CODE_OBJECT_NAME_MAX)
            report_error(module->compilation, location_of_function(f), "the kernel's name is longer than %u characters",
                         CODE_OBJECT_NAME_MAX - 1);
    }
    if (module->kernel_count == 0)
        report_fatal(module->compilation, "there is no kernel in the source: no function is marked __kernel");
}

static bool is_kernel(const struct module *module, LLVMValueRef f) {
    for (size_t k = 0; k < module->kernel_count; k++)
        if (module->kernels[k].function == f) return true;
    return false;
}

// The library defines with the C convention, clang calls with spir_func: InstCombine takes such a call for undefined
// behaviour.
static void same_convention(struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        LLVMSetFunctionCallConv(f, CONVENTION_C);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i)) LLVMSetInstructionCallConv(i, CONVENTION_C);
    }
}

static void mark_for_inlining(struct module *module) {
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

void module_inline(struct module *module) {
    same_convention(module);
    calls_choose(module);
    calls_own_copies(module);
    mark_for_inlining(module);
    module_run_passes(module, "always-inline,globaldce");
}

static void bring_in_library(struct module *module) {
    library_link(module);
    module_inline(module);
}

void module_run_passes(struct module *module, const char *passes) {
    module->compilation->stage = passes;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    LLVMErrorRef error = LLVMRunPasses(module->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error == NULL) return;
    char *text = LLVMGetErrorMessage(error);
    report_fatal(module->compilation, "optimization failed: %s", text);
}

void module_prepare(struct module *module, struct compilation *compilation, const void *bitcode, size_t size) {
    // Loops must stay loops: there is no memset to call, and closed forms of sums need integers of 33 and more bits.
    static const char *const settings[] = {"tandem", "-disable-loop-idiom-all", "-replexitval=never",
                                           "-scalarize-load-store"};
    LLVMParseCommandLineOptions(sizeof settings / sizeof *settings, settings, "");
    fatal_compilation(compilation);
    LLVMInstallFatalErrorHandler(on_fatal_error);
    *module = (struct module){.compilation = compilation, .context = LLVMContextCreate()};
    module->printed = take(1, sizeof *module->printed);
    LLVMContextSetDiagnosticHandler(module->context, on_diagnostic, compilation);
    compilation->stage = bitcode_given(compilation->source, compilation->source_size)
                             ? "reading the bitcode"
                             : "reading the front end's output";
    module->module = parse(module, bitcode, size, false);
    bitcode_check(module);
    module->layout = LLVMGetModuleDataLayout(module->module);
    enqueue_read(module);
    find_kernels(module);
    recursion_refuse(module);
    if (enqueue_used(module)) enqueue_lower(module);
    builtins_define(module);
    generic_define(module);
    builtins_define_atomics(module);
    bring_in_library(module);
    module_run_passes(module, "default<O2>");
    while (calls_settle(module)) {
        module_inline(module);
        module_run_passes(module, "default<O2>");
    }
    if (printf_lower(module)) {
        bring_in_library(module);
        module_run_passes(module, "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse,dce)");
    }
    if (compilation->options->metadata != NULL) module_improve(module);
    lower_memory(module);
    lower_arguments(module);
    module_run_passes(module, "function(scalarizer,early-cse,instsimplify,dce)");
    // What comes in may hold such operations as well, but not for ever.
    for (int round = 0; round < 8 && lower_operations(module); round++) {
        bring_in_library(module);
        module_run_passes(module,
                          "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse,instsimplify,"
                          "scalarizer,dce)");
    }
    if (yields_place(module)) {
        bring_in_library(module);
        module_run_passes(module, "function(sroa,early-cse,instsimplify,scalarizer,simplifycfg,dce)");
    }
    lower_arithmetic(module);
}

struct module module_copy(const struct module *module) {
    struct module copy = *module;
    copy.module = LLVMCloneModule(module->module);
    copy.layout = LLVMGetModuleDataLayout(copy.module);
    copy.kernels = take(module->kernel_count, sizeof *copy.kernels);
    for (size_t k = 0; k < module->kernel_count; k++) {
        copy.kernels[k].function = LLVMGetNamedFunction(copy.module, module->kernels[k].name);
        copy.kernels[k].name = module->kernels[k].name;
    }
    return copy;
}

void module_finish(struct module *module, bool lavish) {
    module_run_passes(module, "function(early-cse,instsimplify,dce)");
    module_run_passes(
        module, lavish ? "function(loop-mssa(licm),lower-switch,loop-simplify,unify-loop-exits,fix-irreducible,dce)"
                       : "function(lower-switch,loop-simplify,fix-irreducible,dce)");
    // Neighbours become one access where the alignment is known; the scalarizer has taken all vectors apart.
    module_run_passes(module, "function(load-store-vectorizer,early-cse,instsimplify,dce)");
}
