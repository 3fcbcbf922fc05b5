// Which segments of a kernel run in sub-vector order.
//
// Blocks are cut where the segments' kind asks for it (above / below the threshold, another inlined call) and in front
// of their branches, so that a segment is a set of whole blocks (chains.c). Each level of the loop nest is then walked
// as a chain from its first node over the meeting places: blocks, loops and branches with their arms, one after the
// other. What stands over the threshold and may run in sub-vector order is put into it, neighbours together; where a
// loop or a branch may not as a whole, or only parts of it are over the threshold, its own chains are walked the same
// way. Proposals of the walk are checked by segment_place().
#include "compiler/segments/segments.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/callee.h"
#include "compiler/machine/flow_graph.h"
#include "compiler/segments/chains.h"
#include "compiler/segments/cost.h"
#include "compiler/segments/pressure.h"
#include "compiler/segments/ways.h"
#include "compiler/tokens/level.h"
#include "gen/isa.h"

enum { GAP = 4 };  // so many instructions under the threshold between two segments over it go with them

// ---- telling ----

static void tell(struct chooser *c, const struct level *level, const struct item *items, size_t count, uint32_t group,
                 const char *reason, bool joined) {
    struct segments *s = c->segments;
    if (c->trial) return;
    struct segment told = {
        .kind = count == 1 ? items[0].kind : SEGMENT_REGION, .group = group, .reason = reason, .joined = joined};
    uint32_t call = 0;
    bool one_call = true;
    for (uint32_t b = 0; b < c->known; b++) {
        bool member = false;
        for (size_t k = 0; k < count; k++)
            member |= in_item(level, &items[k], b);
        const struct machine_block *block = &c->function->blocks[b];
        if (!member) continue;
        if (c->pressure.needed[b] > told.needed) told.needed = c->pressure.needed[b];
        for (size_t k = 0; k < block->count; k++) {
            const struct machine_instruction *at = &block->code[k];
            told.instructions++;
            if (at->line != 0 && (told.first_line == 0 || at->line < told.first_line)) told.first_line = at->line;
            if (at->line > told.last_line) told.last_line = at->line;
            one_call &= at->inlined != 0 && (call == 0 || call == at->inlined);
            call = at->inlined;
        }
    }
    if (told.instructions == 0) return;
    if (s->options->cut == CUT_FUNCTIONS && one_call) {
        told.kind = SEGMENT_FUNCTION;
        told.call_line = c->function->inlined[call - 1].line;
    }
    s->list = grow(s->list, s->count, &s->capacity, sizeof *s->list);
    s->list[s->count++] = told;
}

// Tells items [from, to), all placed in one group (0: none), one line for each segment among them.
static void tell_all(struct chooser *c, const struct level *level, const struct chain *chain, size_t from, size_t to,
                     uint32_t group, const char *reason) {
    for (size_t k = from, first = from; k < to; k++) {
        if (k + 1 < to && same_segment(c, level, &chain->items[first], &chain->items[k + 1])) continue;
        tell(c, level, &chain->items[first], k + 1 - first, group, reason, first > from);
        first = k + 1;
    }
}

// ---- choosing ----

static void walk(struct chooser *c, size_t l, uint32_t from, uint32_t stop);

// The chains inside a loop or a branch.
static void walk_inside(struct chooser *c, size_t l, const struct item *item, uint32_t stop) {
    const struct level *level = &c->levels[l];
    uint32_t loop = level->loop_of[item->node];
    if (loop != NONE) walk(c, loop, c->levels[loop].node_of[c->loops.loops[loop].header], NONE);
    for (size_t k = 0; k < level->graph.next_count[item->node]; k++) {
        uint32_t to = level->graph.next[item->node][k];
        if (to != item->meeting && to != stop) walk(c, l, to, item->meeting == NONE ? stop : item->meeting);
    }
}

static uint32_t instructions_of(const struct chooser *c, const struct level *level, const struct item *item) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < c->known; b++)
        if (in_item(level, item, b)) count += (uint32_t)c->function->blocks[b].count;
    return count;
}

// The end of the stretch that begins with item `from`: items that want the second order and what may go with them.
static size_t stretch_end(const struct chooser *c, const struct level *level, const struct chain *chain, size_t from) {
    size_t end = from + 1;
    uint32_t gap = 0;
    for (size_t k = end; k < chain->count; k++) {
        const struct item *item = &chain->items[k];
        if (wants_second(item)) {
            end = k + 1;
            gap = 0;
            continue;
        }
        bool run = item->kind == SEGMENT_RUN && item->want == WANT_FIRST && c->segments->options->cut == CUT_PRESSURE &&
                   !c->segments->options->everywhere;
        if (item->reason != NULL || !(item->want == WANT_ANY || run)) break;
        gap += instructions_of(c, level, item);
        if (gap > GAP) break;
    }
    return end;
}

// The turns of the outermost loops in it, where the order may change. In a loop inside, portions would come together at
// different turns of the one around it.
static void mark_turns(struct chooser *c, const bool *set) {
    for (size_t l = 0; l < c->loops.count; l++) {
        const struct loop *loop = &c->loops.loops[l];
        const bool inside = loop->parent != NONE && set[c->loops.loops[loop->parent].header];
        if (set[loop->header] && !inside) c->function->blocks[loop->header].turns = true;
    }
}

static const char *place(struct chooser *c, const struct level *level, const struct chain *chain, size_t from,
                         size_t to) {
    bool *set = take(c->known, sizeof *set);
    for (uint32_t b = 0; b < c->known; b++)
        for (size_t k = from; k < to; k++)
            set[b] |= in_item(level, &chain->items[k], b);
    uint32_t node = chain->items[from].node, loop = level->loop_of[node];
    uint32_t entry = loop == NONE ? level->block_of[node] : c->loops.loops[loop].header;
    // All items of a loop's own chain together are the loop.
    const char *reason = NULL;
    for (size_t l = 0; l < c->loops.count; l++) {
        bool all = c->loops.loops[l].spins;
        for (uint32_t b = 0; b < c->known && all; b++)
            all = !c->loops.loops[l].blocks[b] || set[b];
        if (all) reason = REASON_UNBOUNDED;
    }
    if (reason == NULL && c->trial) {
        reason = segment_may(c->function, &c->pressure, set, c->known, entry);
        if (reason == NULL) cost_note(c, set);
    } else if (reason == NULL) {
        reason = cost_reason(c, set);
        if (reason == NULL) reason = segment_place(c->function, &c->pressure, set, c->known, entry);
    }
    if (reason == NULL && !c->trial && c->segments->options->way == SUBVECTOR_AUTO) mark_turns(c, set);
    free(set);
    return reason;
}

static void choose_stretch(struct chooser *c, size_t l, struct chain *chain, size_t from, size_t to, uint32_t stop) {
    const struct level *level = &c->levels[l];
    const char *reason = place(c, level, chain, from, to);
    if (reason == NULL) {
        tell_all(c, level, chain, from, to, c->segments->group_count, NULL);
        return;
    }
    if (cost_is_reason(reason)) {
        tell_all(c, level, chain, from, to, 0, reason);
        return;
    }
    if (to - from > 1) {  // each alone
        for (size_t k = from; k < to; k++)
            if (wants_second(&chain->items[k])) choose_stretch(c, l, chain, k, k + 1, stop);
        return;
    }
    struct item *item = &chain->items[from];
    tell(c, level, item, 1, 0, reason, false);
    if (item->kind != SEGMENT_RUN) walk_inside(c, l, item, stop);
}

// Whether segments of this cut stand inside the item, however small their need is: they are told one by one.
static bool holds_segments(const struct chooser *c, const struct item *item) {
    enum segment_cut cut = c->segments->options->cut;
    if (item->kind == SEGMENT_RUN || item->want == WANT_SECOND) return false;
    return cut == CUT_FUNCTIONS || cut == CUT_RUNS || (cut == CUT_LOOPS && item->kind == SEGMENT_BRANCH);
}

// Whether items that stay in regular order are a segment, rather than what lies between segments.
static bool is_segment(const struct chooser *c, const struct level *level, const struct item *item) {
    if (c->segments->options->everywhere) return true;
    switch (c->segments->options->cut) {
        case CUT_LOOPS: return item->kind == SEGMENT_LOOP;
        case CUT_FUNCTIONS: return call_of(c, level, item) != 0;
        case CUT_PRESSURE:
        case CUT_RUNS: break;
    }
    return true;
}

static void walk(struct chooser *c, size_t l, uint32_t from, uint32_t stop) {
    const struct level *level = &c->levels[l];
    struct chain chain = chain_make(c, l, from, stop);
    for (size_t k = 0; k < chain.count;) {
        struct item *item = &chain.items[k];
        size_t end = k + 1;
        if (wants_second(item)) {
            end = stretch_end(c, level, &chain, k);
            choose_stretch(c, l, &chain, k, end, stop);
        } else if (item->want == WANT_BOTH || (item->want == WANT_SECOND && item->kind != SEGMENT_RUN) ||
                   holds_segments(c, item)) {
            if (item->want == WANT_SECOND || (item->reason != NULL && c->segments->options->everywhere))
                tell(c, level, item, 1, 0, item->reason, false);
            walk_inside(c, l, item, stop);
        } else if (item->want != WANT_ANY) {
            while (end < chain.count && !wants_second(&chain.items[end]) && !holds_segments(c, &chain.items[end]) &&
                   same_segment(c, level, item, &chain.items[end]))
                end++;
            if (is_segment(c, level, item))
                tell_all(c, level, &chain, k, end, 0, item->want == WANT_SECOND ? item->reason : NULL);
        }
        k = end;
    }
    chain_free(&chain);
}

static void levels_make(struct chooser *c) {
    size_t loops = c->loops.count;
    struct loop_shape *shapes = take(loops, sizeof *shapes);
    for (size_t l = 0; l < loops; l++)
        shapes[l].landing = NONE;
    c->levels = take(loops + 1, sizeof *c->levels);
    c->seen = take(loops + 1, sizeof *c->seen);
    for (size_t l = 0; l <= loops; l++) {
        level_make(&c->levels[l], c->function, &c->loops, shapes, l == loops ? NONE : (uint32_t)l);
        c->seen[l] = take(c->levels[l].graph.count, sizeof **c->seen);
    }
    chooser_find_needs(c);
    c->group_of = take(c->known, sizeof *c->group_of);
}

static void walk_all(struct chooser *c) {
    size_t loops = c->loops.count;
    for (size_t l = 0; l <= loops; l++)
        memset(c->seen[l], 0, c->levels[l].graph.count * sizeof **c->seen);
    walk(c, loops, c->levels[loops].node_of[0], NONE);
}

static uint32_t called_registers(const struct machine_function *function) {
    uint32_t most = 0;
    for (size_t b = 0; b < function->block_count; b++)
        for (size_t k = 0; k < function->blocks[b].count; k++) {
            const struct machine_instruction *at = &function->blocks[b].code[k];
            if (at->op == OP_CAL && function->callees[at->imm].registers > most)
                most = function->callees[at->imm].registers;
        }
    return most;
}

static const struct ppu_config *find_target(struct compilation *compilation) {
    const struct subvector_options *options = &compilation->options->subvector;
    const struct ppu_config *target = subvector_target(options);
    if (target == NULL) report_fatal(compilation, "sub-vector order: no configuration \"%s\"", options->target);
    return target;
}

// What is the same for all segments, and how many registers are alive where. False: options do not ask for any.
static bool begin(struct chooser *c) {
    struct machine_function *function = c->function;
    const struct subvector_options *options = &function->compilation->options->subvector;
    if (options->way == SUBVECTOR_OFF) return false;
    struct segments *s = c->segments = function->segments = take(1, sizeof *s);
    s->options = options;
    s->target = find_target(function->compilation);
    s->portions = s->target->threads / s->target->lanes;
    flow_update(function);
    pressure_measure(function, &c->pressure);
    for (size_t b = 0; b < function->block_count; b++)
        if (c->pressure.needed[b] > s->needed) s->needed = c->pressure.needed[b];
    s->called = called_registers(function);
    if (s->called > s->needed) s->needed = s->called;
    s->threshold = threshold_of(s, &c->pressure);
    return true;
}

static void tell_kernel(struct chooser *c, const char *reason) {
    struct segments *s = c->segments;
    s->list = grow(s->list, s->count, &s->capacity, sizeof *s->list);
    s->list[s->count++] = (struct segment){.kind = SEGMENT_REGION, .needed = s->needed, .reason = reason};
}

void segments_choose(struct machine_function *function) {
    struct chooser c = {.function = function};
    if (!begin(&c)) return;
    chooser_cut_blocks(&c);
    c.known = function->block_count;
    flow_loops(function, &c.loops);
    if (c.loops.irreducible) {
        tell_kernel(&c, "control flow that is no nest of loops and branches");
        return;
    }
    levels_make(&c);
    if (cost_counts(c.segments)) {
        c.trial = true;
        walk_all(&c);
        cost_judge(&c);
        c.trial = false;
    }
    walk_all(&c);
    flow_update(function);
}
