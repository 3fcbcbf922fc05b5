// Which functions stay calls. Expanding a function in place costs its instructions once more for each place, and in a
// tree of calls each level multiplies: so a function is kept where that grows too much, or where the source says
// noinline. What cannot be called is always expanded: see rule_of().
#include "compiler/lower/kept_calls.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/builtins/enqueue.h"
#include "compiler/builtins/work_items.h"
#include "compiler/ir/call_graph.h"
#include "compiler/ir/names.h"
#include "compiler/ir/points_to.h"
#include "isa/code_object.h"

enum {
    SMALL = 60,                // instructions: a call and what is around it would hardly be shorter
    GROWTH = 1200,             // instructions that expanding one function may add to a kernel
    GROWTH_BACK = GROWTH / 4,  // a kept function that, with the others kept, would add no more is expanded after all
    CALL_SIZE = 4,
    KERNEL_MOST = 100000,  // instructions of a kernel with all that is expanded in it: more takes minutes and gigabytes
};

static const char mark_expand[] = "tandem-expand";

enum rule {
    RULE_NONE,
    RULE_KERNEL,
    RULE_ALWAYS,  // always_inline
    RULE_OWN,     // a work-item function
    RULE_BARRIER,
    RULE_TURN,   // threads take turns, and it asks which item it works for
    RULE_QUEUE,  // makes work
    RULE_PRINTF,
    RULE_VALUES,
    RULE_CONSTANTS,  // calls_settle()
};
static const char *const rule_text[] = {
    [RULE_KERNEL] = "it is a kernel",
    [RULE_ALWAYS] = "always_inline",
    [RULE_OWN] = "a work-item function",
    [RULE_BARRIER] = "there is a barrier in it, or in what it calls",
    [RULE_TURN] = "threads take turns, and it asks for the work-item's place",
    [RULE_QUEUE] = "there is an enqueue_kernel or a YIELD in it, or in what it calls",
    [RULE_PRINTF] = "it hands on a string that printf prints",
    [RULE_VALUES] = "a structure is a value of its own among its arguments or results",
    [RULE_CONSTANTS] = "its pointers lead into different constant memories",
};

struct choice {  // of a node
    enum rule rule;
    bool noinline_asked, kept;
    unsigned own;             // instructions of its body, without what it calls
    double expanded, copies;  // instructions with what is expanded in it; copies of it in the kernel that has the most
};

static bool has_mark(LLVMValueRef f, const char *name) {
    return LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
                                         (unsigned)strlen(name)) != NULL;
}

static void set_mark(struct module *module, LLVMValueRef f, const char *name) {
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(module->context, name, (unsigned)strlen(name), "", 0));
}

// ---- rules ----

static bool is_value(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind) kind = LLVMGetTypeKind(LLVMGetElementType(type));
    return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind ||
           kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind || kind == LLVMVoidTypeKind;
}

static bool values_fit(LLVMValueRef f) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    if (LLVMIsFunctionVarArg(type) || !is_value(LLVMGetReturnType(type))) return false;
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        if (!is_value(LLVMTypeOf(LLVMGetParam(f, k)))) return false;
    return true;
}

// A text that does not stand in the call itself: whoever calls this function may know it.
static bool hands_on_text(LLVMValueRef call) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef operand = LLVMGetOperand(call, k);
        if (LLVMGetTypeKind(LLVMTypeOf(operand)) != LLVMPointerTypeKind) continue;
        if (LLVMIsALoadInst(operand) || LLVMIsAArgument(operand)) return true;
    }
    return false;
}

// A part of the device library that has been written to be called.
static bool stays_called(LLVMValueRef f) {
    return starts(name_of(f), LIBRARY_PREFIX) && has_attribute(f, "noinline");
}

static enum rule rule_of_call(LLVMValueRef i, const struct call_graph *graph, const struct choice *choices) {
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    if (f == NULL || stays_called(f)) return RULE_NONE;
    const char *name = name_of(f);
    if (is_barrier(i)) return RULE_BARRIER;
    if (strcmp(name, NAME_TURN) == 0) return RULE_TURN;
    if (enqueue_name(name) || starts(name, "tandem_enqueue_") || starts(name, "tandem_work_") ||
        starts(name, "__tandem_exec_") || is_team(i) || starts(name, NAME_YIELD) || starts(name, NAME_ASKS))
        return RULE_QUEUE;
    if (strcmp(name, NAME_PRINTF) == 0 || strcmp(name, "printf") == 0)
        return hands_on_text(i) ? RULE_PRINTF : RULE_NONE;
    size_t node = call_graph_find(graph, f);
    if (node == graph->count) return RULE_NONE;
    enum rule rule = choices[node].rule;
    if (rule == RULE_OWN && LLVMGetNamedFunction(LLVMGetGlobalParent(f), NAME_TURN) != NULL) return RULE_TURN;
    if (rule == RULE_TURN || rule == RULE_BARRIER || rule == RULE_QUEUE) return rule;
    return rule == RULE_PRINTF && hands_on_text(i) ? rule : RULE_NONE;
}

static enum rule rule_of(const struct module *module, LLVMValueRef f, const struct call_graph *graph,
                         const struct choice *choices) {
    for (size_t k = 0; k < module->kernel_count; k++)
        if (module->kernels[k].function == f) return RULE_KERNEL;
    if (builtin_given(name_of(f))) return RULE_OWN;
    if (stays_called(f)) return RULE_NONE;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            enum rule rule = rule_of_call(i, graph, choices);
            if (rule != RULE_NONE) return rule;
        }
    }
    if (!values_fit(f)) return RULE_VALUES;
    if (has_mark(f, mark_expand)) return RULE_CONSTANTS;
    // All of libclc is marked so; what comes from the source has a line.
    return has_attribute(f, "alwaysinline") && LLVMGetSubprogram(f) != NULL ? RULE_ALWAYS : RULE_NONE;
}

// ---- sizes ----

static bool is_variable(LLVMValueRef pointer) {
    return LLVMIsAAllocaInst(pointer) != NULL;
}

// Roughly what becomes of an instruction: before any optimization, so what only moves a variable about is nothing.
static unsigned size_of(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned count = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMAlloca:
        case LLVMBitCast:
        case LLVMPHI:
        case LLVMExtractElement:
        case LLVMInsertElement:
        case LLVMShuffleVector:
        case LLVMExtractValue: return 0;
        case LLVMLoad: return is_variable(LLVMGetOperand(i, 0)) ? 0 : count;
        case LLVMStore: return is_variable(LLVMGetOperand(i, 1)) ? 0 : 1;
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem: return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) ? 5 * count : 25 * count;
        case LLVMFDiv:
        case LLVMFRem: return 15 * count;
        case LLVMCall: {
            LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(i));
            if (f != NULL && (starts(name_of(f), "llvm.lifetime") || starts(name_of(f), "llvm.dbg"))) return 0;
            return called_function(i) != NULL ? 0 : count;
        }
        default: return count;
    }
}

static unsigned own_size(LLVMValueRef f) {
    unsigned size = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            size += size_of(i);
    return size;
}

static void expand_sizes(const struct call_graph *graph, struct choice *choices) {
    for (size_t k = 0; k < graph->count; k++) {
        const struct call_node *node = &graph->nodes[k];
        choices[k].expanded = choices[k].own;
        for (size_t e = 0; e < node->edge_count; e++) {
            const struct choice *callee = &choices[node->edges[e].callee];
            double each = callee->kept ? CALL_SIZE + LLVMCountParams(graph->nodes[node->edges[e].callee].function)
                                       : callee->expanded;
            choices[k].expanded += each * node->edges[e].sites;
        }
    }
}

// Copies in the code of one kernel; the most that any kernel has.
static void count_copies(const struct call_graph *graph, struct choice *choices) {
    double *copies = take(graph->count, sizeof *copies);
    for (size_t k = 0; k < graph->count; k++)
        choices[k].copies = 0;
    for (size_t kernel = 0; kernel < graph->count; kernel++) {
        if (choices[kernel].rule != RULE_KERNEL) continue;
        for (size_t k = 0; k < graph->count; k++)
            copies[k] = k == kernel ? 1 : 0;
        for (size_t k = kernel + 1; k-- > 0;) {
            const struct call_node *node = &graph->nodes[k];
            double times = choices[k].kept && copies[k] > 1 ? 1 : copies[k];
            for (size_t e = 0; e < node->edge_count; e++)
                copies[node->edges[e].callee] += times * node->edges[e].sites;
            if (copies[k] > choices[k].copies) choices[k].copies = copies[k];
        }
    }
    free(copies);
}

static double growth(const struct choice *choice) {
    return (choice->copies - 1) * choice->expanded;
}

static void choose_by_size(const struct call_graph *graph, struct choice *choices) {
    count_copies(graph, choices);
    for (size_t k = 0; k < graph->count; k++) {
        expand_sizes(graph, choices);
        if (choices[k].rule == RULE_NONE && choices[k].expanded > SMALL && growth(&choices[k]) > GROWTH)
            choices[k].kept = true;
    }
    // With the others kept there are fewer copies, so some need not be.
    for (size_t k = graph->count; k-- > 0;) {
        if (!choices[k].kept || choices[k].noinline_asked || call_kept(graph->nodes[k].function)) continue;
        count_copies(graph, choices);
        expand_sizes(graph, choices);
        if (growth(&choices[k]) <= GROWTH_BACK) choices[k].kept = false;
    }
}

static void tell(struct module *module, LLVMValueRef f, const char *what, const char *why) {
    struct compilation *compilation = module->compilation;
    struct location at = location_of_function(f);
    char name[CODE_OBJECT_NAME_MAX];
    readable_name(name_of(f), name, sizeof name);
    text_format(&compilation->calls, "%s:", compilation->name);
    if (at.line != 0) text_format(&compilation->calls, "%u:", at.line);
    text_format(&compilation->calls, " function %s %s: %s\n", name, what, why);
}

static void note(struct module *module, const struct call_node *node, const struct choice *choice) {
    if (choice->kept && call_kept(node->function)) return;
    if (!choice->kept) {
        if (choice->noinline_asked && choice->rule > RULE_OWN)
            tell(module, node->function, "is expanded in place, noinline or not", rule_text[choice->rule]);
        return;
    }
    set_mark(module, node->function, MARK_KEPT);
    char why[160];
    if (choice->noinline_asked) {
        strcpy(why, "noinline");
    } else if (module->compilation->options->calls == COMPILER_CALLS_ALWAYS) {
        strcpy(why, "asked for");
    } else {
        snprintf(why, sizeof why, "about %.0f instructions, %.0f copies of them in a kernel", choice->expanded,
                 choice->copies);
    }
    tell(module, node->function, "stays a call", why);
}

// What is kept before sizes are looked at.
static void begin_choices(const struct call_graph *graph, struct choice *choices, enum compiler_calls asked) {
    for (size_t k = 0; k < graph->count; k++)
        choices[k].kept =
            call_kept(graph->nodes[k].function) || (choices[k].rule == RULE_NONE && asked != COMPILER_CALLS_NEVER &&
                                                    (choices[k].noinline_asked || asked == COMPILER_CALLS_ALWAYS));
    if (asked == COMPILER_CALLS_AUTO) choose_by_size(graph, choices);
}

// The kernel that becomes too large, or graph->count.
static size_t too_large(const struct call_graph *graph, struct choice *choices) {
    expand_sizes(graph, choices);
    size_t found = 0;
    while (found < graph->count && (choices[found].rule != RULE_KERNEL || choices[found].expanded <= KERNEL_MOST))
        found++;
    return found;
}

static _Noreturn void refuse_size(struct module *module, const struct call_node *node, const struct choice *choice) {
    char name[CODE_OBJECT_NAME_MAX];
    readable_name(name_of(node->function), name, sizeof name);
    const bool asked = module->compilation->options->calls == COMPILER_CALLS_NEVER;
    report_error(module->compilation, location_of_function(node->function),
                 "kernel %s would have about %.3g instructions with its functions expanded, the most is %d: %s", name,
                 choice->expanded, KERNEL_MOST,
                 asked
                     ? "let functions stay calls (without --calls never)"
                     : "its functions must be expanded (always_inline, barriers, enqueue_kernel, printf); call fewer");
    compilation_end(module->compilation);
}

void calls_choose(struct module *module) {
    const struct compiler_options *options = module->compilation->options;
    LLVMValueRef *roots = take(module->kernel_count, sizeof(LLVMValueRef));
    for (size_t k = 0; k < module->kernel_count; k++)
        roots[k] = module->kernels[k].function;
    struct call_graph graph;
    call_graph_make(&graph, roots, module->kernel_count);
    struct choice *choices = take(graph.count, sizeof *choices);
    for (size_t k = 0; k < graph.count; k++) {
        LLVMValueRef f = graph.nodes[k].function;
        choices[k].own = own_size(f);
        choices[k].noinline_asked = has_attribute(f, "noinline") && !has_attribute(f, "optnone") && !call_kept(f);
        choices[k].rule = rule_of(module, f, &graph, choices);
    }
    begin_choices(&graph, choices, options->calls);
    const size_t large = too_large(&graph, choices);
    if (large < graph.count) refuse_size(module, &graph.nodes[large], &choices[large]);
    for (size_t k = 0; k < graph.count; k++)
        note(module, &graph.nodes[k], &choices[k]);
    free(choices);
    free(roots);
    call_graph_free(&graph);
}

// ---- behind the optimization ----

// Where a pointer that goes in or comes out leads must be one memory, as far as instructions differ.
static bool leads_apart(struct pointers *pointers, LLVMValueRef f) {
    for (unsigned k = 0; k < LLVMCountParams(f); k++) {
        LLVMValueRef p = LLVMGetParam(f, k);
        if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind && points_to(pointers, p) == MEMORY_MIXED)
            return true;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (called_function(call) == f && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind &&
            points_to(pointers, call) == MEMORY_MIXED)
            return true;
    }
    return false;
}

bool calls_settle(struct module *module) {
    struct pointers pointers = {0};
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !call_kept(f) || !leads_apart(&pointers, f)) continue;
        LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, MARK_KEPT,
                                         sizeof MARK_KEPT - 1);
        set_mark(module, f, mark_expand);
        tell(module, f, "is expanded in place after all", rule_text[RULE_CONSTANTS]);
        any = true;
    }
    free(pointers.known);
    return any;
}

static void own_copy(struct module *module, LLVMBuilderRef b, LLVMValueRef call, unsigned k, LLVMTypeRef type) {
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), from = LLVMGetOperand(call, k);
    unsigned alignment = LLVMABIAlignmentOfType(module->layout, type);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(caller)));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef own = LLVMBuildAlloca(b, type, "");
    if (LLVMGetAlignment(own) < alignment) LLVMSetAlignment(own, alignment);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef size =
        LLVMConstInt(LLVMInt32TypeInContext(module->context), LLVMABISizeOfType(module->layout, type), 0);
    LLVMBuildMemCpy(b, own, alignment, from, alignment, size);
    LLVMSetOperand(call, k, own);
}

void calls_own_copies(struct module *module) {
    static const char name[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !call_kept(f)) continue;
        for (unsigned k = 0; k < LLVMCountParams(f); k++) {
            LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(f, k + 1, kind);
            if (by_value == NULL) continue;
            LLVMTypeRef type = LLVMGetTypeAttributeValue(by_value);
            for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use)) {
                LLVMValueRef call = LLVMGetUser(use);
                if (called_function(call) != f) continue;
                own_copy(module, b, call, k, type);
                LLVMRemoveCallSiteEnumAttribute(call, k + 1, kind);
            }
            LLVMRemoveEnumAttributeAtIndex(f, k + 1, kind);
        }
    }
    LLVMDisposeBuilder(b);
}
