// What the items of turns.c hold: values become variables, which are taken out by LLVM (sroa) at the end, so that cutting
// the control flow at barriers needs no repair of phis; what is cheap is computed in each turn; private variables get a
// place for each turn.
#include "compiler/again/turner.h"

#include <stdlib.h>

#include "compiler/ir/names.h"

enum { CHEAP = 8 };  // operations that are rather done again than kept

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

void phis_to_variables(struct turner *t) {
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
void values_to_variables(struct turner *t) {
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
        case LLVMCall:
            return calls_function(i, NAME_TURN) || calls_function(i, NAME_SPECIAL) || calls_function(i, NAME_CONSTANT);
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

void cheap_to_head(const struct turner *t) {
    for (bool moved = true; moved;) {
        moved = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
            if (b == t->entry || b == t->head) continue;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), after; i != NULL; i = after) {
                after = LLVMGetNextInstruction(i);
                if (!is_cheap_operation(i)) continue;
                if (calls_function(i, NAME_TURN)) {
                    LLVMReplaceAllUsesWith(i, t->turn_now);
                    LLVMInstructionEraseFromParent(i);
                } else if (operands_are_there(t, i) && cost_of(t, i) <= CHEAP) {
                    turner_move_to_end(t, i, t->head);
                    moved = true;
                }
            }
        }
    }
}

// ---- private variables ----

// The variable of the program has a place for each turn; without a barrier all turns use one.
static void widen(struct turner *t, LLVMValueRef variable) {
    const uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    const uint64_t align = LLVMGetAlignment(variable) > 4 ? LLVMGetAlignment(variable) : 4;
    const uint64_t size = (count * turner_bytes(t, LLVMGetAllocatedType(variable)) + align - 1) / align * align;
    LLVMTypeRef byte = LLVMInt8TypeInContext(t->module->context), one = LLVMArrayType2(byte, size);
    LLVMPositionBuilderAtEnd(t->b, t->entry);
    LLVMValueRef all = LLVMBuildAlloca(t->b, LLVMArrayType2(one, t->count), "");
    LLVMSetAlignment(all, (unsigned)align);
    LLVMPositionBuilderAtEnd(t->b, t->head);
    LLVMReplaceAllUsesWith(variable, LLVMBuildInBoundsGEP2(t->b, one, all, &t->turn_now, 1, ""));
    LLVMInstructionEraseFromParent(variable);
    t->bytes += size * t->count;
}

void private_variables(struct turner *t) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        if (b == t->entry) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), after; i != NULL; i = after) {
            after = LLVMGetNextInstruction(i);
            if (calls_function(i, "llvm.lifetime.")) {
                LLVMInstructionEraseFromParent(i);
            } else if (LLVMIsAAllocaInst(i) && t->site_count > 0) {
                widen(t, i);
            } else if (LLVMIsAAllocaInst(i)) {
                turner_move_to_end(t, i, t->entry);
            }
        }
    }
}
