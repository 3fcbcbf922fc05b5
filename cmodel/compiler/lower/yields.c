// Where the threads of a warp have to let each other go on: a YIELD in every loop that has no bound of its own, and in
// no other. Here such a loop gets a call of NAME_YIELD in its header; reconverge.c puts the instruction on its back
// edge.
//
// A YIELD parts the threads of a warp: some may leave the loop and run ahead. BAR wants them together, so a barrier
// that can be reached from such a loop is preceded by a meeting of those that were together before the first of these
// loops. A loop all of whose threads meet at a barrier each time gets no YIELD: nobody is left behind in it.
#include "compiler/lower/yields.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/ir/call_graph.h"
#include "compiler/ir/names.h"
#include "compiler/ir/trip_count.h"

enum { INACCESSIBLE_MEMORY = 3 << 2 };  // LLVM's code of memory(inaccessiblemem: readwrite)

static const char *const verdicts[TRIP_VERDICTS] = {
    [TRIP_NO_EXIT] = "unbounded, YIELD: there is no exit",
    [TRIP_DATA] = "unbounded, YIELD: no exit that every iteration passes compares a counter",
    [TRIP_STEP] = "unbounded, YIELD: what is compared does not step in one direction each time",
    [TRIP_BOUND] = "unbounded, YIELD: what the counter is compared with changes in the loop",
    [TRIP_PAST] = "unbounded, YIELD: the counter may miss, or wrap past, what it is compared with",
    [TRIP_COUNTED] = "bounded: a counter comes to a value that the loop does not change",
    [TRIP_TOWARDS] = "bounded: a counter steps towards a limit that the loop does not change",
    [TRIP_SHRINKS] = "bounded: a value shrinks to 0",
};

struct yields {
    struct module *module;
    LLVMBuilderRef b;
    struct ir_graph graph;
    bool *marked;  // of each loop: has a YIELD
    bool *apart;   // of each node: threads may have been parted by a YIELD
    size_t met;    // barriers that got a meeting
    struct call_graph calls;
    bool *yielding;  // of each function: threads may YIELD in it
};

static LLVMValueRef find_in(LLVMBasicBlockRef block, bool barrier) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i))
        if (barrier ? is_barrier(i) : is_yield(i)) return i;
    return NULL;
}

static LLVMValueRef declare(struct module *module, const char *name, LLVMTypeRef result, LLVMTypeRef parameter) {
    LLVMValueRef known = LLVMGetNamedFunction(module->module, name);
    if (known != NULL) return known;
    return LLVMAddFunction(module->module, name, LLVMFunctionType(result, &parameter, parameter != NULL ? 1 : 0, 0));
}

// Other loads may still move past it: what other threads do to memory is no concern of a plain load.
static LLVMValueRef declare_yield(struct module *module, const char *name) {
    LLVMValueRef known = LLVMGetNamedFunction(module->module, name);
    if (known != NULL) return known;
    LLVMValueRef f = declare(module, name, LLVMVoidTypeInContext(module->context), NULL);
    add_attribute(module->context, f, "nounwind", 0);
    add_attribute(module->context, f, "memory", INACCESSIBLE_MEMORY);
    return f;
}

// The line where the loop begins: clang leaves it at the back edge.
static unsigned line_of(const struct ir_graph *graph, const struct loop *loop) {
    static const char kind_name[] = "llvm.loop";
    unsigned kind = LLVMGetMDKindID(kind_name, sizeof kind_name - 1), line = 0;
    for (size_t k = 0; k < graph->back.next_count[loop->header] && line == 0; k++) {
        uint32_t latch = graph->back.next[loop->header][k];
        if (!loop->blocks[latch]) continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[latch]), node = LLVMGetMetadata(end, kind);
        unsigned count = node != NULL ? LLVMGetMDNodeNumOperands(node) : 0;
        LLVMValueRef *operands = take(count, sizeof(LLVMValueRef));
        if (count > 0) LLVMGetMDNodeOperands(node, operands);
        for (unsigned i = 1; i < count && line == 0; i++) {
            LLVMMetadataRef at = operands[i] != NULL ? LLVMValueAsMetadata(operands[i]) : NULL;
            if (at != NULL && LLVMGetMetadataKind(at) == LLVMDILocationMetadataKind) line = LLVMDILocationGetLine(at);
        }
        free(operands);
        if (line == 0) line = location_of(end).line;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(graph->blocks[loop->header]); i != NULL && line == 0;
         i = LLVMGetNextInstruction(i))
        line = location_of(i).line;
    return line;
}

// Whether every iteration passes a barrier.
static bool meets(const struct ir_graph *graph, const struct loop *loop) {
    for (uint32_t b = 0; b < graph->block_count; b++)
        if (loop->blocks[b] && ir_graph_every_time(graph, loop, b) && find_in(graph->blocks[b], true) != NULL)
            return true;
    return false;
}

// A YIELD that the device library asks for itself.
static bool asks(const struct ir_graph *graph, uint32_t l) {
    for (uint32_t b = 0; b < graph->block_count; b++)
        if (graph->loops.innermost[b] == l && find_in(graph->blocks[b], false) != NULL) return true;
    return false;
}

// Whether an instruction can be what a loop waits for others with, or lets them go on with: anything that another
// thread is certain to see, or that is certain to see what another thread does.
static bool meets_others(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        return LLVMGetVolatile(i) != 0 || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i)) return true;
    if (!LLVMIsACallInst(i)) return false;
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(i));
    if (f == NULL) return true;
    if (LLVMGetIntrinsicID(f) != 0) return false;
    static const char memory[] = "memory";
    LLVMAttributeRef effects = LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                           LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1));
    return effects == NULL || LLVMGetEnumAttributeValue(effects) != 0;
}

static bool waits(const struct ir_graph *graph, const struct loop *loop) {
    for (uint32_t b = 0; b < graph->block_count; b++) {
        if (!loop->blocks[b]) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(graph->blocks[b]); i != NULL; i = LLVMGetNextInstruction(i))
            if (meets_others(i)) return true;
    }
    return false;
}

static void mark_loop(struct yields *y, const char *kind, const char *name, uint32_t l) {
    struct compilation *compilation = y->module->compilation;
    const struct loop *loop = &y->graph.loops.loops[l];
    enum trip_count verdict = trip_count(&y->graph, loop);
    const char *text = verdicts[verdict];
    bool seldom = false;
    if (asks(&y->graph, l)) {
        text = "YIELD: it waits for others (device library)";
        y->marked[l] = true;
    } else if (!trip_count_bounded(verdict) || compilation->options->yields_everywhere) {
        if (meets(&y->graph, loop)) {
            if (!trip_count_bounded(verdict)) text = "unbounded, no YIELD: all threads meet at a barrier each time";
        } else if (compilation->options->no_yields) {
            text = "unbounded, no YIELD: switched off";
        } else {
            if (trip_count_bounded(verdict)) text = "bounded, YIELD: asked for in every loop";
            y->marked[l] = true;
            seldom = !waits(&y->graph, loop);
            LLVMValueRef at = LLVMGetFirstInstruction(y->graph.blocks[loop->header]);
            while (LLVMIsAPHINode(at))
                at = LLVMGetNextInstruction(at);
            LLVMPositionBuilderBefore(y->b, at);
            LLVMSetCurrentDebugLocation2(y->b, LLVMInstructionGetDebugLoc(at));
            LLVMValueRef yield = declare_yield(y->module, seldom ? NAME_YIELD_SELDOM : NAME_YIELD);
            LLVMBuildCall2(y->b, LLVMGlobalGetValueType(yield), yield, NULL, 0, "");
        }
    }
    text_format(&compilation->loops, "%s:%u: %s %s, loop of depth %u: %s%s\n", compilation->name,
                line_of(&y->graph, loop), kind, name, loop->depth, text,
                seldom ? "; it waits for nobody, so seldom" : "");
}

static bool calls_yielding(const struct yields *y, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef f = called_function(i);
        if (f != NULL && y->yielding[call_graph_find(&y->calls, f)]) return true;
    }
    return false;
}

static void spread_apart(struct yields *y, uint32_t *stack, uint32_t from) {
    const struct graph *edges = &y->graph.edges;
    size_t depth = 0;
    if (y->apart[from]) return;
    y->apart[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        uint32_t node = stack[--depth];
        for (size_t k = 0; k < edges->next_count[node]; k++) {
            uint32_t to = edges->next[node][k];
            if (y->apart[to]) continue;
            y->apart[to] = true;
            stack[depth++] = to;
        }
    }
}

static void find_apart(struct yields *y) {
    uint32_t *stack = take(y->graph.block_count, sizeof *stack);
    y->apart = take(y->graph.block_count, sizeof *y->apart);
    for (uint32_t l = 0; l < y->graph.loops.count; l++)
        if (y->marked[l]) spread_apart(y, stack, y->graph.loops.loops[l].header);
    for (uint32_t b = 0; b < y->graph.block_count; b++)
        if (calls_yielding(y, y->graph.blocks[b])) spread_apart(y, stack, b);
    free(stack);
}

// The last place before this block where all are still together: an instruction to put others before.
static LLVMValueRef last_together(const struct yields *y, uint32_t block) {
    while (block != 0 && y->apart[block])
        block = y->graph.dominator[block];
    // The first block may itself call a function that parts them.
    return y->apart[block] ? LLVMGetFirstInstruction(y->graph.blocks[block])
                           : LLVMGetBasicBlockTerminator(y->graph.blocks[block]);
}

static void add_meetings(struct yields *y) {
    LLVMTypeRef pair = LLVMVectorType(LLVMInt32TypeInContext(y->module->context), 2);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(y->module->context);
    for (uint32_t b = 0; b < y->graph.block_count; b++) {
        if (!y->apart[b]) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(y->graph.blocks[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!is_barrier(i)) continue;
            LLVMValueRef warp = declare(y->module, "tandem_work_warp", pair, NULL);
            LLVMValueRef meet = declare(y->module, "tandem_work_meet", nothing, pair);
            LLVMPositionBuilderBefore(y->b, last_together(y, b));
            LLVMSetCurrentDebugLocation2(y->b, LLVMInstructionGetDebugLoc(i));
            LLVMValueRef threads = LLVMBuildCall2(y->b, LLVMGlobalGetValueType(warp), warp, NULL, 0, "");
            LLVMPositionBuilderBefore(y->b, i);
            LLVMSetCurrentDebugLocation2(y->b, LLVMInstructionGetDebugLoc(i));
            LLVMBuildCall2(y->b, LLVMGlobalGetValueType(meet), meet, &threads, 1, "");
            y->met++;
        }
    }
}

static const char *kernel_name(const struct module *module, LLVMValueRef f) {
    for (size_t k = 0; k < module->kernel_count; k++)
        if (module->kernels[k].function == f) return module->kernels[k].name;
    return NULL;
}

static bool yields_itself(const struct yields *y, size_t node) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(y->calls.nodes[node].function); b != NULL;
         b = LLVMGetNextBasicBlock(b))
        if (find_in(b, false) != NULL) return true;
    return false;
}

static void mark_function(struct yields *y, size_t node) {
    LLVMValueRef function = y->calls.nodes[node].function;
    const char *kernel = kernel_name(y->module, function);
    size_t length;
    ir_graph_make(&y->graph, function, y->module->layout);
    y->marked = take(y->graph.loops.count, sizeof *y->marked);
    // Outer loops come last; tell them first.
    for (size_t l = y->graph.loops.count; l-- > 0;)
        mark_loop(y, kernel != NULL ? "kernel" : "function",
                  kernel != NULL ? kernel : LLVMGetValueName2(function, &length), (uint32_t)l);
    y->yielding[node] = yields_itself(y, node);
    for (size_t e = 0; e < y->calls.nodes[node].edge_count; e++)
        y->yielding[node] |= y->yielding[y->calls.nodes[node].edges[e].callee];
    find_apart(y);
    add_meetings(y);
}

bool yields_place(struct module *module) {
    struct yields y = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    module_run_passes(module, "function(lower-switch,loop-simplify,fix-irreducible,loop-simplify)");
    LLVMValueRef *kernels = take(module->kernel_count, sizeof(LLVMValueRef));
    for (size_t k = 0; k < module->kernel_count; k++)
        kernels[k] = module->kernels[k].function;
    call_graph_make(&y.calls, kernels, module->kernel_count);
    y.yielding = take(y.calls.count, sizeof *y.yielding);
    for (size_t node = 0; node < y.calls.count; node++)
        mark_function(&y, node);
    LLVMDisposeBuilder(y.b);
    free(kernels);
    free(y.yielding);
    call_graph_free(&y.calls);
    return y.met > 0;
}
