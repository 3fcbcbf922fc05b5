// Where turns.c cuts a kernel: at its barriers; what is kept over them; which items have ended before.
#include "compiler/again/turner.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/ir/ir_graph.h"
#include "compiler/ir/names.h"

// ---- barriers ----

static void part_at(struct turner *t, LLVMValueRef barrier) {
    LLVMBasicBlockRef before = LLVMGetInstructionParent(barrier), behind = turner_block(t, "behind");
    for (LLVMValueRef i = LLVMGetNextInstruction(barrier), after; i != NULL; i = after) {
        after = LLVMGetNextInstruction(i);
        turner_move_to_end(t, i, behind);
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

bool has_barrier(const struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            if (is_barrier(i)) return true;
    return false;
}

void part_at_barriers(struct turner *t) {
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
        t->bytes += turner_bytes(t, slot->element) * t->count;
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

void keep_over_barriers(struct turner *t) {
    struct ir_graph graph;
    ir_graph_make(&graph, t->function, t->module->layout);
    bool *alive = take(graph.block_count, 1), *stored = take(graph.block_count, 1);
    uint32_t *stack = take(graph.block_count, sizeof *stack);
    for (size_t s = 0; s < t->site_count; s++) {
        struct site *site = &t->sites[s];
        site->behind_index = ir_graph_index(&graph, site->behind);
        site->resumed = turner_block(t, "resumed");
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
void know_ended(struct turner *t, LLVMBasicBlockRef first) {
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
        LLVMValueRef index = turner_number(t, k);
        LLVMBuildStore(t->b, turner_number(t, 0), LLVMBuildInBoundsGEP2(t->b, t->word, t->ended, &index, 1, ""));
    }
    if (words > 1) t->bytes += 4 * words;
}

static LLVMValueRef ended_word(const struct turner *t) {
    if (t->count <= 32) return t->ended;
    LLVMValueRef index = LLVMBuildLShr(t->b, t->turn_now, turner_number(t, 5), "");
    return LLVMBuildInBoundsGEP2(t->b, t->word, t->ended, &index, 1, "");
}

static LLVMValueRef ended_bit(const struct turner *t) {
    LLVMValueRef bit = LLVMBuildAnd(t->b, t->turn_now, turner_number(t, 31), "");
    return LLVMBuildShl(t->b, turner_number(t, 1), bit, "");
}

// In a block of its own behind `head`.
void skip_ended(struct turner *t, LLVMBasicBlockRef skip) {
    LLVMPositionBuilderAtEnd(t->b, skip);
    LLVMValueRef bit = LLVMBuildAnd(t->b, LLVMBuildLoad2(t->b, t->word, ended_word(t), ""), ended_bit(t), "");
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, bit, turner_number(t, 0), ""), t->dispatch, t->latch);
}

// The kernel's returns.
void end_items(struct turner *t) {
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
