// What the files of turns.c share: the kernel that is taken apart.
#ifndef TANDEM_COMPILER_AGAIN_TURNER_H
#define TANDEM_COMPILER_AGAIN_TURNER_H

#include "compiler/ir/module.h"

struct slot {
    LLVMValueRef variable;  // of the turn in hand
    LLVMTypeRef type;
    LLVMValueRef kept;  // the array, NULL: never alive over a barrier
    LLVMTypeRef element;
};

struct site {  // a barrier
    LLVMBasicBlockRef before, behind, resumed;
    uint32_t behind_index;
};

struct turner {
    struct module *module;
    const struct alias_turns *turns;
    uint32_t count;  // of turns
    LLVMValueRef function;
    LLVMBuilderRef b;
    LLVMTypeRef word;
    LLVMBasicBlockRef entry, outer, head, dispatch, latch, done, end;
    LLVMValueRef turn, part, next;  // variables
    LLVMValueRef ended;             // a bit for each turn; NULL: all items end together
    LLVMValueRef turn_now;          // in `head`
    struct slot *slots;
    size_t slot_count, slot_capacity;
    struct site *sites;
    size_t site_count, site_capacity;
    LLVMValueRef barrier;  // one of them, out of its place
    uint64_t bytes;        // of a thread, kept
};

// A word of that value.
LLVMValueRef turner_number(const struct turner *t, uint64_t value);
LLVMBasicBlockRef turner_block(const struct turner *t, const char *name);
// Whether it calls a function whose name begins so.
bool calls_function(LLVMValueRef i, const char *name);
uint64_t turner_bytes(const struct turner *t, LLVMTypeRef type);
void turner_move_to_end(const struct turner *t, LLVMValueRef i, LLVMBasicBlockRef block);

// turn_values.c; with `head` at its end, in this order.
// Phis become variables of the turn in hand (slots), so that the control flow can be cut.
void phis_to_variables(struct turner *t);
// The program's variables get a place for each turn; without a barrier all turns use one.
void private_variables(struct turner *t);
// What is cheap to compute from ids and arguments goes into `head`.
void cheap_to_head(const struct turner *t);
// What lives from block to block, but for what `head` computes, becomes variables too.
void values_to_variables(struct turner *t);

// turn_parts.c
bool has_barrier(const struct turner *t);
// Takes the barriers out (one is kept in `barrier`), each a site between two blocks.
void part_at_barriers(struct turner *t);
// What is alive over a site goes to arrays before it and comes back in its block `resumed`.
void keep_over_barriers(struct turner *t);
// Makes `ended` where some items may end while others go on to a barrier.
void know_ended(struct turner *t, LLVMBasicBlockRef first);
// In a block of its own behind `head`: on to `dispatch`, or to `latch` when the turn's item has ended.
void skip_ended(struct turner *t, LLVMBasicBlockRef skip);
// The kernel's returns lead to `latch`.
void end_items(struct turner *t);

#endif
