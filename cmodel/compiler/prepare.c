// The LLVM part of the pipeline: from bitcode to kernels that are ready for selection.
#include "compiler/prepare.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <string.h>

#include "compiler/again/second_compile.h"
#include "compiler/again/turns.h"
#include "compiler/base/text.h"
#include "compiler/builtins/atomic_functions.h"
#include "compiler/builtins/enqueue.h"
#include "compiler/builtins/generic_pointers.h"
#include "compiler/builtins/images.h"
#include "compiler/builtins/link_library.h"
#include "compiler/builtins/opaque_types.h"
#include "compiler/builtins/printf.h"
#include "compiler/builtins/work_items.h"
#include "compiler/front/bitcode.h"
#include "compiler/ir/debug_vectors.h"
#include "compiler/ir/globals.h"
#include "compiler/lower/double_operations.h"
#include "compiler/lower/expand.h"
#include "compiler/lower/kept_calls.h"
#include "compiler/lower/library_operations.h"
#include "compiler/lower/lower_arguments.h"
#include "compiler/lower/lower_arithmetic.h"
#include "compiler/lower/memory_copies.h"
#include "compiler/lower/recursion.h"
#include "compiler/lower/wide_atomics.h"
#include "compiler/lower/yields.h"
#include "compiler/tune/tune.h"
#include "isa/code_object.h"

enum { CONVENTION_KERNEL = 76 };

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

// Refuses a module that came as bitcode and is not sound, or is for another target.
static void check_bitcode(const struct module *module) {
    struct compilation *compilation = module->compilation;
    if (!bitcode_given(compilation->source, compilation->source_size)) return;
    char *message = NULL;
    const char *target = LLVMGetTarget(module->module);
    if (strncmp(target, "spir", 4) != 0 || target[4] == '6')
        report_fatal(compilation, "the bitcode is for the target '%.40s', must be for spir", target);
    if (LLVMVerifyModule(module->module, LLVMReturnStatusAction, &message) != 0)
        report_fatal(compilation, "the bitcode is not sound: %.*s", (int)strcspn(message, "\n"), message);
    LLVMDisposeMessage(message);
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
    if (module->kernel_count == 0 && !module->compilation->options->without_kernels)
        report_fatal(module->compilation, "there is no kernel in the source: no function is marked __kernel");
}

static void bring_in_library(struct module *module) {
    library_link(module);
    module_expand(module);
}

static void lower_operations(struct module *module) {
    if (wide_atomics_lower(module)) bring_in_library(module);
    // What comes in may hold such operations as well, but not for ever.
    for (int round = 0; round < 8; round++) {
        const bool of_doubles = double_operations_lower(module);
        if (!library_operations_lower(module) && !of_doubles) break;
        bring_in_library(module);
        module_run_passes(module,
                          "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse,instsimplify,"
                          "scalarizer,dce)");
    }
}

void module_prepare(struct module *module, struct compilation *compilation, const void *bitcode, size_t size) {
    // Loops must stay loops: there is no memset to call, and closed forms of sums need integers of 33 and more bits.
    // Loops that are left early may be unrolled where that is asked for (tune/unroll_others.c).
    // Jump threading is not for machines whose threads diverge: where some threads leave a loop and others were never in
    // it, it would send them different ways round a branch on a value that all share, and they would meet behind what
    // follows, a barrier perhaps.
    static const char *const settings[] = {"tandem",
                                           "-disable-loop-idiom-all",
                                           "-replexitval=never",
                                           "-scalarize-load-store",
                                           "-unroll-runtime-multi-exit",
                                           "-jump-threading-threshold=0"};
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
    check_bitcode(module);
    module->layout = LLVMGetModuleDataLayout(module->module);
    variables_keep(module);
    const bool images = opaque_types_replace(module);
    samplers_translate(module);
    find_kernels(module);
    turns_alone(module);
    recursion_refuse(module);
    if (enqueue_used(module)) {
        if (turns_of(compilation) != NULL)
            report_fatal(compilation,
                         "a kernel that enqueues others cannot run in work-groups larger than what is resident");
        enqueue_take_calls(module);
        module_expand(module);  // calls and barriers in functions of the program's own are then in its kernels
        enqueue_frame(module);
    }
    builtins_define(module);
    generic_define(module);
    atomic_functions_define(module);
    bring_in_library(module);
    if (images) images_settle(module);
    module_run_passes(module, "default<O2>");
    while (calls_settle(module)) {
        module_expand(module);
        module_run_passes(module, "default<O2>");
    }
    if (printf_lower(module)) {
        bring_in_library(module);
        module_run_passes(module, "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse,dce)");
    }
    if (compilation->options->metadata != NULL && turns_of(compilation) == NULL) module_improve(module);
}

void module_settle(struct module *module) {
    struct compilation *compilation = module->compilation;
    memory_copies_lower(module);
    if (turns_of(compilation) != NULL) turns_take(module);
    arguments_lower(module);
    debug_vectors_mark(module);
    module_run_passes(module, "function(scalarizer)");
    debug_vectors_settle(module);
    module_run_passes(module, "function(early-cse,instsimplify,dce)");
    lower_operations(module);
    if (yields_place(module)) {
        bring_in_library(module);
        module_run_passes(module, "function(sroa,early-cse,instsimplify,scalarizer,simplifycfg,dce)");
    }
}

void module_finish(struct module *module, enum finish finish, const bool *skipped) {
    if (finish == FINISH_TUNED) {
        module_tune(module, skipped);
        lower_operations(module);
    }
    float_bits_lower(module);
    arithmetic_lower(module);
    module_run_passes(module, "function(early-cse,instsimplify,dce)");
    module_run_passes(module,
                      finish != FINISH_LEAN
                          ? "function(loop-mssa(licm),lower-switch,loop-simplify,unify-loop-exits,fix-irreducible,dce)"
                          : "function(lower-switch,loop-simplify,fix-irreducible,dce)");
    // Neighbours become one access where the alignment is known; the scalarizer has taken all vectors apart.
    module_run_passes(module, "function(load-store-vectorizer,early-cse,instsimplify,dce)");
}
