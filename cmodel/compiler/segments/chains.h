// The stretches of a kernel that segments are chosen from: see chains.c.
#ifndef TANDEM_COMPILER_SEGMENTS_CHAINS_H
#define TANDEM_COMPILER_SEGMENTS_CHAINS_H

#include "compiler/graph/loops.h"
#include "compiler/segments/pressure.h"
#include "compiler/segments/segments.h"
#include "compiler/tokens/level.h"

// What is wanted for the blocks of an item: the order that is the default, the other one, both in different blocks.
enum want { WANT_ANY, WANT_FIRST, WANT_SECOND, WANT_BOTH };

struct item {
    uint32_t node, meeting;
    bool *nodes;  // of the level, that belong to it
    enum segment_kind kind;
    enum want want;
    const char *reason;  // why not in sub-vector order
};

struct chain {
    struct item *items;
    size_t count, capacity;
};

struct chooser {
    struct machine_function *function;
    struct segments *segments;
    struct pressure pressure;
    struct loops loops;
    struct level *levels;  // of each loop; the last: outermost
    bool **seen;           // of each level, nodes that were walked
    uint32_t *loop_needs;  // of each loop
    uint32_t *call_needs;  // of each inlined call, [number]
    size_t known;          // blocks when the levels were made
    bool trial;            // nothing is placed or told: cost.c
    uint32_t *group_of;    // of each block, the group that a trial found for it, 0: none
    uint32_t groups;
    const char **dropped;  // of each group of the trial, [group - 1]: why it is left alone, or NULL
};

#define REASON_UNBOUNDED "a loop without a bound in it may wait for other threads"

// Cuts the blocks so that a segment is a set of whole blocks.
void chooser_cut_blocks(struct chooser *c);
// Fills in loop_needs and call_needs.
void chooser_find_needs(struct chooser *c);
// The nodes of level l from `from` up to `stop`, one item from each meeting place to the next.
struct chain chain_make(struct chooser *c, size_t l, uint32_t from, uint32_t stop);
void chain_free(struct chain *chain);
bool in_item(const struct level *level, const struct item *item, uint32_t block);
// Whether the item is to run in sub-vector order, and may.
bool wants_second(const struct item *item);
// The inlined call that all of the item comes from, as in struct machine_instruction; 0: none, or several.
uint32_t call_of(const struct chooser *c, const struct level *level, const struct item *item);
// Whether item b goes on with the segment that item a belongs to.
bool same_segment(const struct chooser *c, const struct level *level, const struct item *a, const struct item *b);

#endif
