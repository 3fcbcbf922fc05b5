// One level of the loop nest as a graph without cycles: see level.c.
#ifndef TANDEM_COMPILER_TOKENS_LEVEL_H
#define TANDEM_COMPILER_TOKENS_LEVEL_H

#include "compiler/graph/loops.h"
#include "compiler/machine/machine.h"

// What reconvergence knows of a loop beyond its blocks.
struct loop_shape {
    uint32_t preheader;  // empty block through which every thread comes in
    // Empty block on which every thread leaves (those that end the kernel apart), or NONE: several exits.
    uint32_t landing;
    bool breaks;  // threads leave with BRK: a PBRK stands in the preheader
};

// Nodes: the blocks of the level itself and, as one node each, the loops directly inside; the last node is the sink,
// the end of an iteration (of the kernel on the outermost level).
struct level {
    struct machine_function *function;
    const struct loops *loops;
    const struct loop_shape *shapes;
    uint32_t loop;        // NONE: the outermost level
    uint32_t *node_of;    // of each block of the level or inside it, NONE for others
    uint32_t *block_of;   // of each node; NONE: a loop inside
    uint32_t *loop_of;    // of each node that is a loop inside, else NONE
    struct graph graph;   // edges that stay in the level, and to the sink
    uint32_t *dominator;  // immediate, in graph
    uint32_t *
        meeting;  // immediate post-dominator of each node: where its threads meet again; the sink: nowhere in the level
};

// A stretch that threads enter together at `head` and leave together at `meeting`.
struct region {
    uint32_t head, meeting;  // nodes
    bool *inside;            // nodes between the two, without head and meeting
    size_t size;
};

void level_make(struct level *level, struct machine_function *function, const struct loops *loops,
                const struct loop_shape *shapes, uint32_t loop);
// Looks for the smallest region around divergent node n whose threads can be brought together. False: there is none.
bool level_region(const struct level *level, uint32_t node, struct region *region);

#endif
