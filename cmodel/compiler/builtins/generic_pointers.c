// Generic pointers: bodies of the functions that ask where one leads, and what the program does with null.
#include "compiler/builtins/generic_pointers.h"

#include <string.h>

#include "compiler/ir/module.h"
#include "compiler/ir/points_to.h"

struct maker {
    struct module *module;
    LLVMBuilderRef b;
    LLVMTypeRef word;
};

static LLVMValueRef number(const struct maker *m, uint32_t value) {
    return LLVMConstInt(m->word, value, 0);
}

static LLVMValueRef at_least(const struct maker *m, LLVMValueRef address, uint32_t limit) {
    return LLVMBuildICmp(m->b, LLVMIntUGE, address, number(m, limit), "");
}

// __to_global and the like: the pointer in that space, or null.
static void define_cast(struct maker *m, LLVMValueRef f, unsigned space) {
    LLVMTypeRef to = LLVMPointerTypeInContext(m->module->context, space);
    LLVMValueRef address = LLVMBuildPtrToInt(m->b, LLVMGetParam(f, 0), m->word, "");
    LLVMValueRef above = at_least(m, address, space == SPACE_PRIVATE ? GENERIC_PRIVATE : GENERIC_LOCAL), is = above;
    uint32_t window = space == SPACE_PRIVATE ? GENERIC_PRIVATE : space == SPACE_LOCAL ? GENERIC_LOCAL : 0;
    if (space == SPACE_GLOBAL) is = LLVMBuildNot(m->b, above, "");
    if (space == SPACE_LOCAL)
        is = LLVMBuildAnd(m->b, above, LLVMBuildNot(m->b, at_least(m, address, GENERIC_PRIVATE), ""), "");
    LLVMValueRef inside = LLVMBuildSub(m->b, address, number(m, window), "");
    LLVMBuildRet(m->b, LLVMBuildIntToPtr(m->b, LLVMBuildSelect(m->b, is, inside, number(m, 0), ""), to, ""));
}

// get_fence: CLK_LOCAL_MEM_FENCE or CLK_GLOBAL_MEM_FENCE.
static void define_fence(struct maker *m, LLVMValueRef f) {
    LLVMValueRef address = LLVMBuildPtrToInt(m->b, LLVMGetParam(f, 0), m->word, "");
    LLVMBuildRet(m->b, LLVMBuildSelect(m->b, at_least(m, address, GENERIC_LOCAL), number(m, 1), number(m, 2), ""));
}

static void define(struct maker *m, LLVMValueRef f) {
    static const struct {
        const char *name;
        unsigned space;
    } casts[] = {{"__to_global", SPACE_GLOBAL}, {"__to_local", SPACE_LOCAL}, {"__to_private", SPACE_PRIVATE}};
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f)) return;
    LLVMBasicBlockRef entry = NULL;
    for (size_t k = 0; k < sizeof casts / sizeof *casts; k++) {
        if (strcmp(name, casts[k].name) != 0) continue;
        m->module->null_local |= casts[k].space == SPACE_LOCAL;
        m->module->null_private |= casts[k].space == SPACE_PRIVATE;
        entry = LLVMAppendBasicBlockInContext(m->module->context, f, "entry");
        LLVMPositionBuilderAtEnd(m->b, entry);
        define_cast(m, f, casts[k].space);
        return;
    }
    if (strncmp(name, "_Z9get_fence", 12) != 0) return;
    entry = LLVMAppendBasicBlockInContext(m->module->context, f, "entry");
    LLVMPositionBuilderAtEnd(m->b, entry);
    define_fence(m, f);
}

static void note_null(struct module *module, LLVMValueRef pointer) {
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) return;
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    module->null_local |= space == SPACE_LOCAL;
    module->null_private |= space == SPACE_PRIVATE;
}

static void note_uses(struct module *module, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            bool compares = LLVMIsAICmpInst(i) != NULL, casts = LLVMIsAAddrSpaceCastInst(i) != NULL;
            if (compares || (casts && !pointer_not_null(LLVMGetOperand(i, 0)))) note_null(module, LLVMGetOperand(i, 0));
        }
    }
}

void generic_define(struct module *module) {
    struct maker m = {.module = module, .b = LLVMCreateBuilderInContext(module->context)};
    m.word = LLVMInt32TypeInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        note_uses(module, f);
        define(&m, f);
    }
    LLVMDisposeBuilder(m.b);
}
