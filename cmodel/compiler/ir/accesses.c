// Loads and stores of LLVM IR: see accesses.h.
#include "compiler/ir/accesses.h"

#include <string.h>

bool access_is_plain(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) == NULL && LLVMIsAStoreInst(i) == NULL) return false;
    return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

LLVMValueRef access_pointer(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) != NULL ? 1 : 0);
}

static unsigned kind_of(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

// `memory(none)` is the attribute with no bit set.
static bool has_pure_attribute(LLVMValueRef function) {
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind_of("memory"));
    return memory != NULL && LLVMGetEnumAttributeValue(memory) == 0 &&
           LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind_of("convergent")) == NULL;
}

bool touches_no_memory(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
        case LLVMStore:
        case LLVMFence:
        case LLVMAtomicCmpXchg:
        case LLVMAtomicRMW:
        case LLVMVAArg:
        case LLVMAlloca:
        case LLVMInvoke: return false;
        case LLVMCall: return LLVMIsAFunction(LLVMGetCalledValue(i)) && has_pure_attribute(LLVMGetCalledValue(i));
        default: return true;
    }
}
