// Dominators, by the iterative method over the reverse post-order (Cooper, Harvey, Kennedy): simple, and fast on graphs
// of programs.
#include "compiler/graph/graph.h"

#include <stdlib.h>

// Fills order with the nodes that root reaches, in post-order; returns how many. position[n]: place in it, NONE for the
// others.
static size_t post_order(const struct graph *graph, uint32_t root, uint32_t *order, uint32_t *position) {
    uint32_t *stack = take(graph->count, sizeof *stack);
    size_t *next = take(graph->count, sizeof *next);
    bool *seen = take(graph->count, sizeof *seen);
    size_t depth = 0, count = 0;
    for (size_t n = 0; n < graph->count; n++)
        position[n] = NONE;
    stack[depth++] = root;
    seen[root] = true;
    while (depth > 0) {
        uint32_t node = stack[depth - 1];
        if (next[node] < graph->next_count[node]) {
            uint32_t to = graph->next[node][next[node]++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = to;
            }
        } else {
            depth--;
            position[node] = (uint32_t)count;
            order[count++] = node;
        }
    }
    free(stack);
    free(next);
    free(seen);
    return count;
}

static uint32_t meet(const uint32_t *immediate, const uint32_t *position, uint32_t a, uint32_t b) {
    while (a != b) {
        while (position[a] < position[b])
            a = immediate[a];
        while (position[b] < position[a])
            b = immediate[b];
    }
    return a;
}

void dominators(const struct graph *graph, const struct graph *back, uint32_t root, uint32_t *immediate) {
    uint32_t *order = take(graph->count, sizeof *order);
    uint32_t *position = take(graph->count, sizeof *position);
    size_t count = post_order(graph, root, order, position);
    for (size_t n = 0; n < graph->count; n++)
        immediate[n] = NONE;
    immediate[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = count; k-- > 0;) {
            uint32_t node = order[k];
            if (node == root) continue;
            uint32_t best = NONE;
            for (size_t i = 0; i < back->next_count[node]; i++) {
                uint32_t from = back->next[node][i];
                if (position[from] == NONE || immediate[from] == NONE) continue;
                best = best == NONE ? from : meet(immediate, position, from, best);
            }
            if (immediate[node] != best) {
                immediate[node] = best;
                changed = true;
            }
        }
    }
    immediate[root] = NONE;
    free(order);
    free(position);
}

bool dominates(const uint32_t *immediate, uint32_t a, uint32_t b) {
    while (b != NONE) {
        if (a == b) return true;
        b = immediate[b];
    }
    return false;
}
