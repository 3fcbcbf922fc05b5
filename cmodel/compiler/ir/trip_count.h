// Whether a loop of the LLVM IR comes to an end by itself: see trip_count.c. Used by yields.c.
#ifndef TANDEM_COMPILER_IR_TRIP_COUNT_H
#define TANDEM_COMPILER_IR_TRIP_COUNT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/machine/machine.h"

// The blocks of an LLVM function as a graph that loops.c and dominance.c read. Index k is block `blocks[k]`; where a
// switch has more than two targets, further nodes without a block stand behind these.
struct ir_graph {
    LLVMTargetDataRef layout;
    LLVMBasicBlockRef *blocks;
    size_t block_count;
    struct ir_index {
        LLVMBasicBlockRef block;
        uint32_t index;
    } * sorted;  // by address
    struct machine_function nodes;
    struct loops loops;
    uint32_t *dominator;  // immediate
};

void ir_graph_make(struct ir_graph *graph, struct compilation *compilation, LLVMValueRef function,
                   LLVMTargetDataRef layout);
uint32_t ir_graph_index(const struct ir_graph *graph, LLVMBasicBlockRef block);
bool ir_graph_inside(const struct ir_graph *graph, const struct loop *loop, LLVMValueRef instruction);
// Whether every iteration of the loop passes this block.
bool ir_graph_every_time(const struct ir_graph *graph, const struct loop *loop, uint32_t block);

// What is known of a loop, the better the higher.
enum trip_count {
    TRIP_NO_EXIT,  // there is no way out (but that of the kernel's end)
    TRIP_DATA,     // no exit that every iteration passes compares a counter
    TRIP_STEP,     // something is compared with a fixed value that does not move in a known direction
    TRIP_BOUND,    // a counter is compared with a value that changes in the loop
    TRIP_PAST,     // a counter may step past, or go round, without ever meeting the value it is compared with
    TRIP_COUNTED,  // bounded: a counter comes to a fixed value
    TRIP_TOWARDS,  // bounded: a counter steps towards a fixed limit
    TRIP_SHRINKS,  // bounded: a value shrinks (or is shifted) to 0
    TRIP_VERDICTS
};
enum trip_count trip_count(const struct ir_graph *graph, const struct loop *loop);
static inline bool trip_count_bounded(enum trip_count verdict) {
    return verdict >= TRIP_COUNTED;
}

#endif
