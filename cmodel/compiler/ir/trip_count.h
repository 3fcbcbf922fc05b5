// Whether a loop of the LLVM IR comes to an end by itself, and soon: see trip_count.c.
#ifndef TANDEM_COMPILER_IR_TRIP_COUNT_H
#define TANDEM_COMPILER_IR_TRIP_COUNT_H

#include "compiler/ir/ir_graph.h"

// What is known of a loop, the better the higher.
enum trip_count {
    TRIP_NO_EXIT,  // there is no way out (but that of the kernel's end)
    TRIP_DATA,     // no exit that every iteration passes compares a counter
    TRIP_STEP,     // something is compared with a fixed value that does not move in a known direction
    TRIP_BOUND,    // a counter is compared with a value that changes in the loop
    TRIP_PAST,     // a counter may step past, or go round, without ever meeting the value it is compared with
    TRIP_LARGE,    // a counter comes to a fixed value, but certainly not soon
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
