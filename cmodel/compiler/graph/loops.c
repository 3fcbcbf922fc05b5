// Natural loops: a back edge goes to a node that dominates its source; the loop is everything that reaches the source
// without passing the header.
#include "compiler/graph/loops.h"

#include <stdlib.h>
#include <string.h>

struct finding {
    struct graph back;   // predecessors
    uint32_t *position;  // of each node in the order, NONE: the root does not reach it
    uint32_t *stack;
};

static void add_members(const struct finding *f, struct loop *loop, uint32_t latch) {
    size_t depth = 0;
    if (!loop->blocks[latch]) {
        loop->blocks[latch] = true;
        f->stack[depth++] = latch;
    }
    while (depth > 0) {
        uint32_t node = f->stack[--depth];
        for (size_t k = 0; k < f->back.next_count[node]; k++) {
            uint32_t from = f->back.next[node][k];
            if (loop->blocks[from] || f->position[from] == NONE) continue;
            loop->blocks[from] = true;
            f->stack[depth++] = from;
        }
    }
}

static void nest(struct loops *loops, size_t nodes) {
    for (size_t l = 0; l < loops->count; l++) {
        struct loop *loop = &loops->loops[l];
        for (size_t outer = l + 1; outer < loops->count && loop->parent == NONE; outer++)
            if (loops->loops[outer].blocks[loop->header]) loop->parent = (uint32_t)outer;
        for (size_t n = 0; n < nodes; n++)
            if (loop->blocks[n] && loops->innermost[n] == NONE) loops->innermost[n] = (uint32_t)l;
    }
    for (size_t l = loops->count; l-- > 0;) {
        struct loop *loop = &loops->loops[l];
        loop->depth = loop->parent == NONE ? 1 : loops->loops[loop->parent].depth + 1;
    }
}

void loops_find(const struct graph *graph, struct loops *loops) {
    const size_t nodes = graph->count;
    uint32_t *immediate = take(nodes, sizeof *immediate), *order = take(nodes, sizeof *order);
    struct finding f = {.back = graph_reverse(graph),
                        .position = take(nodes, sizeof *f.position),
                        .stack = take(nodes, sizeof *f.stack)};
    *loops = (struct loops){.innermost = take(nodes, sizeof *loops->innermost)};
    dominators(graph, &f.back, 0, immediate);
    size_t count = graph_order(graph, 0, order);
    for (size_t n = 0; n < nodes; n++)
        f.position[n] = loops->innermost[n] = NONE;
    for (size_t k = 0; k < count; k++)
        f.position[order[k]] = (uint32_t)k;
    // Headers from the last in the order to the first: a loop inside another comes before it.
    size_t capacity = 0;
    for (size_t k = count; k-- > 0;) {
        uint32_t header = order[k];
        struct loop loop = {.header = header, .parent = NONE};
        for (size_t i = 0; i < f.back.next_count[header]; i++) {
            uint32_t from = f.back.next[header][i];
            if (f.position[from] == NONE || f.position[from] < k) continue;
            if (!dominates(immediate, header, from)) {
                loops->irreducible = true;
                continue;
            }
            if (loop.blocks == NULL) {
                loop.blocks = take(nodes, sizeof *loop.blocks);
                loop.blocks[header] = true;
            }
            add_members(&f, &loop, from);
        }
        if (loop.blocks == NULL) continue;
        loops->loops = grow(loops->loops, loops->count, &capacity, sizeof *loops->loops);
        loops->loops[loops->count++] = loop;
    }
    nest(loops, nodes);
    graph_free(&f.back);
    free(f.position);
    free(f.stack);
    free(immediate);
    free(order);
}

void loops_free(struct loops *loops) {
    for (size_t l = 0; l < loops->count; l++) {
        free(loops->loops[l].blocks);
        free(loops->loops[l].tail);
    }
    free(loops->loops);
    free(loops->innermost);
}
