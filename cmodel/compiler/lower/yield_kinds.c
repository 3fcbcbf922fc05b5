// Kinds of YIELD. A loop of a program asks for one by calling tandem_yield(), tandem_yield_nth(n) or
// tandem_yield_random(p): the innermost loop around the call gets it, bounded or not. The mark that selection reads is
// a call in the loop's header.
#include "compiler/lower/yield_kinds.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "compiler/ir/names.h"

static const struct kind {
    const char *asked, *marked;
    unsigned most;  // of its number; 0: it has none
    const char *text;
} kinds[] = {
    [YIELD_KIND_AUTO] = {"", "", 0, ""},
    [YIELD_KIND_PLAIN] = {NAME_ASKS, NAME_YIELD, 0, ""},
    [YIELD_KIND_NTH] = {NAME_ASKS_NTH, NAME_YIELD_NTH, YIELD_NTH_MOST, "; not each time"},
    [YIELD_KIND_RANDOM] = {NAME_ASKS_RANDOM, NAME_YIELD_RANDOM, YIELD_RANDOM_MOST, "; at random"},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const char *yield_kind_text(enum yield_kind kind) {
    return kinds[kind].text;
}

static struct yield_options kind_of(struct module *module, LLVMValueRef call) {
    const char *name = name_of(LLVMGetCalledValue(call));
    enum yield_kind kind = YIELD_KIND_PLAIN;
    while (kind + 1 < KIND_COUNT && strcmp(kinds[kind].asked, name) != 0)
        kind++;
    const unsigned most = kinds[kind].most;
    if (most == 0) return (struct yield_options){.kind = kind};
    LLVMValueRef number = LLVMGetOperand(call, 0);
    unsigned long long n = LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : 0;
    if (n >= 1 && n <= most) return (struct yield_options){.kind = kind, .number = (unsigned)n};
    report_error(module->compilation, location_of(call),
                 "%s: its number must be from 1 to %u, and known when the program is compiled", name, most);
    return (struct yield_options){.kind = YIELD_KIND_PLAIN};
}

struct yield_options yield_asked(struct module *module, const struct ir_graph *graph, uint32_t l) {
    for (uint32_t b = 0; b < graph->block_count; b++) {
        if (graph->loops.innermost[b] != l) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(graph->blocks[b]); i != NULL; i = LLVMGetNextInstruction(i))
            if (asks_yield(i)) return kind_of(module, i);
    }
    return (struct yield_options){.kind = YIELD_KIND_AUTO};
}

void yield_asked_remove(struct module *module, const struct ir_graph *graph) {
    for (uint32_t b = 0; b < graph->block_count; b++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(graph->blocks[b]), next; i != NULL; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!asks_yield(i)) continue;
            if (graph->loops.innermost[b] == NONE)
                report_warning(module->compilation, location_of(i), "%s stands in no loop, so it does nothing",
                               name_of(LLVMGetCalledValue(i)));
            LLVMInstructionEraseFromParent(i);
        }
    }
}

// Other loads may still move past it: what other threads do to memory is no concern of a plain load.
static LLVMValueRef declare(struct module *module, const char *name, bool numbered) {
    LLVMValueRef known = LLVMGetNamedFunction(module->module, name);
    if (known != NULL) return known;
    LLVMTypeRef word = LLVMInt32TypeInContext(module->context), nothing = LLVMVoidTypeInContext(module->context);
    LLVMValueRef f = LLVMAddFunction(module->module, name, LLVMFunctionType(nothing, &word, numbered ? 1 : 0, 0));
    add_attribute(module->context, f, "nounwind", 0);
    add_attribute(module->context, f, "memory", INACCESSIBLE_MEMORY);
    return f;
}

void yield_mark(struct module *module, const struct ir_graph *graph, const struct loop *loop,
                struct yield_options kind) {
    const bool numbered = kinds[kind.kind].most != 0;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    LLVMValueRef at = LLVMGetFirstInstruction(graph->blocks[loop->header]);
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(b, at);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(at));
    LLVMValueRef f = declare(module, kinds[kind.kind].marked, numbered);
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(module->context), kind.number, 0);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &number, numbered ? 1 : 0, "");
    LLVMDisposeBuilder(b);
}
