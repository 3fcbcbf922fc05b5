// Segments of a kernel that run in sub-vector order: see segments.c for how they are found, ways.c for the
// three ways, shared_rows.c for the registers that portions share, report.c for what is told about them.
#ifndef TANDEM_COMPILER_SEGMENTS_SEGMENTS_H
#define TANDEM_COMPILER_SEGMENTS_SEGMENTS_H

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
    uint32_t called;     // of that, by the functions that it calls: the lowest, and none of them shared
    uint32_t threshold;  // registers
    struct segment *list;
    size_t count, capacity;
    uint32_t group_count;
    uint32_t *rows;  // shared rows that each group uses, [group - 1]; shared_rows.c
    size_t rows_capacity;
};

// Between predicates_allocate() and registers_allocate(): chooses segments, puts them into sub-vector order.
void segments_choose(struct machine_function *function);
#endif
