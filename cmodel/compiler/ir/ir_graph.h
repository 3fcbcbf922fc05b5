// The control flow graph of an LLVM function, with dominators and loops, which LLVM's C interface does not tell.
#ifndef TANDEM_COMPILER_IR_IR_GRAPH_H
#define TANDEM_COMPILER_IR_IR_GRAPH_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/graph/graph.h"
#include "compiler/graph/loops.h"

// Node k is block `blocks[k]`.
struct ir_graph {
    LLVMTargetDataRef layout;
    LLVMBasicBlockRef *blocks;
    size_t block_count;
    struct ir_index {
        LLVMBasicBlockRef block;
        uint32_t index;
    } * sorted;                // by address
    struct graph edges, back;  // successors, predecessors
    struct loops loops;
    uint32_t *dominator;  // immediate
};

void ir_graph_make(struct ir_graph *graph, LLVMValueRef function, LLVMTargetDataRef layout);
uint32_t ir_graph_index(const struct ir_graph *graph, LLVMBasicBlockRef block);
bool ir_graph_inside(const struct ir_graph *graph, const struct loop *loop, LLVMValueRef instruction);
// Whether every iteration of the loop passes this block.
bool ir_graph_every_time(const struct ir_graph *graph, const struct loop *loop, uint32_t block);

#endif
