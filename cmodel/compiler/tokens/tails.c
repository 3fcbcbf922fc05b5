// The blocks between a loop's exits and the place where all its threads meet. A loop with several exits mostly has
// little more than moves there, one block for each exit, and then one place where all go on. Taken for a part of the
// loop, these blocks leave it a single exit, at which threads can wait for each other.
#include "compiler/tokens/tails.h"

#include <stdlib.h>

#include "compiler/machine/flow_graph.h"

static bool ends(const struct machine_function *function, uint32_t b) {
    const struct machine_block *block = &function->blocks[b];
    bool found = block->terminator == TERM_EXIT;
    for (unsigned s = 0; s < successor_count(block); s++)
        found |= ends_only(&function->blocks[block->target[s]]);
    return found;
}

// The blocks from which `last` can be reached.
static bool *reaching(const struct machine_function *function, uint32_t last) {
    bool *reaches = take(function->block_count, sizeof *reaches);
    uint32_t *stack = take(function->block_count, sizeof *stack);
    size_t depth = 0;
    reaches[last] = true;
    stack[depth++] = last;
    while (depth > 0) {
        const struct machine_block *block = &function->blocks[stack[--depth]];
        for (size_t k = 0; k < block->pred_count; k++) {
            if (reaches[block->preds[k]]) continue;
            reaches[block->preds[k]] = true;
            stack[depth++] = block->preds[k];
        }
    }
    free(stack);
    return reaches;
}

// Immediate post-dominators. As in level.c the last place where threads end is the end, and threads that end or part
// for good before hold up nobody: what leads to the last end is looked at without the ways to the others.
static void post_dominators(const struct machine_function *function, uint32_t *immediate) {
    size_t count = function->block_count;
    uint32_t *order = take(count, sizeof *order), last = 0;
    size_t reached = flow_order(function, order);
    for (size_t k = 0; k < reached; k++)
        if (ends(function, order[k]) && !ends_only(&function->blocks[order[k]])) last = order[k];
    bool *reaches = reaching(function, last);
    struct graph graph = graph_make(count + 1);
    for (uint32_t b = 0; b < count; b++) {
        const struct machine_block *block = &function->blocks[b];
        for (unsigned s = 0; s < successor_count(block); s++)
            if (!ends_only(&function->blocks[block->target[s]]) && reaches[block->target[s]] == reaches[b])
                graph_add_edge(&graph, b, block->target[s]);
        if (b == last || (!reaches[b] && ends(function, b))) graph_add_edge(&graph, b, (uint32_t)count);
    }
    struct graph back = graph_reverse(&graph);
    dominators(&back, &graph, (uint32_t)count, immediate);
    graph_free(&back);
    graph_free(&graph);
    free(order);
    free(reaches);
}

static uint32_t common(const uint32_t *post, uint32_t a, uint32_t b) {
    for (uint32_t x = a; x != NONE; x = post[x])
        if (dominates(post, x, b)) return x;
    return NONE;
}

static bool leaves(const struct machine_function *function, const struct loop *loop, uint32_t to) {
    return !loop->blocks[to] && !ends_only(&function->blocks[to]);
}

// Where all exits lead, NONE: to one block anyway, or nowhere.
static uint32_t landing_of(const struct machine_function *function, const struct loop *loop, const uint32_t *post) {
    uint32_t landing = NONE, first = NONE;
    bool several = false;
    for (uint32_t b = 0; b < function->block_count; b++) {
        if (!loop->blocks[b]) continue;
        for (unsigned s = 0; s < successor_count(&function->blocks[b]); s++) {
            uint32_t to = function->blocks[b].target[s];
            if (!leaves(function, loop, to)) continue;
            several |= first != NONE && to != first;
            landing = first == NONE ? to : common(post, landing, to);
            if (landing == NONE) return NONE;
            first = to;
        }
    }
    return several && landing < function->block_count ? landing : NONE;
}

// Marks what lies between the exits and the landing. False: it cannot belong to the loop.
static bool find_tails(const struct machine_function *function, const struct loops *loops, uint32_t l, uint32_t landing,
                       bool *tail) {
    const struct loop *loop = &loops->loops[l];
    uint32_t *stack = take(function->block_count, sizeof *stack);
    size_t depth = 0;
    bool fits = true;
    for (uint32_t b = 0; b < function->block_count; b++) {
        if (!loop->blocks[b]) continue;
        for (unsigned s = 0; s < successor_count(&function->blocks[b]); s++) {
            uint32_t to = function->blocks[b].target[s];
            if (!leaves(function, loop, to) || to == landing || tail[to]) continue;
            tail[to] = true;
            stack[depth++] = to;
        }
    }
    while (depth > 0 && fits) {
        uint32_t b = stack[--depth];
        const struct machine_block *block = &function->blocks[b];
        fits = loops->innermost[b] == loop->parent && (loop->parent == NONE || b != loops->loops[loop->parent].header);
        for (unsigned s = 0; s < successor_count(block); s++) {
            uint32_t to = block->target[s];
            if (to == landing || tail[to] || ends_only(&function->blocks[to])) continue;
            tail[to] = true;
            stack[depth++] = to;
        }
    }
    for (uint32_t b = 0; b < function->block_count && fits; b++) {
        if (!tail[b]) continue;
        for (size_t k = 0; k < function->blocks[b].pred_count && fits; k++) {
            uint32_t from = function->blocks[b].preds[k];
            fits = loop->blocks[from] || tail[from];
        }
    }
    free(stack);
    return fits && (loop->parent == NONE || loops->loops[loop->parent].blocks[landing]);
}

void loops_take_tails(const struct machine_function *function, struct loops *loops) {
    if (loops->irreducible) return;
    uint32_t *post = take(function->block_count + 1, sizeof *post);
    bool *tail = take(function->block_count, sizeof *tail);
    post_dominators(function, post);
    for (uint32_t l = 0; l < loops->count; l++) {
        uint32_t landing = landing_of(function, &loops->loops[l], post);
        for (uint32_t b = 0; b < function->block_count; b++)
            tail[b] = false;
        if (landing == NONE || !find_tails(function, loops, l, landing, tail)) continue;
        for (uint32_t b = 0; b < function->block_count; b++) {
            if (!tail[b]) continue;
            loops->loops[l].blocks[b] = true;
            loops->innermost[b] = l;
        }
        loops->loops[l].tail = tail;
        tail = take(function->block_count, sizeof *tail);
    }
    free(post);
    free(tail);
}
