// In each block: loads before stores, with the arithmetic in between where it is needed. A stretch of a block without
// barriers, fences and atomics is put in order of levels: the level of an instruction is the number of loads, one
// needing the other, that must come before it. Inside a level: arithmetic, loads, stores, each in their old order. A
// load that may share a byte with a store before it has a higher level than the store, so no dependence is ever turned
// round; a store never comes before an access that it may share a byte with.
#include "compiler/again/group_loads.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/again/facts.h"

enum { STRETCH_MAX = 400 };

enum rank { RANK_ARITHMETIC, RANK_LOAD, RANK_STORE, RANK_COUNT };

struct stretch {
    const struct facts *facts;
    LLVMValueRef instructions[STRETCH_MAX];
    unsigned level[STRETCH_MAX];
    unsigned count;
};

static enum rank rank_of(LLVMValueRef i) {
    return LLVMIsALoadInst(i) != NULL ? RANK_LOAD : LLVMIsAStoreInst(i) != NULL ? RANK_STORE : RANK_ARITHMETIC;
}

static bool uses(LLVMValueRef user, LLVMValueRef used) {
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
        if (LLVMGetOperand(user, k) == used) return true;
    return false;
}

// The level that `later` must have at least, because of `earlier`.
static unsigned needed(const struct stretch *s, unsigned earlier, unsigned later) {
    LLVMValueRef from = s->instructions[earlier], to = s->instructions[later];
    enum rank rank_from = rank_of(from), rank_to = rank_of(to);
    unsigned level = s->level[earlier];
    if (uses(to, from)) return rank_from == RANK_LOAD ? level + 1 : level;
    if (rank_from == RANK_ARITHMETIC || rank_to == RANK_ARITHMETIC || (rank_from == RANK_LOAD && rank_to == RANK_LOAD))
        return 0;
    if (accesses_apart(s->facts, from, to)) return 0;
    return rank_from == RANK_STORE && rank_to == RANK_LOAD ? level + 1 : level;
}

static void put_in_order(const struct stretch *s, LLVMBuilderRef b, LLVMValueRef end) {
    unsigned levels = 0;
    for (unsigned k = 0; k < s->count; k++)
        if (s->level[k] >= levels) levels = s->level[k] + 1;
    LLVMPositionBuilderBefore(b, end);
    for (unsigned level = 0; level < levels; level++) {
        for (enum rank rank = RANK_ARITHMETIC; rank < RANK_COUNT; rank++) {
            for (unsigned k = 0; k < s->count; k++) {
                LLVMValueRef i = s->instructions[k];
                if (s->level[k] != level || rank_of(i) != rank) continue;
                LLVMInstructionRemoveFromParent(i);
                LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));  // insertion gives it the builder's
                LLVMInsertIntoBuilder(b, i);
            }
        }
    }
}

// `end`: the instruction behind the stretch. Returns how many loads now come before a store that they came after.
static unsigned order_stretch(struct stretch *s, LLVMBuilderRef b, LLVMValueRef end) {
    unsigned moved = 0;
    for (unsigned k = 0; k < s->count; k++) {
        s->level[k] = 0;
        for (unsigned earlier = 0; earlier < k; earlier++) {
            unsigned level = needed(s, earlier, k);
            if (level > s->level[k]) s->level[k] = level;
        }
        if (rank_of(s->instructions[k]) != RANK_LOAD) continue;
        bool over = false;
        for (unsigned earlier = 0; earlier < k; earlier++)
            over = over || (rank_of(s->instructions[earlier]) == RANK_STORE && s->level[earlier] >= s->level[k]);
        moved += over;
    }
    if (moved > 0) put_in_order(s, b, end);
    s->count = 0;
    return moved;
}

static bool may_move(LLVMValueRef i) {
    return access_is_plain(i) || touches_no_memory(i);
}

unsigned group_loads(const struct facts *facts) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(facts->module->context);
    struct stretch *s = take(1, sizeof *s);
    s->facts = facts;
    unsigned moved = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(facts->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i != NULL; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsAPHINode(i) != NULL) continue;
            if (i == end || !may_move(i) || s->count == STRETCH_MAX) moved += order_stretch(s, b, i);
            if (i != end && may_move(i)) s->instructions[s->count++] = i;
        }
    }
    free(s);
    LLVMDisposeBuilder(b);
    return moved;
}
