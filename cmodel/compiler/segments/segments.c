// Which segments of a kernel run in sub-vector order.
//
// Blocks are cut where the segments' kind asks for it (above / below the threshold, another inlined call) and in front
// of their branches, so that a segment is a set of whole blocks. Each level of the loop nest is then walked as a chain
// from its first node over the meeting places: blocks, loops and branches with their arms, one after the other. What
// stands over the threshold and may run in sub-vector order is put into it, neighbours together; where a loop or a
// branch may not as a whole, or only parts of it are over the threshold, its own chains are walked the same way.
// Proposals of the walk are checked by segment_place().
#include "compiler/segments/segments.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/tokens/level.h"
#include "gen/isa.h"

enum { GAP = 4 };  // so many instructions under the threshold between two segments over it go with them

enum want { WANT_ANY, WANT_FIRST, WANT_SECOND, WANT_BOTH };

struct item {
    uint32_t node, meeting;
    bool *nodes;  // of the level, that belong to it
    enum segment_kind kind;
    enum want want;
    const char *reason;  // why not in sub-vector order
    bool placed;
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
};

static const char unbounded[] = "a loop without a bound in it may wait for other threads";

static bool over(const struct chooser *c, uint32_t needed) {
    return needed > c->segments->threshold;
}

// ---- cutting blocks ----

static const char *unfit(const struct machine_instruction *at) {
    switch (at->op) {
        case OP_BAR: return "a barrier in it";
        case OP_CAL:
        case OP_JCAL:
        case OP_JCALX:
        case OP_RET:
        case OP_BRX:
        case OP_JMX: return "a call in it";
        case OP_SHFL:
        case OP_SHFL_I:
        case OP_VOTE:
        case OP_SMOV:
        case OP_SMOV_I:
        case OP_SRD:
        case OP_R2S: return "it reads what belongs to the whole warp";
        default: return NULL;
    }
}

static bool cut_before(const struct chooser *c, uint32_t b, const struct machine_block *block, size_t at) {
    const struct pressure *p = &c->pressure;
    if (at == block->count) return block->terminator == TERM_CONDITION || block->terminator == TERM_EXIT;
    if ((unfit(&block->code[at]) != NULL) != (unfit(&block->code[at - 1]) != NULL)) return true;
    uint32_t position = p->start[b] + 2 * (uint32_t)at;
    switch (c->segments->options->cut) {
        case CUT_PRESSURE: {
            uint32_t before = p->at[position - 2] > p->at[position - 1] ? p->at[position - 2] : p->at[position - 1];
            uint32_t after = p->at[position] > p->at[position + 1] ? p->at[position] : p->at[position + 1];
            return over(c, before) != over(c, after);
        }
        case CUT_FUNCTIONS: return block->code[at].inlined != block->code[at - 1].inlined;
        case CUT_LOOPS:
        case CUT_RUNS: break;
    }
    return false;
}

static void cut_blocks(struct chooser *c) {
    struct machine_function *function = c->function;
    size_t blocks = function->block_count;
    pressure_split(function, &c->pressure, 0, 0);  // so that something can be put in front of all others
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t from = b == 0 ? (uint32_t)blocks : b;
        for (size_t at = function->blocks[from].count; at > 0; at--)
            if (cut_before(c, from, &function->blocks[from], at)) pressure_split(function, &c->pressure, from, at);
    }
    graph_update(function);
}

// ---- what a block wants ----

static uint32_t outermost_inside(const struct chooser *c, const struct level *level, uint32_t b) {
    uint32_t loop = c->loops.innermost[b], found = NONE;
    for (; loop != NONE && loop != level->loop; loop = c->loops.loops[loop].parent)
        found = loop;
    return loop == level->loop ? found : NONE;
}

static enum want block_want(const struct chooser *c, const struct level *level, uint32_t b) {
    const struct machine_block *block = &c->function->blocks[b];
    enum want other = c->segments->options->everywhere ? WANT_SECOND : WANT_FIRST;
    uint32_t needed = c->pressure.needed[b];
    if (block->count == 0) return WANT_ANY;
    switch (c->segments->options->cut) {
        case CUT_LOOPS: {
            uint32_t loop = outermost_inside(c, level, b);
            if (loop == NONE) return other;
            needed = c->loop_needs[loop];
            break;
        }
        case CUT_FUNCTIONS:
            if (block->code[0].inlined == 0) return other;
            needed = c->call_needs[block->code[0].inlined];
            break;
        case CUT_PRESSURE:
        case CUT_RUNS: break;
    }
    return over(c, needed) ? WANT_SECOND : WANT_FIRST;
}

static bool in_item(const struct level *level, const struct item *item, uint32_t b) {
    uint32_t node = level->node_of[b];
    return node != NONE && item->nodes[node];
}

static void judge(const struct chooser *c, const struct level *level, struct item *item) {
    for (uint32_t b = 0; b < c->known; b++) {
        if (!in_item(level, item, b)) continue;
        const struct machine_block *block = &c->function->blocks[b];
        enum want want = block_want(c, level, b);
        item->want = want == WANT_ANY || item->want == want ? item->want : item->want == WANT_ANY ? want : WANT_BOTH;
        for (size_t k = 0; k < block->count && item->reason == NULL; k++)
            item->reason = unfit(&block->code[k]);
        for (uint32_t l = c->loops.innermost[b]; l != NONE && l != level->loop; l = c->loops.loops[l].parent)
            if (c->loops.loops[l].spins && item->reason == NULL) item->reason = unbounded;
    }
}

// ---- the chain of a level ----

static void add_between(const struct level *level, struct item *item, uint32_t stop) {
    const struct graph *graph = &level->graph;
    uint32_t *stack = take(graph->count, sizeof *stack);
    size_t depth = 0;
    stack[depth++] = item->node;
    item->nodes[item->node] = true;
    while (depth > 0) {
        uint32_t node = stack[--depth];
        for (size_t k = 0; k < graph->next_count[node]; k++) {
            uint32_t to = graph->next[node][k];
            if (to == item->meeting || to == stop || to == graph->count - 1 || item->nodes[to]) continue;
            item->nodes[to] = true;
            stack[depth++] = to;
        }
    }
    free(stack);
}

static struct chain make_chain(struct chooser *c, size_t l, uint32_t from, uint32_t stop) {
    const struct level *level = &c->levels[l];
    uint32_t sink = (uint32_t)level->graph.count - 1;
    struct chain chain = {0};
    for (uint32_t node = from; node != stop && node != sink && node != NONE && !c->seen[l][node];) {
        struct item item = {.node = node, .meeting = level->meeting[node]};
        c->seen[l][node] = true;
        item.nodes = take(level->graph.count, sizeof *item.nodes);
        add_between(level, &item, stop);
        size_t size = 0;
        for (size_t k = 0; k < level->graph.count; k++)
            size += item.nodes[k];
        item.kind = level->loop_of[node] != NONE ? SEGMENT_LOOP : size > 1 ? SEGMENT_BRANCH : SEGMENT_RUN;
        judge(c, level, &item);
        chain.items = grow(chain.items, chain.count, &chain.capacity, sizeof *chain.items);
        chain.items[chain.count++] = item;
        node = item.meeting;
    }
    return chain;
}

// ---- telling ----

static void tell(struct chooser *c, const struct level *level, const struct item *items, size_t count, uint32_t group,
                 const char *reason, bool joined) {
    struct segments *s = c->segments;
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

// The inlined call that all of the item comes from, as in struct machine_instruction; 0: none, or several.
static uint32_t call_of(const struct chooser *c, const struct level *level, const struct item *item) {
    uint32_t call = 0;
    for (uint32_t b = 0; b < c->known; b++) {
        const struct machine_block *block = &c->function->blocks[b];
        if (!in_item(level, item, b) || block->count == 0) continue;
        if (block->code[0].inlined == 0 || (call != 0 && call != block->code[0].inlined)) return 0;
        call = block->code[0].inlined;
    }
    return call;
}

// Whether item b goes on with the segment that item a belongs to.
static bool same_segment(const struct chooser *c, const struct level *level, const struct item *a,
                         const struct item *b) {
    if (a->want != b->want && b->want != WANT_ANY) return false;
    if ((a->reason != NULL) != (b->reason != NULL)) return false;
    switch (c->segments->options->cut) {
        case CUT_PRESSURE: return true;
        case CUT_LOOPS: return a->kind != SEGMENT_LOOP && b->kind != SEGMENT_LOOP;
        case CUT_FUNCTIONS: return call_of(c, level, a) == call_of(c, level, b);
        case CUT_RUNS: break;
    }
    return b->want == WANT_ANY;
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

static bool wants_second(const struct item *item) {
    return item->want == WANT_SECOND && item->reason == NULL;
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
        if (all) reason = unbounded;
    }
    if (reason == NULL) reason = segment_place(c->function, &c->pressure, set, c->known, entry);
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
    struct chain chain = make_chain(c, l, from, stop);
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
    for (size_t k = 0; k < chain.count; k++)
        free(chain.items[k].nodes);
    free(chain.items);
}

static void find_needs(struct chooser *c) {
    struct machine_function *function = c->function;
    c->loop_needs = take(c->loops.count, sizeof *c->loop_needs);
    c->call_needs = take(function->inlined_count + 1, sizeof *c->call_needs);
    for (uint32_t b = 0; b < c->known; b++) {
        uint32_t needed = c->pressure.needed[b];
        for (uint32_t l = c->loops.innermost[b]; l != NONE; l = c->loops.loops[l].parent)
            if (needed > c->loop_needs[l]) c->loop_needs[l] = needed;
        const struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k < block->count; k++)
            if (needed > c->call_needs[block->code[k].inlined]) c->call_needs[block->code[k].inlined] = needed;
    }
}

static void walk_kernel(struct chooser *c) {
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
    find_needs(c);
    walk(c, loops, c->levels[loops].node_of[0], NONE);
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
    graph_update(function);
    pressure_measure(function, &c->pressure);
    for (size_t b = 0; b < function->block_count; b++)
        if (c->pressure.needed[b] > s->needed) s->needed = c->pressure.needed[b];
    s->threshold = threshold_of(s, &c->pressure);
    return true;
}

static void tell_kernel(struct chooser *c, const char *reason) {
    struct segments *s = c->segments;
    s->list = grow(s->list, s->count, &s->capacity, sizeof *s->list);
    s->list[s->count++] = (struct segment){.kind = SEGMENT_REGION, .needed = s->needed, .reason = reason};
}

void segments_leave(struct machine_function *function, const char *reason) {
    struct chooser c = {.function = function};
    if (begin(&c)) tell_kernel(&c, reason);
}

void segments_choose(struct machine_function *function) {
    struct chooser c = {.function = function};
    if (!begin(&c)) return;
    cut_blocks(&c);
    c.known = function->block_count;
    loops_find(function, &c.loops);
    if (c.loops.irreducible) {
        tell_kernel(&c, "control flow that is no nest of loops and branches");
        return;
    }
    walk_kernel(&c);
    graph_update(function);
}
