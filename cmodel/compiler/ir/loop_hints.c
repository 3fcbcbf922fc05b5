// What a loop's jump back says to those that unroll.
#include "compiler/ir/loop_hints.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static unsigned kind_of(LLVMContextRef context) {
    return LLVMGetMDKindIDInContext(context, "llvm.loop", (unsigned)strlen("llvm.loop"));
}

void loop_hint(LLVMContextRef context, LLVMBasicBlockRef latch, const char *hint, unsigned count) {
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(context, hint, strlen(hint)), NULL};
    if (count > 0) parts[1] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), count, 0));
    // A loop's node has itself as its first part, so that no two loops share one.
    LLVMMetadataRef place = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef both[2] = {place, LLVMMDNodeInContext2(context, parts, count > 0 ? 2 : 1)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, both, 2);
    LLVMMetadataReplaceAllUsesWith(place, node);
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(latch), kind_of(context), LLVMMetadataAsValue(context, node));
}

bool loop_has_hint(LLVMContextRef context, LLVMBasicBlockRef latch, const char *hint) {
    LLVMValueRef node = LLVMGetMetadata(LLVMGetBasicBlockTerminator(latch), kind_of(context)), parts[16], inner[4];
    if (node == NULL || LLVMGetMDNodeNumOperands(node) > 16) return false;
    LLVMGetMDNodeOperands(node, parts);
    for (unsigned k = 1; k < LLVMGetMDNodeNumOperands(node); k++) {
        if (parts[k] == NULL || LLVMIsAMDNode(parts[k]) == NULL) continue;
        if (LLVMGetMDNodeNumOperands(parts[k]) == 0 || LLVMGetMDNodeNumOperands(parts[k]) > 4) continue;
        LLVMGetMDNodeOperands(parts[k], inner);
        unsigned length = 0;
        const char *text = inner[0] != NULL && LLVMIsAMDString(inner[0]) ? LLVMGetMDString(inner[0], &length) : NULL;
        if (text != NULL && length == strlen(hint) && memcmp(text, hint, length) == 0) return true;
    }
    return false;
}
