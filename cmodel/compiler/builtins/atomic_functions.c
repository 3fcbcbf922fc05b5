// The atomic functions of OpenCL C 2.0 that clang leaves as calls (atomic_init, atomic_fetch_add, .. with and without
// _explicit): bodies of LLVM's atomic instructions. All orders and scopes are taken as the strongest, which costs
// nothing here: a warp's memory operations are performed one after the other.
#include "compiler/builtins/atomic_functions.h"

#include <stdio.h>
#include <string.h>

#include "compiler/ir/module.h"

struct maker {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef word;
};

static const struct read_write {
    const char *name;
    LLVMAtomicRMWBinOp is_signed, is_unsigned;
} read_writes[] = {
    {"exchange", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
    {"fetch_add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd},
    {"fetch_sub", LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub},
    {"fetch_or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
    {"fetch_xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
    {"fetch_and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
    {"fetch_min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin},
    {"fetch_max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax},
};
static const LLVMAtomicOrdering ordering = LLVMAtomicOrderingSequentiallyConsistent;

// "_Z16atomic_fetch_add.." to "fetch_add" (without _explicit); *signature: what follows. False: another name.
static bool operation_of(const char *name, char *to, size_t size, const char **signature) {
    static const char prefix[] = "atomic_", suffix[] = "_explicit";
    unsigned length;
    int digits;
    if (sscanf(name, "_Z%u%n", &length, &digits) != 1 || length > strlen(name + digits)) return false;
    const char *start = name + digits;
    *signature = start + length;
    if (strncmp(start, prefix, strlen(prefix)) != 0) return false;
    start += strlen(prefix);
    size_t rest = (size_t)(*signature - start);
    if (rest > strlen(suffix) && strncmp(*signature - strlen(suffix), suffix, strlen(suffix)) == 0)
        rest -= strlen(suffix);
    if (rest >= size) return false;
    memcpy(to, start, rest);
    to[rest] = 0;
    return true;
}

static LLVMValueRef compare_exchange(struct maker *m, LLVMValueRef f) {
    LLVMValueRef expected = LLVMGetParam(f, 1), wanted = LLVMGetParam(f, 2);
    LLVMValueRef before = LLVMBuildLoad2(m->b, LLVMTypeOf(wanted), expected, "");
    LLVMValueRef both = LLVMBuildAtomicCmpXchg(m->b, LLVMGetParam(f, 0), before, wanted, ordering, ordering, 0);
    LLVMBuildStore(m->b, LLVMBuildExtractValue(m->b, both, 0, ""), expected);
    return LLVMBuildExtractValue(m->b, both, 1, "");
}

static LLVMValueRef flag(struct maker *m, LLVMValueRef f, uint32_t value) {
    return LLVMBuildAtomicRMW(m->b, LLVMAtomicRMWBinOpXchg, LLVMGetParam(f, 0), LLVMConstInt(m->word, value, 0),
                              ordering, 0);
}

// NULL: not an operation of this name. The type of the old value decides nothing but min and max, which the mangled
// types of pointer and operand tell apart: j and m are unsigned.
static LLVMValueRef value_of(struct maker *m, LLVMValueRef f, const char *operation, const char *signature) {
    LLVMValueRef pointer = LLVMGetParam(f, 0), none = LLVMConstInt(m->word, 0, 0);
    const char *type = strstr(signature, "_Atomic");
    bool is_signed = type == NULL || strchr("jm", type[strlen("_Atomic")]) == NULL;
    if (strcmp(operation, "init") == 0) return LLVMBuildStore(m->b, LLVMGetParam(f, 1), pointer), none;
    if (strncmp(operation, "compare_exchange_", 17) == 0) return compare_exchange(m, f);
    if (strcmp(operation, "flag_test_and_set") == 0) return LLVMBuildICmp(m->b, LLVMIntNE, flag(m, f, 1), none, "");
    if (strcmp(operation, "flag_clear") == 0) return flag(m, f, 0);
    if (strcmp(operation, "work_item_fence") == 0) return LLVMBuildFence(m->b, ordering, 0, ""), none;
    if (strcmp(operation, "load") == 0) {
        LLVMValueRef load = LLVMBuildLoad2(m->b, LLVMGetReturnType(LLVMGlobalGetValueType(f)), pointer, "");
        LLVMSetOrdering(load, ordering);
        return load;
    }
    if (strcmp(operation, "store") == 0) {
        LLVMSetOrdering(LLVMBuildStore(m->b, LLVMGetParam(f, 1), pointer), ordering);
        return none;
    }
    for (size_t k = 0; k < sizeof read_writes / sizeof *read_writes; k++)
        if (strcmp(operation, read_writes[k].name) == 0)
            return LLVMBuildAtomicRMW(m->b, is_signed ? read_writes[k].is_signed : read_writes[k].is_unsigned, pointer,
                                      LLVMGetParam(f, 1), ordering, 0);
    return NULL;
}

static void define(struct maker *m, LLVMValueRef f) {
    char operation[64];
    const char *signature;
    size_t length;
    if (!LLVMIsDeclaration(f) || !operation_of(LLVMGetValueName2(f, &length), operation, sizeof operation, &signature))
        return;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->module->context, f, "entry");
    LLVMPositionBuilderAtEnd(m->b, entry);
    LLVMValueRef value = value_of(m, f, operation, signature);
    if (value == NULL) {
        LLVMDeleteBasicBlock(entry);
        return;
    }
    if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) == LLVMVoidTypeKind) {
        LLVMBuildRetVoid(m->b);
    } else {
        LLVMBuildRet(m->b, value);
    }
}

void atomic_functions_define(struct module *module) {
    struct maker m = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    m.word = LLVMInt32TypeInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        size_t length;
        // Only those of 2.0 take pointers to _Atomic; the ones of 1.2 (atomic_add, ..) are the library's.
        const char *name = LLVMGetValueName2(f, &length);
        if (strstr(name, "U7_Atomic") != NULL || strncmp(name, "_Z22atomic_work_item_fence", 26) == 0) define(&m, f);
    }
    LLVMDisposeBuilder(m.b);
}
