// The address of each access as a chain: the pointer, then its parts, those of outer loops first, then the constant.
//
//     right[k + 1][x]   ->   ((right + 4 * x) + 32 * k) + 32
//
// LLVM then sees that neighbours have the chain in common and takes out of a loop what does not change there; the
// constant goes into the offset of the access. Chains that end alike can be moving pointers (moving_pointers.c).
#include "compiler/tune/split_addresses.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/ir/addresses.h"
#include "compiler/ir/ir_graph.h"

enum { DEPTH_MAX = 8 };

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

// What is taken apart: numbers with something to take out of them.
struct chain_look {
    struct sum_look look;
    const struct ir_graph *graph;
};

// Whether there is something to take out of the number: a constant, or parts that change in different loops.
static bool mixed(const struct ir_graph *graph, LLVMValueRef v, unsigned depth) {
    if (depth == 0 || LLVMIsAInstruction(v) == NULL) return false;
    if (sum_factor(v) != 0) return mixed(graph, LLVMGetOperand(v, 0), depth - 1);
    if (!sum_is_sum(v)) return false;
    LLVMValueRef a = LLVMGetOperand(v, 0), c = LLVMGetOperand(v, 1);
    return LLVMIsAConstantInt(c) != NULL || depth_of(graph, a) != depth_of(graph, c) || mixed(graph, a, depth - 1) ||
           mixed(graph, c, depth - 1);
}

static bool is_mixed(const struct sum_look *look, LLVMValueRef v) {
    return mixed(((const struct chain_look *)look)->graph, v, DEPTH_MAX);
}

// False: an index has another width than an address, so that its sums wrap elsewhere.
static bool fits(LLVMValueRef gep) {
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind) return false;
        if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 32 && LLVMIsAConstantInt(index) == NULL) return false;
    }
    return true;
}

// Parts of one depth keep their order, so that equal addresses have equal chains.
static void sort_parts(const struct ir_graph *graph, struct sum *chain) {
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
static void sum_outside(const struct ir_graph *graph, LLVMBuilderRef b, struct sum *chain) {
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
    const struct chain_look look = {{is_mixed}, graph};
    struct sum chain = {.count = 0};
    LLVMValueRef at = p;
    for (; LLVMIsAGetElementPtrInst(at) != NULL; at = LLVMGetOperand(at, 0)) {
        if (!fits(at)) return;
        sum_add_steps(&chain, module, at, &look.look);
    }
    if (chain.lost) return;
    sort_parts(graph, &chain);
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
