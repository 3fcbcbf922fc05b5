// Atomic operations of 64 bits become calls of the device library, which does them under locks. Atomic loads and stores
// too: a store between the two halves of an operation would be half lost.
#include "compiler/lower/wide_atomics.h"

#include <assert.h>

#include "compiler/ir/replace.h"
#include "compiler/library/wide_atomics.h"
#include "gen/isa.h"

static_assert(WIDE_WINDOW_SHARED == WINDOW_SHARED, "generic addresses of local memory");

struct lowering {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef word, wide;
};

static LLVMValueRef call(struct lowering *l, LLVMValueRef pointer, unsigned operation, LLVMValueRef x,
                         LLVMValueRef put) {
    static const char *const names[] = {
        [SPACE_PRIVATE] = "tandem_wide_atomic_private",
        [SPACE_GLOBAL] = "tandem_wide_atomic_global",
        [SPACE_CONSTANT] = NULL,
        [SPACE_LOCAL] = "tandem_wide_atomic_local",
        [SPACE_GENERIC] = "tandem_wide_atomic_generic",
    };
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    if (space >= sizeof names / sizeof *names || names[space] == NULL) return NULL;
    LLVMTypeRef types[] = {LLVMTypeOf(pointer), l->wide, l->wide, l->word};
    LLVMTypeRef type = LLVMFunctionType(l->wide, types, 4, 0);
    LLVMValueRef f = LLVMGetNamedFunction(l->module->module, names[space]);
    if (f == NULL) f = LLVMAddFunction(l->module->module, names[space], type);
    LLVMValueRef none = LLVMConstNull(l->wide);
    LLVMValueRef arguments[] = {pointer, x != NULL ? x : none, put != NULL ? put : none,
                                LLVMConstInt(l->word, operation, 0)};
    return LLVMBuildCall2(l->b, type, f, arguments, 4, "");
}

static LLVMValueRef read_write(struct lowering *l, LLVMValueRef i) {
    static const struct {
        LLVMAtomicRMWBinOp from;
        unsigned to;
    } operations[] = {
        {LLVMAtomicRMWBinOpXchg, WIDE_XCHG}, {LLVMAtomicRMWBinOpAdd, WIDE_ADD}, {LLVMAtomicRMWBinOpSub, WIDE_SUB},
        {LLVMAtomicRMWBinOpAnd, WIDE_AND},   {LLVMAtomicRMWBinOpOr, WIDE_OR},   {LLVMAtomicRMWBinOpXor, WIDE_XOR},
        {LLVMAtomicRMWBinOpMax, WIDE_MAX},   {LLVMAtomicRMWBinOpMin, WIDE_MIN}, {LLVMAtomicRMWBinOpUMax, WIDE_UMAX},
        {LLVMAtomicRMWBinOpUMin, WIDE_UMIN},
    };
    const LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (operations[k].from == operation)
            return call(l, LLVMGetOperand(i, 0), operations[k].to, LLVMGetOperand(i, 1), NULL);
    return NULL;
}

static LLVMValueRef compare_exchange(struct lowering *l, LLVMValueRef i) {
    LLVMValueRef expected = LLVMGetOperand(i, 1);
    LLVMValueRef old = call(l, LLVMGetOperand(i, 0), WIDE_CAS, expected, LLVMGetOperand(i, 2));
    if (old == NULL) return NULL;
    LLVMValueRef same = LLVMBuildICmp(l->b, LLVMIntEQ, old, expected, "");
    LLVMValueRef both = LLVMBuildInsertValue(l->b, LLVMGetUndef(LLVMTypeOf(i)), old, 0, "");
    return LLVMBuildInsertValue(l->b, both, same, 1, "");
}

static bool is_wide(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

// NULL: it stays as it is.
static LLVMValueRef replacement(void *context, LLVMValueRef i) {
    struct lowering *l = context;
    switch (LLVMGetInstructionOpcode(i)) {
        case LLVMAtomicRMW: return is_wide(LLVMTypeOf(i)) ? read_write(l, i) : NULL;
        case LLVMAtomicCmpXchg: return is_wide(LLVMTypeOf(LLVMGetOperand(i, 1))) ? compare_exchange(l, i) : NULL;
        case LLVMLoad:
            if (!is_wide(LLVMTypeOf(i)) || LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic) return NULL;
            return call(l, LLVMGetOperand(i, 0), WIDE_LOAD, NULL, NULL);
        case LLVMStore:
            if (!is_wide(LLVMTypeOf(LLVMGetOperand(i, 0))) || LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
                return NULL;
            return call(l, LLVMGetOperand(i, 1), WIDE_XCHG, LLVMGetOperand(i, 0), NULL);
        default: return NULL;
    }
}

bool wide_atomics_lower(struct module *module) {
    struct lowering l = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    l.word = LLVMInt32TypeInContext(module->context);
    l.wide = LLVMInt64TypeInContext(module->context);
    const bool any = instructions_replace(module->module, l.b, replacement, &l);
    LLVMDisposeBuilder(l.b);
    return any;
}
