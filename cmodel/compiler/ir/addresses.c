// Numbers and addresses as sums of parts.
#include "compiler/ir/addresses.h"

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

bool sum_is_sum(LLVMValueRef instruction) {
    const LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
    return op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(instruction));
}

uint32_t sum_factor(LLVMValueRef instruction) {
    const LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
    if ((op != LLVMMul && op != LLVMShl) || LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) == NULL) return 0;
    const uint32_t number = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 1));
    return op == LLVMMul ? number : number < 32 ? 1u << number : 0;
}

static void add_number(struct sum *to, LLVMValueRef v, uint32_t factor, unsigned depth, const struct sum_look *look) {
    if (LLVMIsAConstantInt(v) != NULL) {
        to->constant += factor * (uint32_t)LLVMConstIntGetSExtValue(v);
        return;
    }
    // Sums of another width than an address wrap elsewhere.
    if (depth == 0 || LLVMIsAInstruction(v) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 32 ||
        (look != NULL && !look->inside(look, v))) {
        add_part(to, v, factor);
    } else if (sum_is_sum(v)) {
        const bool less = LLVMGetInstructionOpcode(v) == LLVMSub;
        add_number(to, LLVMGetOperand(v, 0), factor, depth - 1, look);
        add_number(to, LLVMGetOperand(v, 1), less ? 0u - factor : factor, depth - 1, look);
    } else if (sum_factor(v) != 0) {
        add_number(to, LLVMGetOperand(v, 0), factor * sum_factor(v), depth - 1, look);
    } else {
        add_part(to, v, factor);
    }
}

void sum_add_steps(struct sum *sum, const struct module *module, LLVMValueRef gep, const struct sum_look *look) {
    LLVMTargetDataRef layout = module->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
            sum->constant += (uint32_t)LLVMOffsetOfElement(layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        add_number(sum, index, (uint32_t)LLVMABISizeOfType(layout, type), DEPTH_MAX, look);
    }
}

static void add_pointer(const struct module *module, struct sum *to, LLVMValueRef p) {
    for (; LLVMIsAGetElementPtrInst(p) != NULL; p = LLVMGetOperand(p, 0))
        sum_add_steps(to, module, p, NULL);
    add_part(to, p, 1);
}

void sum_of_number(struct sum *sum, LLVMValueRef number) {
    *sum = (struct sum){.count = 0};
    add_number(sum, number, 1, DEPTH_MAX, NULL);
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
