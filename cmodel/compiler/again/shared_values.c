// What is the same in all work-items of a work-group, or of a launch, that differ in dimension 0 only: values that are
// computed from arguments, sizes and (in a group) the group's numbers, without phis and loads; and blocks that all of
// them come to, since every branch that could lead past the block depends on such values.
#include "compiler/again/shared_values.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/again/facts.h"
#include "compiler/ir/names.h"
#include "gen/isa.h"

enum { VISITS = 400 };

static LLVMValueRef called(LLVMValueRef value, const char *name) {
    if (LLVMIsACallInst(value) == NULL || LLVMIsAFunction(LLVMGetCalledValue(value)) == NULL) return NULL;
    return strcmp(name_of(LLVMGetCalledValue(value)), name) == 0 ? LLVMGetOperand(value, 0) : NULL;
}

bool is_special(LLVMValueRef value, uint32_t number) {
    LLVMValueRef which = called(value, NAME_SPECIAL);
    return which != NULL && LLVMIsAConstantInt(which) != NULL && LLVMConstIntGetZExtValue(which) == number;
}

bool is_special_product(LLVMValueRef value, uint32_t a, uint32_t b) {
    if (LLVMIsAInstruction(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMMul) return false;
    LLVMValueRef first = LLVMGetOperand(value, 0), second = LLVMGetOperand(value, 1);
    return (is_special(first, a) && is_special(second, b)) || (is_special(first, b) && is_special(second, a));
}

static bool special_is_shared(LLVMValueRef value, enum scope scope) {
    const bool group = scope == SCOPE_GROUP;
    for (uint32_t k = 0; k < 3; k++) {
        if (is_special(value, SR_NTID_X + k) || is_special(value, SR_NCTAID_X + k)) return true;
        if (group && is_special(value, SR_CTAID_X + k)) return true;
    }
    return false;
}

static bool is_shared(LLVMValueRef value, enum scope scope, unsigned *visits) {
    if (LLVMIsConstant(value) || LLVMIsAArgument(value) != NULL) return true;
    if (LLVMIsAInstruction(value) == NULL || (*visits)++ > VISITS) return false;
    if (called(value, NAME_SPECIAL) != NULL) return special_is_shared(value, scope);
    const LLVMOpcode op = LLVMGetInstructionOpcode(value);
    // A frozen value may be another one in each work-item.
    if (op == LLVMPHI || op == LLVMFreeze || !touches_no_memory(value)) return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
        if (!is_shared(LLVMGetOperand(value, k), scope, visits)) return false;
    return true;
}

bool value_is_shared(LLVMValueRef value, enum scope scope) {
    unsigned visits = 0;
    return is_shared(value, scope, &visits);
}

// Marks what the edges lead to from `at` on, without passing `wall`.
static void spread(const struct graph *edges, uint32_t at, uint32_t wall, bool *marked) {
    if (at == wall || marked[at]) return;
    marked[at] = true;
    for (size_t k = 0; k < edges->next_count[at]; k++)
        spread(edges, edges->next[at][k], wall, marked);
}

bool block_is_shared(const struct ir_graph *graph, uint32_t block, enum scope scope) {
    bool *to_block = take(graph->block_count, sizeof *to_block), *to_end = take(graph->block_count, sizeof *to_end);
    spread(&graph->back, block, NONE, to_block);
    for (uint32_t k = 0; k < graph->block_count; k++)
        if (graph->edges.next_count[k] == 0) spread(&graph->back, k, block, to_end);
    bool shared = graph->loops.innermost[block] == NONE && !graph->loops.irreducible;
    for (uint32_t k = 0; k < graph->block_count && shared; k++) {
        if (k == block || !to_block[k] || !to_end[k] || graph->edges.next_count[k] < 2) continue;
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(graph->blocks[k]);
        shared = LLVMGetInstructionOpcode(jump) == LLVMBr && value_is_shared(LLVMGetCondition(jump), scope);
    }
    free(to_block);
    free(to_end);
    return shared;
}
