// The control flow graph of a machine function: predecessors, order, splitting edges, cleaning up.
#include "compiler/machine/flow_graph.h"

#include <stdlib.h>

struct graph flow_graph(const struct machine_function *function) {
    struct graph graph = graph_make(function->block_count);
    for (uint32_t b = 0; b < graph.count; b++) {
        const struct machine_block *block = &function->blocks[b];
        for (unsigned k = 0; k < successor_count(block); k++)
            graph_add_edge(&graph, b, block->target[k]);
    }
    return graph;
}

size_t flow_order(const struct machine_function *function, uint32_t *order) {
    struct graph graph = flow_graph(function);
    size_t count = graph_order(&graph, 0, order);
    graph_free(&graph);
    return count;
}

void flow_loops(const struct machine_function *function, struct loops *loops) {
    struct graph graph = flow_graph(function);
    loops_find(&graph, loops);
    graph_free(&graph);
    for (size_t b = 0; b < function->block_count; b++) {
        if (loops->innermost[b] == NONE) continue;
        struct loop *loop = &loops->loops[loops->innermost[b]];
        loop->spins |= function->blocks[b].spins;
        loop->waits |= function->blocks[b].waits;
    }
}

void flow_update(struct machine_function *function) {
    uint32_t *order = take(function->block_count, sizeof *order);
    bool *reached = take(function->block_count, sizeof *reached);
    size_t count = flow_order(function, order);
    for (size_t k = 0; k < count; k++)
        reached[order[k]] = true;
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        block->pred_count = 0;
        if (reached[b]) continue;
        block->terminator = TERM_NONE;
        block->count = block->phi_count = 0;
        block->spins = block->waits = false;
    }
    for (size_t b = 0; b < function->block_count; b++) {
        for (unsigned k = 0; k < successor_count(&function->blocks[b]); k++) {
            struct machine_block *to = &function->blocks[function->blocks[b].target[k]];
            to->preds = grow(to->preds, to->pred_count, &to->pred_capacity, sizeof *to->preds);
            to->preds[to->pred_count++] = (uint32_t)b;
        }
    }
    free(order);
    free(reached);
}

uint32_t flow_split_edge(struct machine_function *function, uint32_t from, unsigned which) {
    uint32_t fresh = new_block(function);
    struct machine_block *block = &function->blocks[from], *between = &function->blocks[fresh];
    between->terminator = TERM_BRANCH;
    between->target[0] = block->target[which];
    between->line = block->line;
    block->target[which] = fresh;
    return fresh;
}

static uint32_t end_of_chain(const struct machine_function *function, const bool *forwards, uint32_t b) {
    for (size_t steps = 0; forwards[b] && steps < function->block_count; steps++)
        b = function->blocks[b].target[0];
    return b;
}

void flow_clean(struct machine_function *function) {
    flow_update(function);
    bool *forwards = take(function->block_count, sizeof *forwards);
    for (uint32_t b = 1; b < function->block_count; b++) {
        const struct machine_block *block = &function->blocks[b];
        forwards[b] = block->count == 0 && !block->spins && !block->kept && block->phi_count == 0 &&
                      block->token_count == 0 && block->terminator == TERM_BRANCH && block->target[0] != b &&
                      function->blocks[block->target[0]].phi_count == 0;
    }
    // A ring of empty blocks is an endless loop; it has to keep one of them.
    for (uint32_t b = 1; b < function->block_count; b++)
        if (forwards[b] && forwards[end_of_chain(function, forwards, b)]) forwards[b] = false;
    for (size_t b = 0; b < function->block_count; b++) {
        struct machine_block *block = &function->blocks[b];
        for (unsigned k = 0; k < successor_count(block); k++)
            block->target[k] = end_of_chain(function, forwards, block->target[k]);
        if (block->terminator == TERM_CONDITION && block->target[0] == block->target[1]) {
            block->terminator = TERM_BRANCH;
            block->condition = NONE;
        }
    }
    flow_update(function);
    free(forwards);
}
