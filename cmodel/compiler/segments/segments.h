// Segments of a kernel that run in sub-vector order: see segments.c for how they are found, ways.c for the
// three ways, shared_rows.c for the registers that portions share, report.c for what is told about them.
#ifndef TANDEM_COMPILER_SEGMENTS_SEGMENTS_H
#define TANDEM_COMPILER_SEGMENTS_SEGMENTS_H

#include "compiler/machine/liveness.h"
#include "compiler/machine/machine.h"
#include "gen/config.h"

enum segment_kind { SEGMENT_RUN, SEGMENT_BRANCH, SEGMENT_LOOP, SEGMENT_FUNCTION, SEGMENT_REGION };

struct segment {
    enum segment_kind kind;
    uint32_t first_line, last_line;  // 0: none known
    uint32_t call_line;              // SEGMENT_FUNCTION
    uint32_t instructions;
    uint32_t needed;     // most registers alive at once in it
    const char *reason;  // why it is in regular order though it is over the threshold, or NULL
    uint32_t group;      // in sub-vector order: number of the start and end that it lies between, from 1; else 0
    bool joined;         // and shares them with the segment before it in the list
};

struct segments {
    const struct subvector_options *options;
    const struct ppu_config *target;
    uint32_t portions;
    uint32_t needed;     // by the whole kernel, in regular order
    uint32_t threshold;  // registers
    struct segment *list;
    size_t count, capacity;
    uint32_t group_count;
    uint32_t *rows;  // shared rows that each group uses, [group - 1]; shared_rows.c
    size_t rows_capacity;
};

// What liveness says of the kernel before anything is placed. Blocks are those of that time and pieces split from them.
struct pressure {
    struct live_range *ranges;
    size_t range_count;
    uint32_t *start;  // position of the first instruction of each block
    uint32_t *at;     // registers alive at each position
    uint32_t positions;
    uint32_t *needed;  // most in each block
    uint32_t *next;    // the piece of the same original block that follows a block, or NONE
    size_t blocks, capacity;
};

// Between predicates_allocate() and registers_allocate(): chooses segments, puts them into sub-vector order.
void segments_choose(struct machine_function *function);
// Instead of it: all stays in regular order, for this reason.
void segments_leave(struct machine_function *function, const char *reason);
// After registers_allocate(): a line for each segment and one for the kernel. Nothing when options do not ask for it.
void segments_report(const struct machine_function *function, struct text *to);

// pressure.c
void pressure_measure(const struct machine_function *function, struct pressure *pressure);
// Cuts block b before instruction `at`; the rest with the terminator becomes a new block, whose number it returns.
uint32_t pressure_split(struct machine_function *function, struct pressure *pressure, uint32_t b, size_t at);
uint32_t threshold_of(const struct segments *segments, const struct pressure *pressure);

// ways.c: a set of blocks (known entries; later blocks are outside), entered through `entry` alone, in
// sub-vector order. Returns why not, and nothing is changed; NULL: done.
const char *segment_place(struct machine_function *function, const struct pressure *pressure, const bool *set,
                          size_t known, uint32_t entry);

// shared_rows.c. For registers_allocate(): the group inside which all of a register's range lies, 0: none. NULL: no
// registers are shared.
uint32_t *segment_rows_inside(const struct machine_function *function, const struct live_range *ranges,
                              const uint32_t *order, size_t order_count);
// Whether a move in the block should stay a move, because merging would make a register of a group private.
bool segment_rows_keep_move(const struct machine_function *function, const struct loops *loops, uint32_t block);

#endif
