// Follows pointers back through address arithmetic, choices and phis to what they were made from. The kind of most
// generic pointers is known then; the others are told apart when they are used.
#include "compiler/ir/points_to.h"

#include <stdlib.h>

#include "compiler/base/pointer_set.h"
#include "compiler/ir/arguments.h"
#include "compiler/ir/call_graph.h"

// Values met on one walk.
struct walk {
    LLVMValueRef *stack;
    size_t depth, capacity;
    struct pointer_set seen;
};

static void visit(struct walk *walk, LLVMValueRef value) {
    if (!pointer_set_add(&walk->seen, value)) return;
    walk->stack = grow(walk->stack, walk->depth, &walk->capacity, sizeof(LLVMValueRef));
    walk->stack[walk->depth++] = value;
}

static unsigned space_of(LLVMValueRef p) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(p));
}

static LLVMOpcode operation(LLVMValueRef p) {
    if (LLVMIsAConstantExpr(p)) return LLVMGetConstOpcode(p);
    return LLVMIsAInstruction(p) ? LLVMGetInstructionOpcode(p) : (LLVMOpcode)0;
}

// The pointers that the calls of a function hand over.
static bool step_to_callers(struct walk *walk, LLVMValueRef p) {
    LLVMValueRef f = LLVMGetParamParent(p);
    if (!call_kept(f)) return false;
    unsigned index = 0;
    while (LLVMGetParam(f, index) != p)
        index++;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use))
        if (called_function(LLVMGetUser(use)) == f) visit(walk, LLVMGetOperand(LLVMGetUser(use), index));
    return true;
}

// The pointers that a function returns.
static bool step_to_returns(struct walk *walk, LLVMValueRef call) {
    LLVMValueRef f = called_function(call);
    if (f == NULL) return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsAReturnInst(end)) visit(walk, LLVMGetOperand(end, 0));
    }
    return true;
}

// Puts what the pointer is made from on the stack; false: it is made from nothing else.
static bool step_back(struct walk *walk, LLVMValueRef p) {
    if (LLVMIsAArgument(p)) return step_to_callers(walk, p);
    switch (operation(p)) {
        case LLVMGetElementPtr:
        case LLVMFreeze:
        case LLVMBitCast:
        case LLVMAddrSpaceCast: visit(walk, LLVMGetOperand(p, 0)); return true;
        case LLVMSelect:
            visit(walk, LLVMGetOperand(p, 1));
            visit(walk, LLVMGetOperand(p, 2));
            return true;
        case LLVMPHI:
            for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
                visit(walk, LLVMGetIncomingValue(p, k));
            return true;
        case LLVMCall: return step_to_returns(walk, p);
        default: return false;
    }
}

static bool nothing(LLVMValueRef p) {
    return LLVMIsUndef(p) || LLVMIsPoison(p) || LLVMIsNull(p);
}

static bool by_value(LLVMValueRef p) {
    if (!LLVMIsAArgument(p)) return false;
    LLVMValueRef function = LLVMGetParamParent(p);
    unsigned index = 0;
    while (LLVMGetParam(function, index) != p)
        index++;
    return argument_by_value(function, index) != NULL;
}

// Of a pointer that is made from no other.
static enum memory_kind root_memory(LLVMValueRef p) {
    switch (space_of(p)) {
        case SPACE_GLOBAL: return MEMORY_GLOBAL;
        case SPACE_LOCAL: return MEMORY_LOCAL;
        case SPACE_ARGUMENTS: return MEMORY_BUFFER0;
        case SPACE_PRIVATE: return by_value(p) ? MEMORY_BUFFER0 : MEMORY_PRIVATE;
        case SPACE_CONSTANT:
            if (nothing(p)) return MEMORY_NONE;
            if (LLVMIsAGlobalVariable(p)) return MEMORY_BUFFER1;
            // An argument (read from constant buffer 0): an address in memory, as the driver passes it.
            return LLVMIsAArgument(p) || LLVMIsALoadInst(p) ? MEMORY_GLOBAL : MEMORY_MIXED;
        default:
            // Tables of libclc: on the target that it was made for, this number is constant memory's.
            if (LLVMIsAGlobalVariable(p) && LLVMIsGlobalConstant(p)) return MEMORY_BUFFER1;
            return nothing(p) ? MEMORY_NONE : MEMORY_GENERIC;
    }
}

static enum memory_kind both(enum memory_kind a, enum memory_kind b) {
    if (a == MEMORY_NONE || a == b) return b;
    if (b == MEMORY_NONE) return a;
    bool constants = a == MEMORY_BUFFER0 || a == MEMORY_BUFFER1 || b == MEMORY_BUFFER0 || b == MEMORY_BUFFER1;
    return constants || a == MEMORY_MIXED || b == MEMORY_MIXED ? MEMORY_MIXED : MEMORY_GENERIC;
}

static enum memory_kind walk_back(LLVMValueRef pointer) {
    struct walk walk = {0};
    enum memory_kind memory = MEMORY_NONE;
    visit(&walk, pointer);
    while (walk.depth > 0) {
        LLVMValueRef p = walk.stack[--walk.depth];
        unsigned space = space_of(p);
        // A space of its own says where: nothing further back can change that.
        bool known = space == SPACE_GLOBAL || space == SPACE_LOCAL || space == SPACE_ARGUMENTS;
        if (known || !step_back(&walk, p)) memory = both(memory, root_memory(p));
    }
    free(walk.stack);
    pointer_set_free(&walk.seen);
    return memory;
}

static struct pointer_known *find(struct pointers *pointers, LLVMValueRef key) {
    if (pointers->count * 2 >= pointers->slots) {
        struct pointers wider = {.slots = pointers->slots == 0 ? 256 : pointers->slots * 2};
        wider.known = take(wider.slots, sizeof *wider.known);
        for (size_t k = 0; k < pointers->slots; k++) {
            if (pointers->known[k].key == NULL) continue;
            *find(&wider, pointers->known[k].key) = pointers->known[k];
            wider.count++;
        }
        free(pointers->known);
        *pointers = wider;
    }
    size_t at = pointer_hash(key, pointers->slots);
    while (pointers->known[at].key != NULL && pointers->known[at].key != key)
        at = (at + 1) & (pointers->slots - 1);
    return &pointers->known[at];
}

enum memory_kind points_to(struct pointers *pointers, LLVMValueRef pointer) {
    // Straight steps first, so that all accesses around one pointer share an entry.
    for (LLVMOpcode op = operation(pointer); op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMFreeze;
         op = operation(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    switch (space_of(pointer)) {
        case SPACE_GLOBAL: return MEMORY_GLOBAL;
        case SPACE_LOCAL: return MEMORY_LOCAL;
        case SPACE_ARGUMENTS: return MEMORY_BUFFER0;
        default: break;
    }
    struct pointer_known *known = find(pointers, pointer);
    if (known->key == NULL) {
        *known = (struct pointer_known){.key = pointer, .memory = walk_back(pointer)};
        pointers->count++;
    }
    return known->memory;
}

static uint32_t window(unsigned space) {
    return space == SPACE_LOCAL ? GENERIC_LOCAL : space == SPACE_PRIVATE ? GENERIC_PRIVATE : 0;
}

uint32_t window_step(LLVMValueRef from, LLVMValueRef to) {
    if (space_of(to) == SPACE_GENERIC) return window(space_of(from));
    return space_of(from) == SPACE_GENERIC ? 0u - window(space_of(to)) : 0;
}

bool pointer_not_null(LLVMValueRef pointer) {
    struct walk walk = {0};
    bool good = true;
    visit(&walk, pointer);
    while (walk.depth > 0 && good) {
        LLVMValueRef p = walk.stack[--walk.depth];
        if (step_back(&walk, p)) continue;
        good = LLVMIsAAllocaInst(p) || LLVMIsAGlobalVariable(p) || by_value(p) ||
               (LLVMIsALoadInst(p) && space_of(LLVMGetOperand(p, 0)) == SPACE_ARGUMENTS);
    }
    free(walk.stack);
    pointer_set_free(&walk.seen);
    return good;
}
