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
#include "compiler/ir/loop_waits.h"
#include "compiler/ir/names.h"
#include "compiler/ir/trip_count.h"
#include "compiler/lower/yield_kinds.h"

enum { SELDOM = 256 };  // of a loop that waits for nobody: as many as the hardware counts

static const char *const verdicts[TRIP_VERDICTS] = {
    [TRIP_NO_EXIT] = "unbounded, YIELD: there is no exit",
    [TRIP_DATA] = "unbounded, YIELD: no exit that every iteration passes compares a counter",
    [TRIP_STEP] = "unbounded, YIELD: what is compared does not step in one direction each time",
    [TRIP_BOUND] = "unbounded, YIELD: what the counter is compared with changes in the loop",
    [TRIP_PAST] = "unbounded, YIELD: the counter may miss, or wrap past, what it is compared with",
    [TRIP_LARGE] = "unbounded, YIELD: a counter comes to a value that the loop does not change, but not soon",
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

// Whether others may have to go on for the loop to end, or wait for what is done in it.
static bool waits(const struct ir_graph *graph, const struct loop *loop) {
    for (uint32_t b = 0; b < graph->block_count; b++) {
        if (!loop->blocks[b]) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(graph->blocks[b]); i != NULL; i = LLVMGetNextInstruction(i))
            if (meets_others(i)) return true;
    }
    return loop_waits(graph, loop);
}

// The kind for a loop that asks for none of its own.
static struct yield_options usual_kind(const struct yields *y, const struct loop *loop) {
    const struct compiler_options *options = y->module->compilation->options;
    if (options->yield.kind != YIELD_KIND_AUTO) return options->yield;
    if (waits(&y->graph, loop)) return (struct yield_options){.kind = YIELD_KIND_PLAIN};
    return (struct yield_options){.kind = YIELD_KIND_NTH, .number = SELDOM};
}

static void mark_loop(struct yields *y, const char *kind, const char *name, uint32_t l) {
    struct compilation *compilation = y->module->compilation;
    const struct compiler_options *options = compilation->options;
    const struct loop *loop = &y->graph.loops.loops[l];
    enum trip_count verdict = trip_count(&y->graph, loop);
    bool bounded = trip_count_bounded(verdict), polls = bounded && loop_waits(&y->graph, loop);
    const char *text =
        polls ? "unbounded, YIELD: an exit depends on what another thread can change" : verdicts[verdict];
    const char *more = "";
    struct yield_options yield = yield_asked(y->module, &y->graph, l);
    bounded &= !polls;
    if (asks(&y->graph, l)) {
        text = "YIELD: it waits for others (device library)";
        y->marked[l] = true;
    } else if (!bounded && yield.kind == YIELD_KIND_AUTO && meets(&y->graph, loop)) {
        text = "unbounded, no YIELD: all threads meet at a barrier each time";
    } else if (options->no_yields) {
        if (!bounded) text = "unbounded, no YIELD: switched off";
    } else if (yield.kind != YIELD_KIND_AUTO) {
        if (bounded) text = "bounded, YIELD: the loop asks for it";
        more = yield_kind_text(yield.kind);
        y->marked[l] = true;
        yield_mark(y->module, &y->graph, loop, yield);
    } else if (!bounded || (options->yields_everywhere && !meets(&y->graph, loop))) {
        if (bounded) text = "bounded, YIELD: asked for in every loop";
        yield = usual_kind(y, loop);
        more = options->yield.kind != YIELD_KIND_AUTO ? yield_kind_text(yield.kind)
               : yield.kind == YIELD_KIND_NTH         ? "; it waits for nobody, so seldom"
                                                      : "";
        y->marked[l] = true;
        yield_mark(y->module, &y->graph, loop, yield);
    }
    text_format(&compilation->loops, "%s:%u: %s %s, loop of depth %u: %s%s\n", compilation->name,
                line_of(&y->graph, loop), kind, name, loop->depth, text, more);
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
    yield_asked_remove(y->module, &y->graph);
    y->yielding[node] = yields_itself(y, node);
    for (size_t e = 0; e < y->calls.nodes[node].edge_count; e++)
        y->yielding[node] |= y->yielding[y->calls.nodes[node].edges[e].callee];
    find_apart(y);
    add_meetings(y);
}

static void check_options(struct compilation *compilation) {
    const struct yield_options *yield = &compilation->options->yield;
    const uint32_t most = yield->kind == YIELD_KIND_NTH      ? YIELD_NTH_MOST
                          : yield->kind == YIELD_KIND_RANDOM ? YIELD_RANDOM_MOST
                                                             : UINT32_MAX;
    if (most != UINT32_MAX && (yield->number < 1 || yield->number > most))
        report_fatal(compilation, "kind of YIELD: its number is %u, must be from 1 to %u", yield->number, most);
}

bool yields_place(struct module *module) {
    struct yields y = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    check_options(module->compilation);
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
