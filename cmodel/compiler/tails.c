// The blocks between a loop's exits and the place where all its threads meet. A loop with several exits mostly has
// little more than moves there, one block for each exit, and then one place where all go on. Taken for a part of the
// loop, these blocks leave it a single exit, at which threads can wait for each other.
#include <stdlib.h>

#include "compiler/level.h"

// The place that every path from the exits of the loop comes to, for now without a limit to what lies between:
// immediate post-dominators, `end` behind every block that ends the kernel.
static void post_dominators(const struct machine_function *function, uint32_t *immediate) {
    struct graph graph = graph_of(function), longer = {.count = graph.count + 1};
    uint32_t end = (uint32_t)graph.count;
    longer.next = take(longer.count, sizeof *longer.next);
    longer.next_count = take(longer.count, sizeof *longer.next_count);
    for (uint32_t b = 0; b < end; b++) {
        const struct machine_block *block = &function->blocks[b];
        longer.next[b] = take(2, sizeof **longer.next);
        for (unsigned s = 0; s < successor_count(block); s++)
            if (!ends_only(&function->blocks[block->target[s]]) || successor_count(block) == 1)
                longer.next[b][longer.next_count[b]++] = block->target[s];
        if (longer.next_count[b] == 0) longer.next[b][longer.next_count[b]++] = end;
    }
    struct graph back = graph_reverse(&longer);
    dominators(&back, end, immediate);
    graph_free(&back);
    graph_free(&longer);
    graph_free(&graph);
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
static bool find_tails(const struct machine_function *function, const struct loops *loops, uint32_t l,
                       uint32_t landing, bool *tail) {
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
    }
    free(post);
    free(tail);
}
