// Whether stores of a counted loop may come behind the loads of later turns. A store and a load are apart when the
// program has promised it (`restrict`: the scopes that facts_promise() has put on them), or when each turn loads and then
// stores an element of its own: both by one pointer, which goes on with the counter.
#include "compiler/tune/stores_apart.h"

#include <string.h>

#include "compiler/ir/accesses.h"

enum {
    SCOPES_MAX = 16,
    ELEMENT_MAX = 4  // bytes: four turns of the largest step (unroll.c) do not come round to the same address
};

struct scopes {
    LLVMValueRef of[SCOPES_MAX];
    unsigned count;
};

static void scopes_of(const struct module *module, LLVMValueRef i, const char *kind, struct scopes *to) {
    LLVMValueRef list = LLVMGetMetadata(i, LLVMGetMDKindIDInContext(module->context, kind, (unsigned)strlen(kind)));
    to->count = list == NULL ? 0 : LLVMGetMDNodeNumOperands(list);
    if (to->count > SCOPES_MAX) to->count = 0;
    if (to->count > 0) LLVMGetMDNodeOperands(list, to->of);
}

// All scopes that `b` belongs to are such that `a` is not in them.
static bool excludes(const struct module *module, LLVMValueRef a, LLVMValueRef b) {
    struct scopes none, own;
    scopes_of(module, a, "noalias", &none);
    scopes_of(module, b, "alias.scope", &own);
    for (unsigned k = 0; k < own.count; k++) {
        bool found = false;
        for (unsigned i = 0; i < none.count && !found; i++)
            found = none.of[i] == own.of[k];
        if (!found) return false;
    }
    return own.count > 0;
}

static unsigned long long bytes_of(const struct module *module, LLVMValueRef i) {
    return LLVMStoreSizeOfType(module->layout, LLVMTypeOf(LLVMIsAStoreInst(i) != NULL ? LLVMGetOperand(i, 0) : i));
}

// Whether each turn has an element of its own there, which fits the access.
static bool goes_on(const struct module *module, const struct counted_loop *loop, LLVMValueRef i) {
    LLVMValueRef at = access_pointer(i);
    if (LLVMIsAGetElementPtrInst(at) == NULL || LLVMGetNumOperands(at) != 2 || LLVMGetOperand(at, 1) != loop->phi)
        return false;
    LLVMValueRef base = LLVMGetOperand(at, 0);
    if (LLVMIsAInstruction(base) != NULL && LLVMGetInstructionParent(base) == loop->block) return false;
    const unsigned long long element = LLVMABISizeOfType(module->layout, LLVMGetGEPSourceElementType(at));
    return element <= ELEMENT_MAX && bytes_of(module, i) <= element;
}

bool stores_apart(const struct module *module, const struct counted_loop *loop) {
    for (LLVMValueRef s = LLVMGetFirstInstruction(loop->block); s != NULL; s = LLVMGetNextInstruction(s)) {
        if (LLVMIsAStoreInst(s) == NULL) continue;
        bool before = true;
        for (LLVMValueRef l = LLVMGetFirstInstruction(loop->block); l != NULL; l = LLVMGetNextInstruction(l)) {
            if (l == s) before = false;
            if (LLVMIsALoadInst(l) == NULL || excludes(module, s, l) || excludes(module, l, s)) continue;
            if (!before || access_pointer(l) != access_pointer(s)) return false;
            if (!goes_on(module, loop, l) || !goes_on(module, loop, s)) return false;
        }
    }
    return true;
}
