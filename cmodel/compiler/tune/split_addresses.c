// The address of each access as a chain: the pointer, then its parts, those of outer loops first, then the constant.
//
//     right[k + 1][x]   ->   ((right + 4 * x) + 32 * k) + 32
//
// LLVM then sees that neighbours have the chain in common and takes out of a loop what does not change there; the
// constant goes into the offset of the access. Chains that end alike can be moving pointers (moving_pointers.c).
#include "compiler/tune/split_addresses.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/ir/ir_graph.h"

enum { PARTS_MAX = 12, DEPTH_MAX = 8 };

static uint32_t depth_of(const struct ir_graph *graph, LLVMValueRef v) {
    if (LLVMIsAInstruction(v) == NULL || graph->loops.irreducible) return 0;
    const uint32_t block = ir_graph_index(graph, LLVMGetInstructionParent(v));
    const uint32_t loop = block == NONE ? NONE : graph->loops.innermost[block];
    return loop == NONE ? 0 : graph->loops.loops[loop].depth;
}

static LLVMValueRef times(LLVMBuilderRef b, LLVMValueRef v, uint32_t factor) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (factor == 1) return v;
    if ((factor & (factor - 1)) == 0)
        return LLVMBuildShl(b, v, LLVMConstInt(type, (unsigned)__builtin_ctz(factor), 0), "");
    return LLVMBuildMul(b, v, LLVMConstInt(type, factor, 0), "");
}

// An address: the pointer, the sum of factor * part, and a constant, all modulo 2^32.
struct chain {
    LLVMValueRef pointer, part[PARTS_MAX];
    uint32_t factor[PARTS_MAX], constant;
    unsigned count;
    bool lost;  // more parts than there is room for
};

static bool is_sum(LLVMValueRef v) {
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(v));
}

// Of a product or a shift by a constant: the constant factor; else 0.
static uint32_t factor_of(LLVMValueRef v) {
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if ((op != LLVMMul && op != LLVMShl) || LLVMIsAConstantInt(LLVMGetOperand(v, 1)) == NULL) return 0;
    const uint32_t number = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    return op == LLVMMul ? number : number < 32 ? 1u << number : 0;
}

// Whether there is something to take out of the number: a constant, or parts that change in different loops.
static bool mixed(const struct ir_graph *graph, LLVMValueRef v, unsigned depth) {
    if (depth == 0 || LLVMIsAInstruction(v) == NULL) return false;
    if (factor_of(v) != 0) return mixed(graph, LLVMGetOperand(v, 0), depth - 1);
    if (!is_sum(v)) return false;
    LLVMValueRef a = LLVMGetOperand(v, 0), c = LLVMGetOperand(v, 1);
    return LLVMIsAConstantInt(c) != NULL || depth_of(graph, a) != depth_of(graph, c) || mixed(graph, a, depth - 1) ||
           mixed(graph, c, depth - 1);
}

static void add_part(struct chain *to, LLVMValueRef part, uint32_t factor) {
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

static void add_number(const struct ir_graph *graph, struct chain *to, LLVMValueRef v, uint32_t factor,
                       unsigned depth) {
    if (LLVMIsAConstantInt(v) != NULL) {
        to->constant += factor * (uint32_t)LLVMConstIntGetSExtValue(v);
    } else if (!mixed(graph, v, depth)) {
        add_part(to, v, factor);
    } else if (factor_of(v) != 0) {
        add_number(graph, to, LLVMGetOperand(v, 0), factor * factor_of(v), depth - 1);
    } else {
        const bool less = LLVMGetInstructionOpcode(v) == LLVMSub;
        add_number(graph, to, LLVMGetOperand(v, 0), factor, depth - 1);
        add_number(graph, to, LLVMGetOperand(v, 1), less ? 0u - factor : factor, depth - 1);
    }
}

// False: an index has another width than an address, so that its sums wrap elsewhere.
static bool add_steps(const struct module *module, const struct ir_graph *graph, struct chain *to, LLVMValueRef p) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(p);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(p); k++) {
        LLVMValueRef index = LLVMGetOperand(p, k);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind) return false;
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
            to->constant += (uint32_t)LLVMOffsetOfElement(module->layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (k > 1) type = LLVMGetElementType(type);
        if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 32 && LLVMIsAConstantInt(index) == NULL) return false;
        add_number(graph, to, index, (uint32_t)LLVMABISizeOfType(module->layout, type), DEPTH_MAX);
    }
    return true;
}

// Parts of one depth keep their order, so that equal addresses have equal chains.
static void sort_parts(const struct ir_graph *graph, struct chain *chain) {
    for (unsigned k = 1; k < chain->count; k++) {
        LLVMValueRef part = chain->part[k];
        const uint32_t factor = chain->factor[k], depth = depth_of(graph, part);
        unsigned to = k;
        for (; to > 0 && depth_of(graph, chain->part[to - 1]) > depth; to--) {
            chain->part[to] = chain->part[to - 1];
            chain->factor[to] = chain->factor[to - 1];
        }
        chain->part[to] = part;
        chain->factor[to] = factor;
    }
}

static bool is_product(LLVMValueRef v) {
    return LLVMIsAInstruction(v) != NULL && LLVMGetInstructionOpcode(v) == LLVMMul;
}

// What no loop changes is made once: parts of one factor are summed before they are multiplied, products last, so that
// each becomes one multiplication and addition.
static void sum_outside(const struct ir_graph *graph, LLVMBuilderRef b, struct chain *chain) {
    for (unsigned k = 0; k < chain->count; k++) {
        LLVMValueRef sum = NULL;
        if (depth_of(graph, chain->part[k]) > 0 || chain->factor[k] == 0) continue;
        for (unsigned products = 0; products < 2; products++)
            for (unsigned i = k; i < chain->count; i++) {
                LLVMValueRef part = chain->part[i];
                if (depth_of(graph, part) > 0 || chain->factor[i] != chain->factor[k] ||
                    is_product(part) != (products == 1))
                    continue;
                sum = sum == NULL ? part : LLVMBuildAdd(b, part, sum, "");
            }
        for (unsigned i = k + 1; i < chain->count; i++)
            if (depth_of(graph, chain->part[i]) == 0 && chain->factor[i] == chain->factor[k]) chain->factor[i] = 0;
        chain->part[k] = sum;
    }
}

static void split(const struct module *module, const struct ir_graph *graph, LLVMBuilderRef b, LLVMValueRef access,
                  unsigned operand) {
    LLVMValueRef p = LLVMGetOperand(access, operand);
    LLVMTypeRef byte = LLVMInt8TypeInContext(module->context), word = LLVMInt32TypeInContext(module->context);
    if (LLVMIsAGetElementPtrInst(p) == NULL || LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind) return;
    struct chain chain = {.pointer = p};
    for (; LLVMIsAGetElementPtrInst(chain.pointer) != NULL; chain.pointer = LLVMGetOperand(chain.pointer, 0))
        if (!add_steps(module, graph, &chain, chain.pointer)) return;
    if (chain.lost) return;
    sort_parts(graph, &chain);
    LLVMValueRef at = chain.pointer;
    LLVMPositionBuilderBefore(b, access);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(p));
    sum_outside(graph, b, &chain);
    for (unsigned k = 0; k < chain.count; k++) {
        if (chain.factor[k] == 0) continue;
        LLVMValueRef step = times(b, chain.part[k], chain.factor[k]);
        at = LLVMBuildGEP2(b, byte, at, &step, 1, "");
    }
    LLVMValueRef constant = LLVMConstInt(word, chain.constant, 0);
    if (chain.constant != 0) at = LLVMBuildGEP2(b, byte, at, &constant, 1, "");
    LLVMSetOperand(access, operand, at);
}

void addresses_split(const struct module *module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || has_attribute(f, "optnone")) continue;
        struct ir_graph graph;
        ir_graph_make(&graph, f, module->layout);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL; block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsALoadInst(i) != NULL || LLVMIsAAtomicRMWInst(i) != NULL ||
                    LLVMIsAAtomicCmpXchgInst(i) != NULL)
                    split(module, &graph, b, i, 0);
                else if (LLVMIsAStoreInst(i) != NULL)
                    split(module, &graph, b, i, 1);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
