// Functions that stay functions: which ones (kept_calls.c), who calls whom (call_graph.c), and what a caller has to
// know of a finished one (function_calls.c, kernel_code.c).
#ifndef TANDEM_COMPILER_LOWER_CALLS_H
#define TANDEM_COMPILER_LOWER_CALLS_H

#include "compiler/ir/module.h"
#include "compiler/machine/machine.h"

// ---- call_graph.c: the functions with bodies that the roots reach. Nothing calls itself (recursion.c).
struct call_node {
    LLVMValueRef function;
    struct call_edge {
        size_t callee;   // node
        unsigned sites;  // calls of it in the body
    } * edges;
    size_t edge_count, edge_capacity;
};
struct call_graph {
    struct call_node *nodes;  // every callee before its callers
    size_t count, capacity;
};
void call_graph_make(struct call_graph *graph, const LLVMValueRef *roots, size_t root_count);
// Index of the node, or graph->count: it is not reached.
size_t call_graph_find(const struct call_graph *graph, LLVMValueRef function);
void call_graph_free(struct call_graph *graph);
// The function with a body that an instruction calls, or NULL.
LLVMValueRef called_function(LLVMValueRef instruction);

// ---- kept_calls.c
// Chooses the functions that stay calls, marks them and tells why (compilation->calls); the others are to be expanded.
// A marked one stays marked.
void calls_choose(struct module *module);
bool call_kept(LLVMValueRef function);
// Behind the optimization: a function whose pointers lead into different constant memories is unmarked after all.
// Returns whether there were any; they are then to be expanded.
bool calls_settle(struct module *module);
// Structures passed by value to functions that stay calls become copies of the caller's.
void calls_own_copies(struct module *module);

// ---- function_calls.c: how values are handed over.
// The words of the arguments lie in the lowest registers, from `first` on, those that do not fit in the callee's frame;
// the words of the result likewise. A function in which threads may YIELD gets its return address in R0.
enum { CALL_REGISTERS = 16 };

// A function that has been through the back end, or is going to: what its callers need.
struct machine_callee {
    LLVMValueRef function;
    const char *name;
    bool keeps_return;      // it may lose its call token, so it returns by address
    uint32_t in_registers;  // words of arguments (and of results) that are handed over in registers
    uint32_t frame;         // byte address of its frame in private memory: arguments, results, variables, spills
    uint32_t frame_end;     // the same of the first byte that it and what it calls leave alone
    uint32_t registers;     // it and what it calls use R0 .. R(registers - 1)
    bool uses_work_queue;   // it or what it calls
    struct machine_function *code;
    size_t entry, end;  // words in the text, when emitted
};

// Everything that makes one kernel: the functions that it calls, then itself.
struct kernel_tree {
    struct call_graph graph;
    struct machine_callee *callees;  // of each node; the last is the kernel
    uint32_t local_end;              // __local memory that the functions' code names
    struct local_place {
        LLVMValueRef variable;
        uint32_t place;
    } * locals;
    size_t local_count, local_capacity;
};
// kernel_tree.c. register_limit: of the kernel, for how many words go in registers.
void kernel_tree_make(struct kernel_tree *tree, LLVMValueRef kernel, uint32_t register_limit);
void kernel_tree_free(struct kernel_tree *tree);
struct machine_callee *tree_callee(const struct kernel_tree *tree, LLVMValueRef function);
// Before and behind the back end's work on a function, callees first: sets its frame; notes what callers need of it.
void kernel_tree_begin(struct kernel_tree *tree, size_t node);
void kernel_tree_end(struct kernel_tree *tree, size_t node, struct machine_function *code);
// Where a __local variable lies: the same for all functions of a kernel. False: it has no place yet.
bool kernel_tree_local(const struct kernel_tree *tree, LLVMValueRef variable, uint32_t *place);
void kernel_tree_add_local(struct kernel_tree *tree, LLVMValueRef variable, uint32_t place);

// function_calls.c
uint32_t call_frame_words(const struct machine_callee *callee);  // of arguments and results, in its frame

#endif
