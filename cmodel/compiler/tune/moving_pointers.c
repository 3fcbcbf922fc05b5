// Addresses that go on by the same step with each turn of a loop become pointers of their own, which are moved instead
// of made anew from a counter:
//
//     for (k ..) use(b + 4 * n * k)    ->    for (p = b; ..; p += 4 * n) use(p)
//
// It pays where the index is more than the counter itself. LLVM's own (loop-reduce) asks a target machine what
// addresses cost.
#include "compiler/tune/moving_pointers.h"

#include <stdlib.h>

#include "compiler/ir/ir_graph.h"

enum { POINTERS_MAX = 8, DEPTH_MAX = 8 };

struct place {
    const struct ir_graph *graph;
    const struct loop *loop;
    LLVMBasicBlockRef before, latch;
    LLVMBuilderRef b;  // at the end of `before`
};

// start and step of a number in the loop, NULL: not made yet; made only where wanted.
struct course {
    LLVMValueRef start, step;
};

static bool inside(const struct place *p, LLVMValueRef v) {
    return ir_graph_inside(p->graph, p->loop, v);
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
    return NULL;
}

// phi of the loop's head to which each turn adds what the loop does not change.
static bool counter(const struct place *p, LLVMValueRef v, struct course *to) {
    if (LLVMIsAPHINode(v) == NULL || LLVMGetInstructionParent(v) != p->graph->blocks[p->loop->header] ||
        LLVMCountIncoming(v) != 2)
        return false;
    LLVMValueRef next = incoming_from(v, p->latch), start = incoming_from(v, p->before);
    if (next == NULL || start == NULL || LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        if (LLVMGetOperand(next, k) != v || inside(p, LLVMGetOperand(next, 1 - k))) continue;
        *to = (struct course){start, LLVMGetOperand(next, 1 - k)};
        return true;
    }
    return false;
}

// Start and step of v. `make`: builds what they need before the loop; else only says whether there are any.
static bool course_of(const struct place *p, LLVMValueRef v, bool make, unsigned depth, struct course *to) {
    if (!inside(p, v)) {
        *to = (struct course){v, LLVMConstNull(LLVMTypeOf(v))};
        return true;
    }
    if (counter(p, v, to)) return true;
    if (depth == 0) return false;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl) return false;
    struct course a, c;
    if (!course_of(p, LLVMGetOperand(v, 0), make, depth - 1, &a)) return false;
    if (op == LLVMMul || op == LLVMShl) {
        LLVMValueRef factor = LLVMGetOperand(v, 1);
        if (inside(p, factor) && (op == LLVMShl || inside(p, LLVMGetOperand(v, 0)))) return false;
        if (inside(p, factor)) {  // the other one is fixed
            factor = LLVMGetOperand(v, 0);
            if (!course_of(p, LLVMGetOperand(v, 1), make, depth - 1, &a)) return false;
        }
        if (!make) return true;
        to->start = op == LLVMMul ? LLVMBuildMul(p->b, a.start, factor, "") : LLVMBuildShl(p->b, a.start, factor, "");
        to->step = op == LLVMMul ? LLVMBuildMul(p->b, a.step, factor, "") : LLVMBuildShl(p->b, a.step, factor, "");
        return true;
    }
    if (!course_of(p, LLVMGetOperand(v, 1), make, depth - 1, &c)) return false;
    if (!make) return true;
    to->start = op == LLVMAdd ? LLVMBuildAdd(p->b, a.start, c.start, "") : LLVMBuildSub(p->b, a.start, c.start, "");
    to->step = op == LLVMAdd ? LLVMBuildAdd(p->b, a.step, c.step, "") : LLVMBuildSub(p->b, a.step, c.step, "");
    return true;
}

// Whether v is an address of bytes from a fixed pointer with an index that goes on evenly and is no counter itself.
static bool worth_it(const struct place *p, LLVMValueRef v) {
    struct course course;
    if (LLVMIsAGetElementPtrInst(v) == NULL || LLVMGetNumOperands(v) != 2 || inside(p, LLVMGetOperand(v, 0)) ||
        LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
        return false;
    LLVMValueRef index = LLVMGetOperand(v, 1);
    LLVMTypeRef element = LLVMGetGEPSourceElementType(v);
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) != 8) return false;
    return LLVMGetIntTypeWidth(LLVMTypeOf(index)) == 32 && inside(p, index) && LLVMIsAPHINode(index) == NULL &&
           course_of(p, index, false, DEPTH_MAX, &course);
}

static void move(const struct place *p, LLVMValueRef address) {
    struct course course;
    LLVMTypeRef byte = LLVMGetGEPSourceElementType(address);
    LLVMValueRef base = LLVMGetOperand(address, 0);
    LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(p->before));
    (void)course_of(p, LLVMGetOperand(address, 1), true, DEPTH_MAX, &course);
    LLVMValueRef start = LLVMBuildGEP2(p->b, byte, base, &course.start, 1, "");
    LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(p->graph->blocks[p->loop->header]));
    LLVMValueRef phi = LLVMBuildPhi(p->b, LLVMTypeOf(address), "");
    LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(p->latch));
    LLVMValueRef next = LLVMBuildGEP2(p->b, byte, phi, &course.step, 1, "");
    LLVMValueRef values[2] = {start, next};
    LLVMBasicBlockRef blocks[2] = {p->before, p->latch};
    LLVMAddIncoming(phi, values, blocks, 2);
    LLVMReplaceAllUsesWith(address, phi);
}

static void move_in_loop(struct place *p) {
    unsigned moved = 0;
    for (uint32_t b = 0; b < p->graph->block_count; b++) {
        if (!p->loop->blocks[b]) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->graph->blocks[b]), next; i != NULL && moved < POINTERS_MAX;
             i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMGetFirstUse(i) == NULL || !worth_it(p, i)) continue;
            move(p, i);
            moved++;
        }
    }
}

// The one block outside from which the loop is entered and that goes nowhere else, and the one that jumps back.
static bool find_ways(struct place *p) {
    p->before = p->latch = NULL;
    for (size_t k = 0; k < p->graph->back.next_count[p->loop->header]; k++) {
        const uint32_t from = p->graph->back.next[p->loop->header][k];
        LLVMBasicBlockRef *to = p->loop->blocks[from] ? &p->latch : &p->before;
        if (*to != NULL) return false;
        *to = p->graph->blocks[from];
    }
    return p->before != NULL && p->latch != NULL && LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(p->before)) == 1;
}

void pointers_move(const struct module *module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || has_attribute(f, "optnone")) continue;
        struct ir_graph graph;
        ir_graph_make(&graph, f, module->layout);
        LLVMSetCurrentDebugLocation2(b, NULL);
        for (size_t l = 0; l < graph.loops.count && !graph.loops.irreducible; l++) {
            struct place place = {.graph = &graph, .loop = &graph.loops.loops[l], .b = b};
            if (find_ways(&place)) move_in_loop(&place);
        }
    }
    LLVMDisposeBuilder(b);
}
