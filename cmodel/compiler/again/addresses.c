// Numbers and addresses as sums of parts.
#include "compiler/again/addresses.h"

enum { DEPTH_MAX = 16 };

static void add_part(struct sum *to, LLVMValueRef part, uint32_t factor) {
    for (unsigned k = 0; k < to->count; k++) {
        if (to->part[k] != part) continue;
        to->factor[k] += factor;
        return;
    }
    if (to->count == PARTS_MAX) {
        to->lost = true;
        return;
    }
    to->part[to->count] = part;
    to->factor[to->count++] = factor;
}

static void add_number(struct sum *to, LLVMValueRef v, uint32_t factor, unsigned depth) {
    if (LLVMIsAConstantInt(v) != NULL) {
        to->constant += factor * (uint32_t)LLVMConstIntGetSExtValue(v);
        return;
    }
    // Sums of another width than an address wrap elsewhere.
    if (depth == 0 || LLVMIsAInstruction(v) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 32) {
        add_part(to, v, factor);
        return;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef second = LLVMGetNumOperands(v) == 2 ? LLVMGetOperand(v, 1) : NULL;
    uint32_t number = second != NULL && LLVMIsAConstantInt(second) ? (uint32_t)LLVMConstIntGetZExtValue(second) : 0;
    bool constant = second != NULL && LLVMIsAConstantInt(second) != NULL;
    if (op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(v))) {
        add_number(to, LLVMGetOperand(v, 0), factor, depth - 1);
        add_number(to, second, op == LLVMSub ? 0u - factor : factor, depth - 1);
    } else if (op == LLVMMul && constant) {
        add_number(to, LLVMGetOperand(v, 0), factor * number, depth - 1);
    } else if (op == LLVMShl && constant && number < 32) {
        add_number(to, LLVMGetOperand(v, 0), factor << number, depth - 1);
    } else {
        add_part(to, v, factor);
    }
}

static void add_pointer(const struct module *module, struct sum *to, LLVMValueRef p) {
    LLVMTargetDataRef layout = module->layout;
    for (; LLVMIsAGetElementPtrInst(p) != NULL; p = LLVMGetOperand(p, 0)) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(p);
        for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(p); k++) {
            LLVMValueRef index = LLVMGetOperand(p, k);
            if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
                to->constant += (uint32_t)LLVMOffsetOfElement(layout, type, element);
                type = LLVMStructGetTypeAtIndex(type, element);
                continue;
            }
            if (k > 1) type = LLVMGetElementType(type);
            add_number(to, index, (uint32_t)LLVMABISizeOfType(layout, type), DEPTH_MAX);
        }
    }
    add_part(to, p, 1);
}

void sum_of_number(struct sum *sum, LLVMValueRef number) {
    *sum = (struct sum){.count = 0};
    add_number(sum, number, 1, DEPTH_MAX);
}

void sum_of_address(struct sum *sum, const struct module *module, LLVMValueRef pointer) {
    *sum = (struct sum){.count = 0};
    add_pointer(module, sum, pointer);
}

bool addresses_differ(const struct module *module, LLVMValueRef a, LLVMValueRef b, uint32_t *bytes) {
    struct sum difference, other;
    sum_of_address(&difference, module, a);
    sum_of_address(&other, module, b);
    for (unsigned k = 0; k < other.count; k++)
        add_part(&difference, other.part[k], 0u - other.factor[k]);
    if (difference.lost || other.lost) return false;
    for (unsigned k = 0; k < difference.count; k++)
        if (difference.factor[k] != 0) return false;
    *bytes = difference.constant - other.constant;
    return true;
}
