// Natural loops of a graph: see loops.c.
#ifndef TANDEM_COMPILER_GRAPH_LOOPS_H
#define TANDEM_COMPILER_GRAPH_LOOPS_H

#include "compiler/graph/graph.h"

struct loop {
    uint32_t header;
    uint32_t parent;  // index of the loop around it, or NONE
    uint32_t depth;   // 1: outermost
    bool *blocks;     // members, inner loops' too
    // Of the machine program alone:
    bool *tail;  // members by loops_take_tails(), which never come round again; NULL: none
    bool spins;  // a member spins
    bool waits;  // a member waits
};

struct loops {
    struct loop *loops;  // inner loops before the loops around them
    size_t count;
    uint32_t *innermost;  // of each node, or NONE
    bool irreducible;     // there is a cycle that is no natural loop: then nothing else is filled in
};

// From node 0.
void loops_find(const struct graph *graph, struct loops *loops);
void loops_free(struct loops *loops);

#endif
