// Work-groups of more items than threads (alias_turns): the kernel becomes
//
//     part = the first
//     do {
//         next = the end
//         for (turn = 0; turn < turns; turn++)
//             if (the item has not ended)
//                 switch (part) ...   what an item does up to its next barrier (next = what comes behind it), or its end
//         part = next
//         if (part == the end) return
//         barrier
//     }
//
// so that a barrier parts the work of all turns before it from that of all turns behind it. OpenCL wants all items of a
// group at the same barrier, so that one `part` serves for all turns; items that have ended before the others are known
// by a bit, where the control flow allows that. What an item keeps over a barrier goes to an array
// in private memory, with an element for each turn, and comes back behind it: values that are alive there (found by
// liveness), and private variables whose address is taken. What is cheap to compute from ids and arguments is computed
// in each turn instead.
//
// Values that live from block to block are put into variables first and taken out by LLVM (sroa) at the end, so that
// cutting the control flow at barriers needs no repair of phis.
#include "compiler/again/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/ir_graph.h"
#include "compiler/ir/loop_hints.h"
#include "compiler/ir/names.h"
#include "gen/isa.h"

enum {
    CHEAP = 8,                  // operations that are rather done again than kept
    CONVENTION_FUNCTION = 0,    // C's, as expand.c gives all functions
    TURNS_APART = 8,            // turns with code of their own
    INSTRUCTIONS_APART = 4000,  // of LLVM, of all of them
    PRIVATE_MOST = 1 << 20,     // bytes of a thread: more is a mistake of the program
};

struct slot {
    LLVMValueRef variable;  // of the turn in hand
    LLVMTypeRef type;
    LLVMValueRef kept;  // the array, NULL: never alive over a barrier
    LLVMTypeRef element;
};

struct site {  // a barrier
    LLVMBasicBlockRef before, behind, resumed;
    uint32_t behind_index;
};

struct turner {
    struct module *module;
    const struct alias_turns *turns;
    uint32_t count;  // of turns
    LLVMValueRef function;
    LLVMBuilderRef b;
    LLVMTypeRef word;
    LLVMBasicBlockRef entry, outer, head, dispatch, latch, done, end;
    LLVMValueRef turn, part, next;  // variables
    LLVMValueRef ended;             // a bit for each turn; NULL: all items end together
    LLVMValueRef turn_now;          // in `head`
    struct slot *slots;
    size_t slot_count, slot_capacity;
    struct site *sites;
    size_t site_count, site_capacity;
    LLVMValueRef barrier;  // one of them, out of its place
    uint64_t bytes;        // of a thread, kept
};

// Functions of the library that take it that the warp's threads are together.
static bool uses_shuffles(const struct module *module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) continue;
        const char *name = name_of(f);
        if (strstr(name, "sub_group_shuffle") != NULL || strstr(name, "sub_group_non_uniform") != NULL ||
            strstr(name, "sub_group_elect") != NULL)
            return true;
    }
    return false;
}

// A turn's work may part the threads of a warp, and no barrier stands between it and the next turn's.
static void meet_in_turns(const struct module *module, LLVMValueRef kernel) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(module->context), NULL, 0, 0);
    LLVMValueRef meet = LLVMAddFunction(module->module, NAME_TURN_MEET, type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL; block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), after; i != NULL; i = after) {
                after = LLVMGetNextInstruction(i);
                if (!is_barrier(i)) continue;
                LLVMPositionBuilderBefore(b, after);
                LLVMBuildCall2(b, type, meet, NULL, 0, "");
            }
        }
    }
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    LLVMBuildCall2(b, type, meet, NULL, 0, "");
    LLVMDisposeBuilder(b);
}

void turns_alone(struct module *module) {
    const struct alias_turns *turns = turns_of(module->compilation);
    if (turns == NULL) return;
    const char *name = module->compilation->options->metadata->kernel;
    const struct kernel_source *wanted = module_kernel(module, name);
    if (wanted == NULL) report_fatal(module->compilation, "metadata: the program has no kernel \"%s\"", name);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || f == wanted->function) continue;
        LLVMSetFunctionCallConv(f, CONVENTION_FUNCTION);
        LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    module->kernels[0] = *wanted;
    module->kernel_count = 1;
    module_run_passes(module, "globaldce");
    if (uses_shuffles(module)) meet_in_turns(module, wanted->function);
}

static LLVMValueRef number(const struct turner *t, uint64_t value) {
    return LLVMConstInt(t->word, value, 0);
}

static LLVMBasicBlockRef new_block(const struct turner *t, const char *name) {
    return LLVMAppendBasicBlockInContext(t->module->context, t->function, name);
}

static bool calls(LLVMValueRef i, const char *name) {
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    return f != NULL && strncmp(name_of(f), name, strlen(name)) == 0;
}

// ---- what cannot be turned ----

static bool refuse(const struct turner *t) {
    struct compilation *compilation = t->module->compilation;
    LLVMValueRef asks = LLVMGetNamedFunction(t->module->module, NAME_TURN);
    for (LLVMUseRef use = asks != NULL ? LLVMGetFirstUse(asks) : NULL; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (f == t->function) continue;
        report_error(
            compilation, location_of(user),
            "function %s stays a call and asks for the work-item's place: with work-groups larger than what is "
            "resident it must be expanded; take noinline away",
            name_of(f));
        return true;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAllocaInst(i) || LLVMIsAConstantInt(LLVMGetOperand(i, 0))) continue;
            report_error(compilation, location_of(i),
                         "a private array of a size that is not constant: a kernel with one cannot run in work-groups "
                         "larger than what is resident");
            return true;
        }
    }
    return false;
}

// ---- values into variables ----

static LLVMValueRef new_slot(struct turner *t, LLVMTypeRef type) {
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    LLVMValueRef variable = LLVMBuildAlloca(t->b, type, "");
    t->slots = grow(t->slots, t->slot_count, &t->slot_capacity, sizeof *t->slots);
    t->slots[t->slot_count++] = (struct slot){.variable = variable, .type = type};
    return variable;
}

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void phi_to_variable(struct turner *t, LLVMValueRef phi) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMValueRef variable = new_slot(t, type);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k);
        if (LLVMIsUndef(value)) continue;
        LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
        LLVMBuildStore(t->b, value, variable);
    }
    LLVMPositionBuilderBefore(t->b, first_behind_phis(LLVMGetInstructionParent(phi)));
    LLVMReplaceAllUsesWith(phi, LLVMBuildLoad2(t->b, type, variable, ""));
    LLVMInstructionEraseFromParent(phi);
}

static void phis_to_variables(struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        while (LLVMIsAPHINode(LLVMGetFirstInstruction(b)))
            phi_to_variable(t, LLVMGetFirstInstruction(b));
}

static bool leaves_block(LLVMValueRef i) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use != NULL; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(i)) return true;
    return false;
}

static void value_to_variable(struct turner *t, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMBasicBlockRef home = LLVMGetInstructionParent(i);
    LLVMValueRef variable = new_slot(t, type);
    size_t count = 0, capacity = 0;
    LLVMValueRef *users = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use != NULL; use = LLVMGetNextUse(use)) {
        if (LLVMGetInstructionParent(LLVMGetUser(use)) == home) continue;
        users = grow(users, count, &capacity, sizeof(LLVMValueRef));
        users[count++] = LLVMGetUser(use);
    }
    for (size_t k = 0; k < count; k++) {
        LLVMValueRef loaded = NULL;
        for (int o = 0; o < LLVMGetNumOperands(users[k]); o++) {
            if (LLVMGetOperand(users[k], (unsigned)o) != i) continue;
            LLVMPositionBuilderBefore(t->b, users[k]);
            if (loaded == NULL) loaded = LLVMBuildLoad2(t->b, type, variable, "");
            LLVMSetOperand(users[k], (unsigned)o, loaded);
        }
    }
    free(users);
    LLVMPositionBuilderBefore(t->b, LLVMGetNextInstruction(i));
    LLVMBuildStore(t->b, i, variable);
}

// Not `head`: what is there is done in each turn.
static void values_to_variables(struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        if (b == t->entry || b == t->head) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && leaves_block(i)) value_to_variable(t, i);
    }
}

// ---- what is computed in each turn ----

static bool is_cheap_operation(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMAdd:
        case LLVMSub:
        case LLVMMul:
        case LLVMAnd:
        case LLVMOr:
        case LLVMXor:
        case LLVMShl:
        case LLVMLShr:
        case LLVMAShr:
        case LLVMICmp:
        case LLVMSelect:
        case LLVMTrunc:
        case LLVMZExt:
        case LLVMSExt:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
        case LLVMGetElementPtr: return true;
        case LLVMUDiv:
        case LLVMURem: return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) && !LLVMIsNull(LLVMGetOperand(i, 1));
        case LLVMCall: return calls(i, NAME_TURN) || calls(i, NAME_SPECIAL) || calls(i, NAME_CONSTANT);
        default: return false;
    }
}

// Operations that a value is made of; more than CHEAP: it is not to be done again.
static unsigned cost_of(const struct turner *t, LLVMValueRef value) {
    if (LLVMIsAConstant(value) || LLVMIsAArgument(value)) return 0;
    if (!LLVMIsAInstruction(value)) return CHEAP + 1;
    if (LLVMGetInstructionParent(value) != t->head && !is_cheap_operation(value)) return CHEAP + 1;
    if (LLVMIsALoadInst(value)) return 0;  // the turn, in `head`
    unsigned cost = 1;
    const unsigned operands = LLVMIsACallInst(value) ? 0 : (unsigned)LLVMGetNumOperands(value);
    for (unsigned o = 0; o < operands && cost <= CHEAP; o++)
        cost += cost_of(t, LLVMGetOperand(value, o));
    return cost;
}

static bool operands_are_there(const struct turner *t, LLVMValueRef i) {
    for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef value = LLVMGetOperand(i, (unsigned)o);
        if (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) != t->head) return false;
    }
    return true;
}

static void move_to_end(const struct turner *t, LLVMValueRef i, LLVMBasicBlockRef block) {
    LLVMPositionBuilderAtEnd(t->b, block);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(t->b, i);
}

static void cheap_to_head(const struct turner *t) {
    for (bool moved = true; moved;) {
        moved = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
            if (b == t->entry || b == t->head) continue;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), after; i != NULL; i = after) {
                after = LLVMGetNextInstruction(i);
                if (!is_cheap_operation(i)) continue;
                if (calls(i, NAME_TURN)) {
                    LLVMReplaceAllUsesWith(i, t->turn_now);
                    LLVMInstructionEraseFromParent(i);
                } else if (operands_are_there(t, i) && cost_of(t, i) <= CHEAP) {
                    move_to_end(t, i, t->head);
                    moved = true;
                }
            }
        }
    }
}

// ---- private variables ----

static uint64_t bytes_of(const struct turner *t, LLVMTypeRef type) {
    return LLVMABISizeOfType(t->module->layout, type);
}

// The variable of the program has a place for each turn; without a barrier all turns use one.
static void widen(struct turner *t, LLVMValueRef variable) {
    const uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    const uint64_t align = LLVMGetAlignment(variable) > 4 ? LLVMGetAlignment(variable) : 4;
    const uint64_t size = (count * bytes_of(t, LLVMGetAllocatedType(variable)) + align - 1) / align * align;
    LLVMTypeRef byte = LLVMInt8TypeInContext(t->module->context), one = LLVMArrayType2(byte, size);
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    LLVMValueRef all = LLVMBuildAlloca(t->b, LLVMArrayType2(one, t->count), "");
    LLVMSetAlignment(all, (unsigned)align);
    LLVMPositionBuilderAtEnd(t->b, t->head);
    LLVMReplaceAllUsesWith(variable, LLVMBuildInBoundsGEP2(t->b, one, all, &t->turn_now, 1, ""));
    LLVMInstructionEraseFromParent(variable);
    t->bytes += size * t->count;
}

static void private_variables(struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        if (b == t->entry) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), after; i != NULL; i = after) {
            after = LLVMGetNextInstruction(i);
            if (calls(i, "llvm.lifetime.")) {
                LLVMInstructionEraseFromParent(i);
            } else if (LLVMIsAAllocaInst(i) && t->site_count > 0) {
                widen(t, i);
            } else if (LLVMIsAAllocaInst(i)) {
                move_to_end(t, i, t->entry);
            }
        }
    }
}

// ---- barriers ----

static void part_at(struct turner *t, LLVMValueRef barrier) {
    LLVMBasicBlockRef before = LLVMGetInstructionParent(barrier), behind = new_block(t, "behind");
    for (LLVMValueRef i = LLVMGetNextInstruction(barrier), after; i != NULL; i = after) {
        after = LLVMGetNextInstruction(i);
        move_to_end(t, i, behind);
    }
    LLVMPositionBuilderAtEnd(t->b, before);
    LLVMBuildBr(t->b, behind);
    if (t->barrier == NULL) {
        t->barrier = LLVMInstructionClone(barrier);
        for (unsigned k = 0; k < LLVMGetNumArgOperands(t->barrier);
             k++)  // selection waits for all memory, whatever they say
            LLVMSetOperand(t->barrier, k, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(barrier, k)), 1, 0));
    }
    LLVMInstructionEraseFromParent(barrier);
    t->sites = grow(t->sites, t->site_count, &t->site_capacity, sizeof *t->sites);
    t->sites[t->site_count++] = (struct site){.before = before, .behind = behind};
}

static bool has_barrier(const struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            if (is_barrier(i)) return true;
    return false;
}

static void part_at_barriers(struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            if (!is_barrier(i)) continue;
            part_at(t, i);
            break;  // the rest is in a block that comes later
        }
    }
}

// Blocks at whose beginning the variable is alive: those that load it, and up to where it was stored. Where a block does
// both, it loads first.
static void alive_at(const struct ir_graph *graph, const struct slot *slot, bool *alive, bool *stored,
                     uint32_t *stack) {
    size_t depth = 0;
    memset(alive, 0, graph->block_count * sizeof *alive);
    memset(stored, 0, graph->block_count * sizeof *stored);
    for (LLVMUseRef use = LLVMGetFirstUse(slot->variable); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const uint32_t block = ir_graph_index(graph, LLVMGetInstructionParent(user));
        if (LLVMIsAStoreInst(user)) stored[block] = true;
        if (!LLVMIsALoadInst(user) || alive[block]) continue;
        alive[block] = true;
        stack[depth++] = block;
    }
    while (depth > 0) {
        const uint32_t block = stack[--depth];
        for (size_t k = 0; k < graph->back.next_count[block]; k++) {
            const uint32_t from = graph->back.next[block][k];
            if (alive[from] || stored[from]) continue;
            alive[from] = true;
            stack[depth++] = from;
        }
    }
}

// A type that memory has, for integers of odd widths.
static LLVMTypeRef in_memory(const struct turner *t, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return LLVMVectorType(in_memory(t, LLVMGetElementType(type)), LLVMGetVectorSize(type));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return type;
    unsigned width = 8;
    while (width < LLVMGetIntTypeWidth(type))
        width *= 2;
    return LLVMIntTypeInContext(t->module->context, width);
}

static LLVMValueRef place_of(const struct turner *t, const struct slot *slot) {
    return LLVMBuildInBoundsGEP2(t->b, slot->element, slot->kept, (LLVMValueRef[]){t->turn_now}, 1, "");
}

static void keep_and_bring_back(struct turner *t, struct slot *slot, const struct site *site) {
    if (slot->kept == NULL) {
        slot->element = in_memory(t, slot->type);
        LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(t->entry));
        slot->kept = LLVMBuildAlloca(t->b, LLVMArrayType2(slot->element, t->count), "");
        t->bytes += bytes_of(t, slot->element) * t->count;
    }
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(site->before));
    LLVMValueRef value = LLVMBuildLoad2(t->b, slot->type, slot->variable, "");
    if (slot->element != slot->type) value = LLVMBuildZExt(t->b, value, slot->element, "");
    LLVMBuildStore(t->b, value, place_of(t, slot));
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(site->resumed));
    value = LLVMBuildLoad2(t->b, slot->element, place_of(t, slot), "");
    if (slot->element != slot->type) value = LLVMBuildTrunc(t->b, value, slot->type, "");
    LLVMBuildStore(t->b, value, slot->variable);
}

static void keep_over_barriers(struct turner *t) {
    struct ir_graph graph;
    ir_graph_make(&graph, t->function, t->module->layout);
    bool *alive = take(graph.block_count, 1), *stored = take(graph.block_count, 1);
    uint32_t *stack = take(graph.block_count, sizeof *stack);
    for (size_t s = 0; s < t->site_count; s++) {
        struct site *site = &t->sites[s];
        site->behind_index = ir_graph_index(&graph, site->behind);
        site->resumed = new_block(t, "resumed");
        LLVMPositionBuilderAtEnd(t->b, site->resumed);
        LLVMBuildBr(t->b, site->behind);
    }
    for (size_t k = 0; k < t->slot_count; k++) {
        if (LLVMGetFirstUse(t->slots[k].variable) == NULL) continue;
        alive_at(&graph, &t->slots[k], alive, stored, stack);
        for (size_t s = 0; s < t->site_count; s++)
            if (alive[t->sites[s].behind_index]) keep_and_bring_back(t, &t->slots[k], &t->sites[s]);
    }
    free(alive);
    free(stored);
    free(stack);
}

// ---- items that end before others ----

static bool is_before_barrier(const struct turner *t, LLVMBasicBlockRef block) {
    for (size_t s = 0; s < t->site_count; s++)
        if (t->sites[s].before == block) return true;
    return false;
}

// Whether there are ways from the block to a barrier and to the end, with no barrier on them.
static bool may_end_or_meet(const struct turner *t, const struct ir_graph *graph, uint32_t block, bool *seen,
                            uint32_t *stack) {
    bool ends = false, meets = false;
    size_t depth = 0;
    memset(seen, 0, graph->block_count * sizeof *seen);
    seen[block] = true;
    stack[depth++] = block;
    while (depth > 0) {
        const uint32_t from = stack[--depth];
        LLVMBasicBlockRef here = graph->blocks[from];
        const bool before = is_before_barrier(t, here);
        meets |= before;
        ends |= LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(here)) != NULL;
        for (size_t k = 0; k < graph->edges.next_count[from] && !before; k++) {
            const uint32_t to = graph->edges.next[from][k];
            if (!seen[to]) stack[depth++] = to;
            seen[to] = true;
        }
    }
    return ends && meets;
}

// Before barriers are taken out of the control flow; stands in `head`.
static void know_ended(struct turner *t, LLVMBasicBlockRef first) {
    struct ir_graph graph;
    ir_graph_make(&graph, t->function, t->module->layout);
    bool *seen = take(graph.block_count, 1);
    uint32_t *stack = take(graph.block_count, sizeof *stack);
    bool early = may_end_or_meet(t, &graph, ir_graph_index(&graph, first), seen, stack);
    for (size_t s = 0; s < t->site_count && !early; s++)
        early = may_end_or_meet(t, &graph, ir_graph_index(&graph, t->sites[s].behind), seen, stack);
    free(seen);
    free(stack);
    if (!early) return;
    const uint32_t words = (t->count + 31) / 32;
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(t->entry));
    t->ended = LLVMBuildAlloca(t->b, words > 1 ? LLVMArrayType2(t->word, words) : t->word, "ended");
    for (uint32_t k = 0; k < words; k++) {
        LLVMValueRef index = number(t, k);
        LLVMBuildStore(t->b, number(t, 0), LLVMBuildInBoundsGEP2(t->b, t->word, t->ended, &index, 1, ""));
    }
    if (words > 1) t->bytes += 4 * words;
}

static LLVMValueRef ended_word(const struct turner *t) {
    if (t->count <= 32) return t->ended;
    LLVMValueRef index = LLVMBuildLShr(t->b, t->turn_now, number(t, 5), "");
    return LLVMBuildInBoundsGEP2(t->b, t->word, t->ended, &index, 1, "");
}

static LLVMValueRef ended_bit(const struct turner *t) {
    LLVMValueRef bit = LLVMBuildAnd(t->b, t->turn_now, number(t, 31), "");
    return LLVMBuildShl(t->b, number(t, 1), bit, "");
}

// In a block of its own behind `head`.
static void skip_ended(struct turner *t, LLVMBasicBlockRef skip) {
    LLVMPositionBuilderAtEnd(t->b, skip);
    LLVMValueRef bit = LLVMBuildAnd(t->b, LLVMBuildLoad2(t->b, t->word, ended_word(t), ""), ended_bit(t), "");
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, bit, number(t, 0), ""), t->dispatch, t->latch);
}

// The kernel's returns.
static void end_items(struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef ret = LLVMGetBasicBlockTerminator(b);
        if (ret == NULL || !LLVMIsAReturnInst(ret)) continue;
        LLVMInstructionEraseFromParent(ret);
        LLVMPositionBuilderAtEnd(t->b, b);
        if (t->ended != NULL) {
            LLVMValueRef word = ended_word(t), bits = LLVMBuildLoad2(t->b, t->word, word, "");
            LLVMBuildStore(t->b, LLVMBuildOr(t->b, bits, ended_bit(t), ""), word);
        }
        LLVMBuildBr(t->b, t->latch);
    }
}

// ---- the loops around ----

static LLVMValueRef load_word(const struct turner *t, LLVMValueRef variable) {
    return LLVMBuildLoad2(t->b, t->word, variable, "");
}

// The blocks, empty but for `head`, and a way from `entry` through the kernel, so that it is a function all the time.
static void make_blocks(struct turner *t) {
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(t->function);
    t->entry = LLVMInsertBasicBlockInContext(t->module->context, first, "turns");
    t->outer = new_block(t, "phase");
    t->head = new_block(t, "turn");
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    t->turn = LLVMBuildAlloca(t->b, t->word, "turn");
    t->part = LLVMBuildAlloca(t->b, t->word, "part");
    t->next = LLVMBuildAlloca(t->b, t->word, "next");
    LLVMPositionBuilderAtEnd(t->b, t->head);
    t->turn_now = load_word(t, t->turn);
}

static LLVMValueRef special_register(const struct turner *t) {
    LLVMValueRef known = LLVMGetNamedFunction(t->module->module, NAME_SPECIAL);
    if (known != NULL) return known;
    LLVMTypeRef word = t->word;
    return LLVMAddFunction(t->module->module, NAME_SPECIAL, LLVMFunctionType(t->word, &word, 1, 0));
}

static void close_loops(struct turner *t, LLVMBasicBlockRef first) {
    const uint32_t end = (uint32_t)t->site_count + 1;
    const uint32_t *local = t->turns->local, items = local[0] * local[1] * local[2];
    t->dispatch = new_block(t, "dispatch");
    t->latch = new_block(t, "turned");
    t->done = new_block(t, "done");
    t->end = new_block(t, "end");
    LLVMBasicBlockRef around = t->site_count > 0 ? new_block(t, "meet") : t->end;
    LLVMBuildStore(t->b, number(t, 0), t->part);
    LLVMPositionBuilderAtEnd(t->b, t->outer);
    LLVMBuildStore(t->b, number(t, 0), t->turn);
    LLVMBuildStore(t->b, number(t, end), t->next);
    LLVMBuildBr(t->b, t->head);
    LLVMBasicBlockRef into = t->ended != NULL ? new_block(t, "ended") : t->dispatch;
    if (t->ended != NULL) skip_ended(t, into);
    // The last turn may have fewer items.
    LLVMPositionBuilderAtEnd(t->b, t->head);
    if (items % t->turns->resident != 0) {
        LLVMValueRef f = special_register(t), tid = number(t, SR_TID_X);
        tid = LLVMBuildCall2(t->b, LLVMGlobalGetValueType(f), f, &tid, 1, "");
        LLVMValueRef item = LLVMBuildMul(t->b, t->turn_now, number(t, t->turns->resident), "");
        item = LLVMBuildAdd(t->b, item, tid, "");
        LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntULT, item, number(t, items), ""), into, t->latch);
    } else {
        LLVMBuildBr(t->b, into);
    }
    LLVMPositionBuilderAtEnd(t->b, t->dispatch);
    LLVMValueRef parts = LLVMBuildSwitch(t->b, load_word(t, t->part), first, (unsigned)t->site_count);
    for (size_t s = 0; s < t->site_count; s++) {
        LLVMAddCase(parts, number(t, s + 1), t->sites[s].resumed);
        LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(t->sites[s].before));
        LLVMPositionBuilderAtEnd(t->b, t->sites[s].before);
        LLVMBuildStore(t->b, number(t, s + 1), t->next);
        LLVMBuildBr(t->b, t->latch);
    }
    end_items(t);
    LLVMPositionBuilderAtEnd(t->b, t->latch);
    LLVMValueRef turned = LLVMBuildAdd(t->b, load_word(t, t->turn), number(t, 1), "");
    LLVMBuildStore(t->b, turned, t->turn);
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntULT, turned, number(t, t->count), ""), t->head, t->done);
    LLVMPositionBuilderAtEnd(t->b, t->done);
    LLVMValueRef part = load_word(t, t->next);
    LLVMBuildStore(t->b, part, t->part);
    if (t->site_count > 0) {
        LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, part, number(t, end), ""), t->end, around);
        LLVMPositionBuilderAtEnd(t->b, around);
        LLVMInsertIntoBuilder(t->b, t->barrier);
        LLVMBuildBr(t->b, t->outer);
    } else {
        LLVMBuildBr(t->b, t->end);
    }
    LLVMPositionBuilderAtEnd(t->b, t->end);
    LLVMBuildRet(t->b, NULL);
}

static void take_turns(struct turner *t) {
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(t->function);
    make_blocks(t);
    if (has_barrier(t)) {
        phis_to_variables(t);
        part_at_barriers(t);
    }
    private_variables(t);
    cheap_to_head(t);
    // For the graph: entry, phase and head lead into the kernel.
    LLVMPositionBuilderAtEnd(t->b, t->outer);
    LLVMValueRef ways[2] = {LLVMBuildBr(t->b, t->head), NULL};
    LLVMPositionBuilderAtEnd(t->b, t->head);
    ways[1] = LLVMBuildBr(t->b, first);
    if (t->site_count > 0) values_to_variables(t);
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    LLVMBuildBr(t->b, t->outer);
    if (t->site_count > 0) {
        know_ended(t, first);
        keep_over_barriers(t);
    }
    LLVMInstructionEraseFromParent(ways[0]);
    LLVMInstructionEraseFromParent(ways[1]);
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(t->entry));
    close_loops(t, first);
}

// Whether each turn gets code of its own: places of what is kept are then constants, so that registers can have it.
static bool is_short(const struct turner *t) {
    unsigned count = 0;
    if (t->site_count == 0 || t->count > TURNS_APART) return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            count++;
    return count * t->count <= INSTRUCTIONS_APART;
}

void turns_take(struct module *module) {
    const struct alias_turns *turns = turns_of(module->compilation);
    const uint32_t items = turns->local[0] * turns->local[1] * turns->local[2];
    struct turner t = {.module = module, .turns = turns, .function = module->kernels[0].function};
    t.count = (items + turns->resident - 1) / turns->resident;
    t.word = LLVMInt32TypeInContext(module->context);
    if (refuse(&t)) compilation_end(module->compilation);
    t.b = LLVMCreateBuilderInContext(module->context);
    take_turns(&t);
    LLVMDisposeBuilder(t.b);
    if (t.bytes > PRIVATE_MOST) {
        report_error(module->compilation, location_of_function(t.function),
                     "kernel %s: a work-group of %u items is done in %u turns, and what they keep over barriers takes "
                     "%llu bytes of private memory a thread, at most %u",
                     module->kernels[0].name, items, t.count, (unsigned long long)t.bytes, (unsigned)PRIVATE_MOST);
        compilation_end(module->compilation);
    }
    text_format(&module->compilation->report,
                "turns: %u of %u threads; %zu barriers; %llu bytes of private memory kept over them\n", t.count,
                turns->resident, t.site_count, (unsigned long long)t.bytes);
    module_run_passes(module, "function(sroa)");
    if (is_short(&t)) {
        loop_hint(module->context, t.latch, HINT_UNROLL_FULLY, 0);
        module_run_passes(module, "function(loop-simplify,lcssa,loop-unroll<O2;full-unroll-max=8>,sroa)");
    }
    module_run_passes(module, "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg,early-cse<memssa>,sink,dce)");
}
