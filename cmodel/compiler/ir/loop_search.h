// What the questions of one loop share: see trip_count.c.
#ifndef TANDEM_COMPILER_IR_LOOP_SEARCH_H
#define TANDEM_COMPILER_IR_LOOP_SEARCH_H

#include "compiler/ir/ir_graph.h"

enum { LOOP_BUDGET = 200, LOOP_INVARIANT_DEPTH = 6 };

struct loop_search {
    const struct ir_graph *graph;
    const struct loop *loop;
    int budget;  // of values looked at, against walks that never end
};

// The loop goes on while `value` stands in this relation to `limit`.
struct loop_test {
    LLVMIntPredicate relation;
    LLVMValueRef value, limit;
};

bool is_signed_relation(LLVMIntPredicate p);

// Whether the loop does not change the value; looks at most `depth` operations back.
bool loop_keeps(const struct loop_search *s, LLVMValueRef v, unsigned depth);
// The value that a phi of the header has when the loop begins, or NULL when there are several.
LLVMValueRef loop_start(const struct loop_search *s, LLVMValueRef phi);
LLVMValueRef without_freeze(LLVMValueRef v);

#endif
