// The control flow graph of a machine function: predecessors, order, splitting edges, cleaning up.
#include <stdlib.h>
#include <string.h>

#include "compiler/machine/machine.h"

struct graph graph_of(const struct machine_function *function) {
    struct graph graph = {.count = function->block_count};
    graph.next = take(graph.count, sizeof *graph.next);
    graph.next_count = take(graph.count, sizeof *graph.next_count);
    for (size_t b = 0; b < graph.count; b++) {
        const struct machine_block *block = &function->blocks[b];
        graph.next_count[b] = successor_count(block);
        graph.next[b] = take(2, sizeof **graph.next);
        for (size_t k = 0; k < graph.next_count[b]; k++)
            graph.next[b][k] = block->target[k];
    }
    return graph;
}

size_t graph_order(const struct machine_function *function, uint32_t *order) {
    size_t blocks = function->block_count, depth = 0, count = 0;
    uint32_t *stack = take(blocks, sizeof *stack);
    uint8_t *next = take(blocks, sizeof *next);
    bool *seen = take(blocks, sizeof *seen);
    uint32_t *post = take(blocks, sizeof *post);
    stack[depth++] = 0;
    seen[0] = true;
    while (depth > 0) {
        uint32_t b = stack[depth - 1];
        const struct machine_block *block = &function->blocks[b];
        unsigned successors = successor_count(block);
        if (next[b] < successors) {
            // The last successor first, so that target[0] comes before target[1] in the order.
            uint32_t to = block->target[successors - 1u - next[b]++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = to;
            }
        } else {
            depth--;
            post[count++] = b;
        }
    }
    for (size_t k = 0; k < count; k++)
        order[k] = post[count - 1 - k];
    free(stack);
    free(next);
    free(seen);
    free(post);
    return count;
}

void graph_update(struct machine_function *function) {
    uint32_t *order = take(function->block_count, sizeof *order);
    bool *reached = take(function->block_count, sizeof *reached);
    size_t count = graph_order(function, order);
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

uint32_t graph_split_edge(struct machine_function *function, uint32_t from, unsigned which) {
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

void graph_clean(struct machine_function *function) {
    graph_update(function);
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
    graph_update(function);
    free(forwards);
}
