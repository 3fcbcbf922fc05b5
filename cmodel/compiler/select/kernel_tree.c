// The functions that make one kernel, from the innermost callees to the kernel itself: what each has to know of those
// that it calls, and their places in private and local memory.
#include "compiler/select/kernel_tree.h"

#include <stdlib.h>

#include "compiler/ir/names.h"
#include "compiler/select/types.h"

enum { FRAME_ALIGNMENT = 16 };

static bool yields(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i))
            if (is_yield(i)) return true;
    }
    return false;
}

void kernel_tree_make(struct kernel_tree *tree, LLVMValueRef kernel, uint32_t register_limit, uint32_t private_first) {
    *tree = (struct kernel_tree){.private_first = private_first};
    call_graph_make(&tree->graph, &kernel, 1);
    tree->callees = take(tree->graph.count, sizeof *tree->callees);
    for (size_t k = 0; k < tree->graph.count; k++) {
        const struct call_node *node = &tree->graph.nodes[k];
        struct machine_callee *callee = &tree->callees[k];
        callee->name = name_of(node->function);
        for (unsigned p = 0; p < LLVMCountParams(node->function); p++)
            callee->argument_words += words_of(LLVMTypeOf(LLVMGetParam(node->function, p)));
        callee->result_words = words_of(LLVMGetReturnType(LLVMGlobalGetValueType(node->function)));
        callee->in_registers = register_limit / 4 < CALL_REGISTERS ? register_limit / 4 : CALL_REGISTERS;
        callee->keeps_return = yields(node->function);
        for (size_t e = 0; e < node->edge_count; e++)
            callee->keeps_return |= tree->callees[node->edges[e].callee].keeps_return;
    }
}

struct machine_callee *tree_callee(const struct kernel_tree *tree, LLVMValueRef function) {
    return &tree->callees[call_graph_find(&tree->graph, function)];
}

void kernel_tree_begin(struct kernel_tree *tree, size_t node) {
    struct machine_callee *callee = &tree->callees[node];
    const struct call_node *calls = &tree->graph.nodes[node];
    callee->frame = tree->private_first;
    for (size_t e = 0; e < calls->edge_count; e++) {
        uint32_t end = tree->callees[calls->edges[e].callee].frame_end;
        if (end > callee->frame) callee->frame = end;
    }
    callee->frame = (callee->frame + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
}

void kernel_tree_end(struct kernel_tree *tree, size_t node, struct machine_function *code) {
    struct machine_callee *callee = &tree->callees[node];
    const struct call_node *calls = &tree->graph.nodes[node];
    callee->code = code;
    callee->frame_end = code->private_bytes;
    callee->registers = code->registers_used;
    callee->uses_work_queue = code->uses_work_queue;
    for (size_t e = 0; e < calls->edge_count; e++) {
        const struct machine_callee *called = &tree->callees[calls->edges[e].callee];
        if (called->registers > callee->registers) callee->registers = called->registers;
        callee->uses_work_queue |= called->uses_work_queue;
    }
}

bool kernel_tree_local(const struct kernel_tree *tree, LLVMValueRef variable, uint32_t *place) {
    for (size_t k = 0; k < tree->local_count; k++) {
        if (tree->locals[k].variable != variable) continue;
        *place = tree->locals[k].place;
        return true;
    }
    return false;
}

void kernel_tree_add_local(struct kernel_tree *tree, LLVMValueRef variable, uint32_t place) {
    tree->locals = grow(tree->locals, tree->local_count, &tree->local_capacity, sizeof *tree->locals);
    tree->locals[tree->local_count++] = (struct local_place){.variable = variable, .place = place};
}

void kernel_tree_free(struct kernel_tree *tree) {
    free(tree->callees);
    free(tree->locals);
    call_graph_free(&tree->graph);
}
