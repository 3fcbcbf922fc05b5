// Everything that makes one kernel: the functions that it calls, then itself. See kernel_tree.c.
#ifndef TANDEM_COMPILER_SELECT_KERNEL_TREE_H
#define TANDEM_COMPILER_SELECT_KERNEL_TREE_H

#include "compiler/ir/call_graph.h"
#include "compiler/machine/callee.h"

struct kernel_tree {
    struct call_graph graph;
    struct machine_callee *callees;  // of each node; the last is the kernel
    uint32_t local_end;              // __local memory that the functions' code names
    uint32_t private_first;          // bytes at the beginning of private memory that are not the kernel's
    struct local_place {
        LLVMValueRef variable;
        uint32_t place;
    } * locals;
    size_t local_count, local_capacity;
};
// register_limit: of the kernel, for how many words go in registers.
void kernel_tree_make(struct kernel_tree *tree, LLVMValueRef kernel, uint32_t register_limit, uint32_t private_first);
void kernel_tree_free(struct kernel_tree *tree);
struct machine_callee *tree_callee(const struct kernel_tree *tree, LLVMValueRef function);
// Before and behind the back end's work on a function, callees first: sets its frame; notes what callers need of it.
void kernel_tree_begin(struct kernel_tree *tree, size_t node);
void kernel_tree_end(struct kernel_tree *tree, size_t node, struct machine_function *code);
// Where a __local variable lies: the same for all functions of a kernel. False: it has no place yet.
bool kernel_tree_local(const struct kernel_tree *tree, LLVMValueRef variable, uint32_t *place);
void kernel_tree_add_local(struct kernel_tree *tree, LLVMValueRef variable, uint32_t place);

#endif
