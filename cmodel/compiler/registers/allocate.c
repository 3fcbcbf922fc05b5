// Vector registers: moves are merged where source and target can share a register, then every live range, in the order
// of their starts, gets the lowest register that is free in all of its stretches. Few registers matter: they decide how
// many warps fit. When there are more than the limit, some values go to memory (spill.c) and all is done again.
#include "compiler/registers/allocate.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/machine/machine.h"
#include "compiler/machine/places.h"
#include "compiler/registers/fill_waits.h"
#include "compiler/registers/fixed.h"
#include "compiler/registers/guards.h"
#include "compiler/registers/spill.h"
#include "compiler/registers/tuples.h"
#include "compiler/segments/segments.h"
#include "compiler/segments/shared_rows.h"
#include "gen/isa.h"

enum {
    COUNTED = 4096,  // more than there are: for the message that says how many would be needed
    ROUNDS = 16
};

struct allocation {
    struct machine_function *function;
    struct live_range *ranges;
    size_t range_count;
    uint32_t *merged;  // register that this one was merged into; itself: not merged
    bool again;        // values have gone to memory already
    struct tuples tuples;
    uint32_t *inside;  // segment_rows_inside(): these may have shared rows; NULL: none
};

static uint32_t representative(struct allocation *a, uint32_t number) {
    while (a->merged[number] != number)
        number = a->merged[number] = a->merged[a->merged[number]];
    return number;
}

static bool is_move(const struct machine_instruction *at) {
    return at->op == OP_MOV && at->src[1] != NONE && at->guard == NONE;
}

// Whether merging these two would take a register out of its segment for the sake of one move.
static bool stays_move(const struct allocation *a, const struct loops *loops, uint32_t block, uint32_t to,
                       uint32_t from) {
    return a->inside != NULL && a->inside[to] != a->inside[from] && segment_rows_keep_move(a->function, loops, block);
}

// A fixed register takes up single ones only: where a tuple goes is not for it to say.
static bool may_merge(const struct allocation *a, uint32_t *to, uint32_t *from) {
    const struct reserved *reserved = a->function->reserved;
    if (!reserved_has(reserved, *to) && !reserved_has(reserved, *from)) return true;
    return a->tuples.owner[*to] == NONE && a->tuples.owner[*from] == NONE &&
           !ranges_meet(&a->ranges[*to], &a->ranges[*from]) &&
           reserved_merge(a->function->reserved, a->function, a->ranges, to, from, a->again);
}

static void merge_moves(struct allocation *a, const struct loops *loops, uint32_t number) {
    struct machine_block *block = &a->function->blocks[number];
    for (size_t k = 0; k < block->count; k++) {
        if (!is_move(&block->code[k])) continue;
        uint32_t to = representative(a, block->code[k].dst), from = representative(a, block->code[k].src[1]);
        if (to == from || stays_move(a, loops, number, to, from) || !may_merge(a, &to, &from)) continue;
        if (tuples_merge(&a->tuples, a->ranges, a->merged, to, from) && a->inside != NULL &&
            a->inside[to] != a->inside[from])
            a->inside[to] = a->inside[from] = 0;
    }
}

struct deep_block {
    uint32_t depth, block;
};

static int by_depth(const void *left, const void *right) {
    const struct deep_block *a = left, *b = right;
    if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
    return a->block < b->block ? -1 : a->block > b->block;
}

// Inner loops first: a move saved there is saved most often.
static void merge_all(struct allocation *a) {
    struct machine_function *function = a->function;
    struct loops loops;
    flow_loops(function, &loops);
    struct deep_block *blocks = take(function->block_count, sizeof *blocks);
    for (uint32_t b = 0; b < function->block_count; b++) {
        uint32_t loop = loops.innermost[b];
        blocks[b] = (struct deep_block){.block = b, .depth = loop == NONE ? 0 : loops.loops[loop].depth};
    }
    qsort(blocks, function->block_count, sizeof *blocks, by_depth);
    for (size_t k = 0; k < function->block_count; k++)
        merge_moves(a, &loops, blocks[k].block);
    free(blocks);
}

struct waiting {
    uint32_t start, number;
};

static int by_start(const void *left, const void *right) {
    const struct waiting *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

struct column {  // what one real register holds
    uint32_t *numbers;
    size_t count, capacity;
};

// now: where all ranges that are still to be placed begin, or later.
static bool column_takes(const struct allocation *a, struct column *column, uint32_t number, uint32_t now) {
    const struct live_range *range = &a->ranges[number];
    for (size_t k = 0; k < column->count;) {
        const struct live_range *held = &a->ranges[column->numbers[k]];
        if (held->stretches[held->count - 1].end <= now) {
            column->numbers[k] = column->numbers[--column->count];  // over before this one and all that follow
            continue;
        }
        if (ranges_meet(held, range)) return false;
        k++;
    }
    return true;
}

// What is placed at once: a register, or all of a tuple.
static unsigned lanes_of(const struct allocation *a, uint32_t number, const uint32_t **lanes, uint32_t *alone) {
    uint32_t owner = a->tuples.owner[number];
    *alone = number;
    *lanes = owner == NONE ? alone : a->tuples.list[owner].lanes;
    return owner == NONE ? 1 : a->tuples.list[owner].size;
}

static size_t find_waiting(const struct allocation *a, struct waiting *waiting) {
    size_t count = 0;
    for (uint32_t r = 0; r < a->range_count; r++) {
        if (a->merged[r] != r || a->ranges[r].count == 0 || reserved_has(a->function->reserved, r)) continue;
        const uint32_t *lanes;
        uint32_t alone, start = NONE;
        unsigned size = lanes_of(a, r, &lanes, &alone);
        if (lanes[0] != r) continue;
        for (unsigned k = 0; k < size; k++)
            if (a->ranges[lanes[k]].stretches[0].start < start) start = a->ranges[lanes[k]].stretches[0].start;
        waiting[count++] = (struct waiting){.start = start, .number = r};
    }
    qsort(waiting, count, sizeof *waiting, by_start);
    return count;
}

// The group of segments in which all that is placed at once lives, 0: none.
static uint32_t group_of(const struct allocation *a, const uint32_t *lanes, unsigned size) {
    uint32_t group = a->inside == NULL ? 0 : a->inside[lanes[0]];
    for (unsigned l = 1; l < size && group != 0; l++)
        if (a->inside[lanes[l]] != group) group = 0;
    return group;
}

static void put_in(struct allocation *a, struct column *columns, const uint32_t *lanes, unsigned size, unsigned to) {
    for (unsigned l = 0; l < size; l++) {
        struct column *column = &columns[to + l];
        column->numbers = grow(column->numbers, column->count, &column->capacity, sizeof *column->numbers);
        column->numbers[column->count++] = lanes[l];
        a->function->assigned[lanes[l]] = (uint16_t)(to + l);
    }
}

static bool column_free(const struct allocation *a, const struct column *column, uint32_t number) {
    for (size_t k = 0; k < column->count; k++)
        if (ranges_meet(&a->ranges[column->numbers[k]], &a->ranges[number])) return false;
    return true;
}

static void free_columns(struct column *columns) {
    for (unsigned c = 0; c < COUNTED; c++)
        free(columns[c].numbers);
    free(columns);
}

// What lives in segments only: private columns where they are free all the while, else shared ones behind them. A tuple
// is all private or all shared.
static unsigned assign_inside(struct allocation *a, const struct waiting *waiting, size_t count, unsigned used) {
    struct segments *segments = a->function->segments;
    struct column *columns = take(COUNTED, sizeof *columns);
    // Shared registers lie above all that called functions use.
    unsigned privates = used < segments->called ? segments->called : used, shared = 0;
    if (privates == 0) privates = 1;
    for (uint32_t g = 0; g < segments->group_count; g++)
        segments->rows[g] = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++) {
            const uint32_t *lanes;
            uint32_t alone;
            unsigned size = lanes_of(a, waiting[k].number, &lanes, &alone), to = 0, fit = 0;
            uint32_t group = group_of(a, lanes, size);
            if (pass == 0 && group == 0) put_in(a, columns, lanes, size, a->function->assigned[lanes[0]]);
            if (pass == 0 || group == 0) continue;
            while (to < COUNTED - size && fit < size) {
                bool crosses = to < privates && to + size > privates;
                for (fit = 0; fit < size && !crosses; fit++)
                    if (!reserved_fits(a->function->reserved, to + fit, &a->ranges[lanes[fit]]) ||
                        !column_free(a, &columns[to + fit], lanes[fit]))
                        break;
                if (fit < size) to += size;
            }
            put_in(a, columns, lanes, size, to);
            unsigned rows = to + size > privates ? to + size - privates : 0;
            if (rows > shared) shared = rows;
            if (rows > segments->rows[group - 1]) segments->rows[group - 1] = rows;
        }
    }
    free_columns(columns);
    a->function->shared_rows = shared;
    return privates + shared;
}

static unsigned assign_all(struct allocation *a) {
    const struct machine_function *function = a->function;
    struct waiting *waiting = take(function->register_count, sizeof *waiting);
    size_t count = find_waiting(a, waiting);
    unsigned used = 0;
    for (uint32_t r = 0; r < function->register_count; r++) {
        if (!reserved_has(function->reserved, r)) continue;
        function->assigned[r] = function->reserved->real[r];
        if (function->assigned[r] + 1u > used) used = function->assigned[r] + 1u;
    }
    struct column *columns = take(COUNTED, sizeof *columns);
    for (size_t k = 0; k < count; k++) {
        const uint32_t *lanes;
        uint32_t alone;
        unsigned size = lanes_of(a, waiting[k].number, &lanes, &alone), to = 0, fit = 0;
        if (group_of(a, lanes, size) != 0) continue;
        while (to < COUNTED - size && fit < size) {
            for (fit = 0; fit < size; fit++)
                if (!reserved_fits(function->reserved, to + fit, &a->ranges[lanes[fit]]) ||
                    !column_takes(a, &columns[to + fit], lanes[fit], waiting[k].start))
                    break;
            if (fit < size) to += size;
        }
        put_in(a, columns, lanes, size, to);
        if (to + size > used) used = to + size;
    }
    free_columns(columns);
    if (a->inside != NULL) used = assign_inside(a, waiting, count, used);
    free(waiting);
    return used;
}

static void drop_moves(struct machine_function *function) {
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        size_t kept = 0;
        for (size_t k = 0; k < block->count; k++) {
            if (!is_nothing(function, &block->code[k])) block->code[kept++] = block->code[k];
        }
        block->count = kept;
    }
}

// One attempt. The ranges and merges it was made with stay in a, for spilling.
static void attempt(struct allocation *a, size_t *assigned_count) {
    struct machine_function *function = a->function;
    if (*assigned_count < function->register_count) {
        uint16_t *longer = take(function->register_count, sizeof *longer);
        if (*assigned_count > 0) memcpy(longer, function->assigned, *assigned_count * sizeof *longer);
        free(function->assigned);
        function->assigned = longer;
        *assigned_count = function->register_count;
    }
    uint32_t *order = take(function->block_count, sizeof *order);
    flow_update(function);
    size_t order_count = flow_order(function, order);
    a->ranges = live_ranges(function, order, order_count);
    a->inside = segment_rows_inside(function, a->ranges, order, order_count);
    function->reserved = reserved_make(function, a->ranges, order, order_count);
    a->merged = take(function->register_count, sizeof *a->merged);
    for (uint32_t r = 0; r < function->register_count; r++)
        a->merged[r] = r;
    a->tuples = tuples_find(function);
    merge_all(a);
    free(a->inside);  // ranges are those of merged registers now
    a->inside = segment_rows_inside(function, a->ranges, order, order_count);
    unsigned used = assign_all(a);
    for (uint32_t r = 0; r < function->register_count; r++)
        a->merged[r] = representative(a, r);
    function->registers_used = used == 0 ? 1 : used;
    free(order);
}

static void forget(struct allocation *a) {
    for (size_t r = 0; r < a->range_count; r++)
        free(a->ranges[r].stretches);
    free(a->ranges);
    free(a->merged);
    reserved_free(a->function->reserved);
    tuples_free(&a->tuples);
    free(a->inside);
}

// Tuples go before values do. Where no place has more values than room, and the ranges still take more registers, since
// they do not fill them without gaps, there is less room for them.
static bool give_way(struct machine_function *function, const struct allocation *a, unsigned room) {
    if (tuples_split(function)) return true;
    const unsigned least = room / 2;
    for (; room > least; room--)
        if (registers_spill(function, a->ranges, a->merged, room)) return true;
    return false;
}

void registers_allocate(struct machine_function *function) {
    // Predicates have their places already.
    size_t assigned_count = function->assigned != NULL ? function->register_count : 0;
    for (unsigned round = 0;; round++) {
        struct allocation a = {.function = function, .range_count = function->register_count, .again = round > 0};
        attempt(&a, &assigned_count);
        // Each round leaves less room.
        unsigned room = function->register_limit > round * 2 ? function->register_limit - round * 2 : 1;
        bool again =
            function->registers_used > function->register_limit && round < ROUNDS && give_way(function, &a, room);
        if (!again) {
            for (uint32_t r = 0; r < function->register_count; r++)
                if (function->classes[r] == CLASS_VECTOR) function->assigned[r] = function->assigned[a.merged[r]];
            forget(&a);
            break;
        }
        forget(&a);
    }
    ways_guard(function);
    waits_fill(function);
    places_track(function);
    drop_moves(function);
}
