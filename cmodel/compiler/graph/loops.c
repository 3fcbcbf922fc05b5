// Natural loops: a back edge goes to a block that dominates its source; the loop is everything that reaches the source
// without passing the header.
#include <stdlib.h>
#include <string.h>

#include "compiler/machine/machine.h"

static void add_members(const struct machine_function *function, struct loop *loop, uint32_t latch, uint32_t *stack) {
    size_t depth = 0;
    if (!loop->blocks[latch]) {
        loop->blocks[latch] = true;
        stack[depth++] = latch;
    }
    while (depth > 0) {
        const struct machine_block *block = &function->blocks[stack[--depth]];
        for (size_t k = 0; k < block->pred_count; k++) {
            uint32_t from = block->preds[k];
            if (loop->blocks[from]) continue;
            loop->blocks[from] = true;
            stack[depth++] = from;
        }
    }
}

void loops_find(const struct machine_function *function, struct loops *loops) {
    size_t blocks = function->block_count;
    memset(loops, 0, sizeof *loops);
    uint32_t *immediate = take(blocks, sizeof *immediate);
    uint32_t *order = take(blocks, sizeof *order);
    uint32_t *position = take(blocks, sizeof *position);
    uint32_t *stack = take(blocks, sizeof *stack);
    struct graph graph = graph_of(function);
    dominators(&graph, 0, immediate);
    size_t count = graph_order(function, order);
    for (size_t k = 0; k < count; k++)
        position[order[k]] = (uint32_t)k;

    loops->innermost = take(blocks, sizeof *loops->innermost);
    for (size_t b = 0; b < blocks; b++)
        loops->innermost[b] = NONE;
    // Headers from the last in the order to the first: a loop inside another comes before it.
    size_t capacity = 0;
    for (size_t k = count; k-- > 0;) {
        uint32_t header = order[k];
        struct loop loop = {.header = header, .parent = NONE};
        for (size_t i = 0; i < function->blocks[header].pred_count; i++) {
            uint32_t from = function->blocks[header].preds[i];
            if (position[from] < k) continue;
            if (!dominates(immediate, header, from)) {
                loops->irreducible = true;
                continue;
            }
            if (loop.blocks == NULL) {
                loop.blocks = take(blocks, sizeof *loop.blocks);
                loop.blocks[header] = true;
            }
            add_members(function, &loop, from, stack);
        }
        if (loop.blocks == NULL) continue;
        loops->loops = grow(loops->loops, loops->count, &capacity, sizeof *loops->loops);
        loops->loops[loops->count++] = loop;
    }
    for (size_t l = 0; l < loops->count; l++) {
        struct loop *loop = &loops->loops[l];
        for (size_t outer = l + 1; outer < loops->count && loop->parent == NONE; outer++)
            if (loops->loops[outer].blocks[loop->header]) loop->parent = (uint32_t)outer;
        for (size_t b = 0; b < blocks; b++) {
            if (!loop->blocks[b]) continue;
            if (loops->innermost[b] != NONE) continue;
            loops->innermost[b] = (uint32_t)l;
            loop->spins |= function->blocks[b].spins;
            loop->waits |= function->blocks[b].waits;
        }
    }
    for (size_t l = loops->count; l-- > 0;) {
        struct loop *loop = &loops->loops[l];
        loop->depth = loop->parent == NONE ? 1 : loops->loops[loop->parent].depth + 1;
    }
    graph_free(&graph);
    free(immediate);
    free(order);
    free(position);
    free(stack);
}
