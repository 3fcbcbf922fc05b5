// Loops that count: see counters.c.
#ifndef TANDEM_COMPILER_IR_COUNTERS_H
#define TANDEM_COMPILER_IR_COUNTERS_H

#include "compiler/ir/ir_range.h"
#include "compiler/ir/loop_search.h"
#include "compiler/ir/trip_count.h"

// v = phi + [lowest, highest], on every way that leads here.
struct distance {
    bool known;
    bool keeps_signed, keeps_unsigned;  // an overflow in this reading would be undefined
    wide_number lowest, highest;
};

struct counter {
    LLVMValueRef phi;
    struct distance step, ahead;  // ahead: of what is compared
    bool ring_is_signed, extended, narrowed;
    unsigned width;  // of the ring
    bool is_next;    // compared is what the phi becomes, whichever way the loop goes round
    bool keeps;      // going round would be undefined
};

// The counter that the test compares. False: there is none.
bool counter_of(struct loop_search *s, const struct loop_test *test, struct counter *c);
// Whether it comes to the limit, which the loop does not change.
enum trip_count counter_verdict(const struct loop_search *s, const struct loop_test *test, const struct counter *c);

#endif
