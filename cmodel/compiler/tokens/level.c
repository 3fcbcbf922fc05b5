// Reconvergence looks at one level of the loop nest at a time: the blocks of one loop (or of the kernel outside all
// loops), the loops directly inside each as a single node, without the back edges. That graph has no cycles.
//
// Where threads meet is asked of the immediate post-dominators, but of the right graph: threads that leave the loop or
// end the kernel do not come to any meeting place, so edges out of the level, and nodes from which the end of the
// iteration cannot be reached any more, must not push the meeting place of the others outwards. Those nodes get
// post-dominators among themselves.
#include "compiler/tokens/level.h"

#include <stdlib.h>
#include <string.h>

static void add_edge_once(struct graph *graph, uint32_t from, uint32_t to) {
    for (size_t k = 0; k < graph->next_count[from]; k++)
        if (graph->next[from][k] == to) return;
    graph_add_edge(graph, from, to);
}

static void number_nodes(struct level *level) {
    const struct loops *loops = level->loops;
    size_t blocks = level->function->block_count;
    uint32_t *node_of_loop = take(loops->count, sizeof *node_of_loop);
    level->node_of = take(blocks, sizeof *level->node_of);
    level->block_of = take(blocks + loops->count + 1, sizeof *level->block_of);
    level->loop_of = take(blocks + loops->count + 1, sizeof *level->loop_of);
    for (size_t l = 0; l < loops->count; l++)
        node_of_loop[l] = NONE;
    uint32_t count = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        level->node_of[b] = NONE;
        if (b != 0 && level->function->blocks[b].pred_count == 0) continue;
        uint32_t inner = loops->innermost[b];
        if (inner == level->loop) {
            level->block_of[count] = b;
            level->loop_of[count] = NONE;
            level->node_of[b] = count++;
            continue;
        }
        while (inner != NONE && loops->loops[inner].parent != level->loop)
            inner = loops->loops[inner].parent;
        if (inner == NONE) continue;  // not in this level's loop
        if (node_of_loop[inner] == NONE) {
            level->block_of[count] = NONE;
            level->loop_of[count] = inner;
            node_of_loop[inner] = count++;
        }
        level->node_of[b] = node_of_loop[inner];
    }
    level->graph = graph_make((size_t)count + 1);
    free(node_of_loop);
}

// Edges of the level; ends[n]: the node has an edge that ends an iteration.
static void add_edges(struct level *level, bool *ends) {
    const struct machine_function *function = level->function;
    uint32_t header = level->loop == NONE ? NONE : level->loops->loops[level->loop].header;
    bool several_exits = level->loop != NONE && level->shapes[level->loop].landing == NONE;
    for (uint32_t b = 0; b < function->block_count; b++) {
        uint32_t node = level->node_of[b];
        if (node == NONE) continue;
        const struct machine_block *block = &function->blocks[b];
        if (block->terminator == TERM_EXIT && level->loop == NONE) ends[node] = true;
        for (unsigned s = 0; s < successor_count(block); s++) {
            uint32_t to = block->target[s];
            if (to == header) {
                ends[node] = true;
            } else if (ends_only(&function->blocks[to])) {
                if (level->loop == NONE) ends[node] = true;
            } else if (level->node_of[to] == NONE) {
                // Out of the loop. With one landing these threads go by BRK and leave the others alone.
                if (several_exits) ends[node] = true;
            } else if (level->node_of[to] != node) {
                add_edge_once(&level->graph, node, level->node_of[to]);
            }
        }
    }
}

// The nodes of an acyclic graph, each before its successors.
static uint32_t *topological_order(const struct graph *graph, uint32_t root, size_t *count) {
    uint32_t *order = take(graph->count, sizeof *order), *stack = take(graph->count, sizeof *stack);
    size_t *next = take(graph->count, sizeof *next);
    bool *seen = take(graph->count, sizeof *seen);
    size_t depth = 0, place = graph->count;
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
            order[--place] = node;
        }
    }
    *count = graph->count - place;
    memmove(order, order + place, *count * sizeof *order);
    free(stack);
    free(next);
    free(seen);
    return order;
}

static void find_meetings(struct level *level, uint32_t root, bool *ends) {
    struct graph *graph = &level->graph;
    uint32_t sink = (uint32_t)graph->count - 1;
    size_t count;
    uint32_t *order = topological_order(graph, root, &count);
    // Outside all loops every thread ends somewhere. The last such place is taken as the end that the others wait for,
    // the rest as early returns.
    if (level->loop == NONE) {
        bool found = false;
        for (size_t k = count; k-- > 0;) {
            if (!ends[order[k]]) continue;
            if (found) ends[order[k]] = false;
            found = true;
        }
    }
    bool *reaches = take(graph->count, sizeof *reaches);
    struct graph kept = graph_make(graph->count);
    for (size_t k = count; k-- > 0;) {
        uint32_t node = order[k];
        reaches[node] = ends[node];
        for (size_t i = 0; i < graph->next_count[node]; i++)
            reaches[node] |= reaches[graph->next[node][i]];
        for (size_t i = 0; i < graph->next_count[node]; i++)
            if (reaches[graph->next[node][i]] == reaches[node]) add_edge_once(&kept, node, graph->next[node][i]);
        if (ends[node] || kept.next_count[node] == 0) add_edge_once(&kept, node, sink);
    }
    struct graph back = graph_reverse(&kept);
    level->meeting = take(graph->count, sizeof *level->meeting);
    dominators(&back, &kept, sink, level->meeting);
    graph_free(&back);
    graph_free(&kept);
    free(reaches);
    free(order);
}

void level_make(struct level *level, struct machine_function *function, const struct loops *loops,
                const struct loop_shape *shapes, uint32_t loop) {
    *level = (struct level){.function = function, .loops = loops, .shapes = shapes, .loop = loop};
    number_nodes(level);
    bool *ends = take(level->graph.count, sizeof *ends);
    add_edges(level, ends);
    uint32_t root = level->node_of[loop == NONE ? 0 : loops->loops[loop].header];
    level->dominator = take(level->graph.count, sizeof *level->dominator);
    struct graph back = graph_reverse(&level->graph);
    dominators(&level->graph, &back, root, level->dominator);
    graph_free(&back);
    find_meetings(level, root, ends);
    free(ends);
}

// Whether the nodes between head and meeting are entered through head alone.
static bool collect(const struct level *level, uint32_t head, uint32_t meeting, struct region *region) {
    const struct graph *graph = &level->graph;
    uint32_t *stack = take(graph->count, sizeof *stack);
    size_t depth = 0;
    bool fits = true;
    *region = (struct region){.head = head, .meeting = meeting, .inside = take(graph->count, sizeof *region->inside)};
    stack[depth++] = head;
    while (depth > 0 && fits) {
        uint32_t node = stack[--depth];
        for (size_t k = 0; k < graph->next_count[node] && fits; k++) {
            uint32_t to = graph->next[node][k];
            if (to == meeting || region->inside[to]) continue;
            fits = dominates(level->dominator, head, to);
            region->inside[to] = true;
            region->size++;
            stack[depth++] = to;
        }
    }
    free(stack);
    if (!fits) free(region->inside);
    return fits;
}

bool level_region(const struct level *level, uint32_t node, struct region *region) {
    uint32_t meeting = level->meeting[node], sink = (uint32_t)level->graph.count - 1;
    if (meeting == NONE || meeting == sink) return false;
    for (uint32_t head = node; head != NONE; head = level->dominator[head]) {
        if (level->meeting[head] != meeting || level->block_of[head] == NONE) continue;
        if (collect(level, head, meeting, region)) return true;
    }
    return false;
}
