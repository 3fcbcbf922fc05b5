// Where threads that went apart come together again: SSY and SYNC around divergent branches, PBRK and BRK around loops
// that threads leave at different times.
//
// The rule that makes every program right: along the path of each thread, pushes and the switch-offs that take them
// back nest.
// - A region (level.h) is entered through its head alone. Its head pushes SSY meeting; every edge from inside to the
//   meeting place becomes SYNC. Two regions of a level are disjoint or one is inside the other.
// - A thread leaves a loop by BRK when a token of the loop may stand above the loop's own, or when threads part there;
//   then the loop's preheader pushes PBRK. A BRK passes over the tokens of regions inside the loop.
// - A thread that ends the kernel executes EXIT wherever it is.
// Where no such structure exists no token is pushed: the threads meet further out, which is slower and still right.
#include "compiler/tokens/reconverge.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/machine/flow_graph.h"
#include "compiler/tokens/level.h"
#include "compiler/tokens/tails.h"
#include "gen/isa.h"

struct region_list {
    struct region *regions;
    size_t count, capacity;
};

struct placement {
    struct machine_function *function;
    struct loops loops;
    struct loop_shape *shapes;
    struct region_list *of_level;  // of each loop; the last: outermost level
    struct level *levels;          // the same
};

static void add_token(struct machine_block *block, uint8_t op, uint32_t label) {
    block->tokens = grow(block->tokens, block->token_count, &block->token_capacity, sizeof *block->tokens);
    block->tokens[block->token_count++] = (struct machine_token){.op = op, .label = label};
}

static uint32_t empty_block_to(struct machine_function *function, uint32_t target, uint32_t line) {
    uint32_t fresh = new_block(function);
    function->blocks[fresh].terminator = TERM_BRANCH;
    function->blocks[fresh].target[0] = target;
    function->blocks[fresh].line = line;
    return fresh;
}

static void redirect(struct machine_function *function, const bool *from, size_t known, bool inside, uint32_t target,
                     uint32_t to) {
    for (size_t b = 0; b < known; b++) {
        if (from[b] != inside) continue;
        struct machine_block *block = &function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++)
            if (block->target[s] == target) block->target[s] = to;
    }
}

// The block that all edges out of the loop go to, or NONE. An edge that leaves the loop around it as well spoils it.
static uint32_t single_exit(const struct machine_function *function, const struct loops *loops,
                            const struct loop *loop) {
    uint32_t exit = NONE;
    for (size_t b = 0; b < function->block_count; b++) {
        if (!loop->blocks[b]) continue;
        const struct machine_block *block = &function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++) {
            uint32_t to = block->target[s];
            if (loop->blocks[to] || ends_only(&function->blocks[to])) continue;
            if (exit != NONE && exit != to) return NONE;
            if (loop->parent != NONE && !loops->loops[loop->parent].blocks[to]) return NONE;
            exit = to;
        }
    }
    return exit;
}

static bool edge_inside(const struct loop *loop, uint32_t from, uint32_t to) {
    return loop->blocks[from] && to == loop->header;
}

// Gives every loop an empty preheader, an empty landing and, for several back edges, an empty latch. One loop at a
// time, because each changes the graph.
static void shape_loop(struct machine_function *function, uint32_t header) {
    flow_update(function);
    struct loops loops;
    flow_loops(function, &loops);
    loops_take_tails(function, &loops);
    for (size_t l = 0; l < loops.count; l++) {
        const struct loop *loop = &loops.loops[l];
        if (loop->header != header) continue;
        size_t known = function->block_count;
        uint32_t line = function->blocks[header].line, exit = single_exit(function, &loops, loop);
        uint32_t before = empty_block_to(function, header, line);
        redirect(function, loop->blocks, known, false, header, before);
        size_t back_edges = 0;
        for (uint32_t b = 0; b < known; b++)
            for (unsigned s = 0; s < successor_count(&function->blocks[b]); s++)
                if (edge_inside(loop, b, function->blocks[b].target[s])) back_edges++;
        if (back_edges > 1 || loop->spins) {
            uint32_t latch = empty_block_to(function, header, line);
            redirect(function, loop->blocks, known, true, header, latch);
        }
        if (exit != NONE) {
            uint32_t after = empty_block_to(function, exit, function->blocks[exit].line);
            redirect(function, loop->blocks, known, true, exit, after);
        }
    }
}

static void find_shapes(struct placement *p) {
    p->shapes = take(p->loops.count, sizeof *p->shapes);
    for (size_t l = 0; l < p->loops.count; l++) {
        const struct loop *loop = &p->loops.loops[l];
        const struct machine_block *header = &p->function->blocks[loop->header];
        p->shapes[l].landing = single_exit(p->function, &p->loops, loop);
        for (size_t k = 0; k < header->pred_count; k++)
            if (!loop->blocks[header->preds[k]]) p->shapes[l].preheader = header->preds[k];
    }
}

static void add_region(struct region_list *list, struct region region) {
    list->regions = grow(list->regions, list->count, &list->capacity, sizeof *list->regions);
    list->regions[list->count++] = region;
}

// How many edges go into the meeting place from the head and the inside. One: the other threads never come there.
static size_t edges_to_meeting(const struct level *level, const struct region *region) {
    const struct machine_function *function = level->function;
    size_t edges = 0;
    for (uint32_t b = 0; b < function->block_count; b++) {
        uint32_t node = level->node_of[b];
        if (node == NONE || (node != region->head && !region->inside[node])) continue;
        for (unsigned s = 0; s < successor_count(&function->blocks[b]); s++)
            if (level->node_of[function->blocks[b].target[s]] == region->meeting) edges++;
    }
    return edges;
}

static bool known_region(const struct region_list *list, const struct region *region) {
    for (size_t k = 0; k < list->count; k++) {
        const struct region *other = &list->regions[k];
        if (other->meeting == region->meeting && (other->head == region->head || other->inside[region->head]))
            return true;
    }
    return false;
}

// A later, wider region with the same meeting place makes the earlier ones inside it needless.
static void drop_covered(struct region_list *list, const struct region *wide) {
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        if (list->regions[k].meeting == wide->meeting && wide->inside[list->regions[k].head]) continue;
        list->regions[kept++] = list->regions[k];
    }
    list->count = kept;
}

static void find_regions(const struct level *level, struct region_list *list) {
    const struct machine_function *function = level->function;
    for (uint32_t node = 0; node + 1 < level->graph.count; node++) {
        if (level->block_of[node] == NONE) continue;
        const struct machine_block *block = &function->blocks[level->block_of[node]];
        if (block->terminator != TERM_CONDITION || !block->divergent) continue;
        struct region region;
        if (!level_region(level, node, &region)) continue;
        if (known_region(list, &region) || edges_to_meeting(level, &region) < 2) {
            free(region.inside);
            continue;
        }
        drop_covered(list, &region);
        add_region(list, region);
    }
}

// The first block of a node: where a label to it points, where an edge into it goes.
static uint32_t entry_of(const struct placement *p, const struct level *level, uint32_t node) {
    uint32_t loop = level->loop_of[node];
    return loop == NONE ? level->block_of[node] : p->loops.loops[loop].header;
}

static bool in_region(const struct level *level, const struct region *region, uint32_t b) {
    uint32_t node = level->node_of[b];
    return node != NONE && (node == region->head || region->inside[node]);
}

static void mark_sync(struct placement *p, const struct level *level, const struct region *region) {
    struct machine_function *function = p->function;
    for (uint32_t b = 0; b < function->block_count; b++) {
        if (!in_region(level, region, b)) continue;
        for (unsigned s = 0; s < successor_count(&function->blocks[b]); s++)
            if (level->node_of[function->blocks[b].target[s]] == region->meeting)
                function->blocks[b].action[s] = EDGE_SYNC;
    }
}

static bool leaves(const struct placement *p, const struct loop *loop, uint32_t to) {
    return !loop->blocks[to] && !ends_only(&p->function->blocks[to]);
}

// Whether the threads of loop l have to leave it by BRK.
static bool must_break(const struct placement *p, uint32_t l) {
    const struct loop *loop = &p->loops.loops[l];
    if (p->shapes[l].landing == NONE) return false;
    for (uint32_t b = 0; b < p->function->block_count; b++) {
        if (!loop->blocks[b]) continue;
        const struct machine_block *block = &p->function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++) {
            uint32_t to = block->target[s];
            bool parts = block->terminator == TERM_CONDITION && block->divergent;
            if (parts && (leaves(p, loop, to) || (loop->tail != NULL && loop->tail[to]))) return true;
            if (!leaves(p, loop, to)) continue;
            for (size_t k = 0; k < p->of_level[l].count; k++)
                if (in_region(&p->levels[l], &p->of_level[l].regions[k], b)) return true;
        }
    }
    return false;
}

static void mark_breaks(struct placement *p, uint32_t l) {
    const struct loop *loop = &p->loops.loops[l];
    p->shapes[l].breaks = true;
    for (uint32_t b = 0; b < p->function->block_count; b++) {
        if (!loop->blocks[b]) continue;
        struct machine_block *block = &p->function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++)
            if (leaves(p, loop, block->target[s])) block->action[s] = EDGE_BREAK;
    }
    add_token(&p->function->blocks[p->shapes[l].preheader], OP_PBRK, p->shapes[l].landing);
}

static int wider_first(const void *left, const void *right) {
    const struct region *const *a = left, *const *b = right;
    return (*a)->size > (*b)->size ? -1 : (*a)->size < (*b)->size;
}

// The tokens that stand below a thread in loop l, outermost first, pushed again behind a YIELD: the yield has thrown
// them away.
static void push_again(struct placement *p, uint32_t l, struct machine_block *latch) {
    const struct loop *loop = &p->loops.loops[l];
    if (loop->parent != NONE) push_again(p, loop->parent, latch);
    size_t outer = loop->parent == NONE ? p->loops.count : loop->parent;
    const struct region_list *list = &p->of_level[outer];
    const struct region **around = take(list->count, sizeof(struct region *));
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++)
        if (in_region(&p->levels[outer], &list->regions[k], loop->header)) around[count++] = &list->regions[k];
    qsort(around, count, sizeof(struct region *), wider_first);
    for (size_t k = 0; k < count; k++)
        add_token(latch, OP_SSY, entry_of(p, &p->levels[outer], around[k]->meeting));
    if (p->shapes[l].breaks) add_token(latch, OP_PBRK, p->shapes[l].landing);
    free(around);
}

// As the block says that made the loop spin.
static void set_kind(const struct placement *p, uint32_t l, struct machine_token *yield) {
    for (uint32_t b = 0; b < p->function->block_count; b++) {
        const struct machine_block *block = &p->function->blocks[b];
        if (!block->spins || p->loops.innermost[b] != l) continue;
        yield->mod = block->yield;
        yield->number = block->seldom;
    }
}

// A YIELD that fires at every 256th turn is part of the branch back: BRA.NTH. Where that branch parts threads it does
// not count, but then those that go back are fewer each time, or they meet others on the way, and some of them come to
// an edge that all active ones take.
static void yield_by_branch(struct machine_block *latch, uint32_t header) {
    struct machine_token *yield = &latch->tokens[latch->token_count - 1];
    if (yield->mod != YIELD_NTH || yield->number != TURNS_NTH) return;
    for (unsigned s = 0; s < successor_count(latch); s++) {
        if (latch->target[s] != header || latch->action[s] != EDGE_BRANCH) continue;
        latch->counts[s] = true;
        latch->token_count--;
        return;
    }
}

static void place_yields(struct placement *p) {
    for (uint32_t l = 0; l < p->loops.count; l++) {
        const struct loop *loop = &p->loops.loops[l];
        if (!loop->spins) continue;
        const struct machine_block *header = &p->function->blocks[loop->header];
        for (size_t k = 0; k < header->pred_count; k++) {
            if (!loop->blocks[header->preds[k]]) continue;
            struct machine_block *latch = &p->function->blocks[header->preds[k]];
            add_token(latch, OP_YIELD, NONE);
            if (loop->waits) {
                push_again(p, l, latch);
            } else {
                // It mostly does not fire, and the tokens stand. Once it has, threads leave without them, to wherever
                // their way leads.
                set_kind(p, l, &latch->tokens[latch->token_count - 1]);
                if (!header->turns) yield_by_branch(latch, loop->header);
            }
        }
    }
}

static void place_tokens(struct placement *p) {
    size_t loops = p->loops.count;
    p->levels = take(loops + 1, sizeof *p->levels);
    p->of_level = take(loops + 1, sizeof *p->of_level);
    for (uint32_t l = 0; l <= loops; l++) {
        struct level *level = &p->levels[l];
        level_make(level, p->function, &p->loops, p->shapes, l == loops ? NONE : l);
        find_regions(level, &p->of_level[l]);
        for (size_t k = 0; k < p->of_level[l].count; k++)
            mark_sync(p, level, &p->of_level[l].regions[k]);
        if (l < loops && must_break(p, l)) mark_breaks(p, l);
    }
    for (uint32_t l = 0; l <= loops; l++) {
        const struct region_list *list = &p->of_level[l];
        // Regions with one head have to be pushed widest first.
        const struct region **sorted = take(list->count, sizeof(struct region *));
        for (size_t k = 0; k < list->count; k++)
            sorted[k] = &list->regions[k];
        qsort(sorted, list->count, sizeof(struct region *), wider_first);
        for (size_t k = 0; k < list->count; k++)
            add_token(&p->function->blocks[p->levels[l].block_of[sorted[k]->head]], OP_SSY,
                      entry_of(p, &p->levels[l], sorted[k]->meeting));
        free(sorted);
    }
    place_yields(p);
}

// Edges into an empty block take over what its own edge does, as far as one switch-off can do both.
static void join_edges(struct machine_function *function) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < function->block_count; b++) {
            struct machine_block *block = &function->blocks[b];
            for (unsigned s = 0; s < successor_count(block); s++) {
                const struct machine_block *to = &function->blocks[block->target[s]];
                if (to->count > 0 || to->token_count > 0 || to->kept || to->terminator != TERM_BRANCH ||
                    block->target[s] == to->target[0])
                    continue;
                if (block->action[s] != EDGE_BRANCH && to->action[0] != EDGE_BRANCH) continue;
                if (block->action[s] == EDGE_BREAK || block->action[s] == EDGE_SYNC) continue;  // labels: below
                block->action[s] = to->action[0];
                block->target[s] = to->target[0];
                block->counts[s] |= to->counts[0];
                changed = true;
            }
        }
    }
}

// A label of a token may go straight on as well when the block there is empty and only branches.
static uint32_t straight(const struct machine_function *function, uint32_t label) {
    for (size_t steps = 0; steps < function->block_count; steps++) {
        const struct machine_block *to = &function->blocks[label];
        if (to->count > 0 || to->token_count > 0 || to->terminator != TERM_BRANCH || to->action[0] != EDGE_BRANCH ||
            to->counts[0])
            break;
        label = to->target[0];
    }
    return label;
}

static void shorten(struct machine_function *function) {
    join_edges(function);
    for (uint32_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        for (size_t k = 0; k < block->token_count; k++)
            if (block->tokens[k].label != NONE) block->tokens[k].label = straight(function, block->tokens[k].label);
        for (unsigned s = 0; s < successor_count(block); s++)
            if (block->action[s] != EDGE_BRANCH) block->target[s] = straight(function, block->target[s]);
    }
}

static void mark_exits(struct machine_function *function) {
    for (uint32_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++)
            if (ends_only(&function->blocks[block->target[s]])) block->action[s] = EDGE_EXIT;
    }
}

void reconverge(struct machine_function *function) {
    struct placement p = {.function = function};
    flow_clean(function);
    flow_loops(function, &p.loops);
    if (!p.loops.irreducible && !function->compilation->options->no_tokens) {
        for (size_t l = 0; l < p.loops.count; l++)
            shape_loop(function, p.loops.loops[l].header);
        flow_update(function);
        flow_loops(function, &p.loops);
        loops_take_tails(function, &p.loops);
        find_shapes(&p);
        place_tokens(&p);
    }
    mark_exits(function);
    shorten(function);
    flow_update(function);
}
