// What the files of turns.c share.
#include "compiler/again/turner.h"

#include <string.h>

#include "compiler/ir/names.h"

LLVMValueRef turner_number(const struct turner *t, uint64_t value) {
    return LLVMConstInt(t->word, value, 0);
}

LLVMBasicBlockRef turner_block(const struct turner *t, const char *name) {
    return LLVMAppendBasicBlockInContext(t->module->context, t->function, name);
}

bool calls_function(LLVMValueRef i, const char *name) {
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    return f != NULL && strncmp(name_of(f), name, strlen(name)) == 0;
}

void turner_move_to_end(const struct turner *t, LLVMValueRef i, LLVMBasicBlockRef block) {
    LLVMPositionBuilderAtEnd(t->b, block);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(t->b, i);
}

uint64_t turner_bytes(const struct turner *t, LLVMTypeRef type) {
    return LLVMABISizeOfType(t->module->layout, type);
}
