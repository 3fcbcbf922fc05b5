// Graphs and their orders: see graph.h.
#include "compiler/graph/graph.h"

#include <stdlib.h>
#include <string.h>

struct graph graph_make(size_t count) {
    struct graph graph = {.count = count};
    graph.next = take(count, sizeof *graph.next);
    graph.next_count = take(count, sizeof *graph.next_count);
    return graph;
}

void graph_free(struct graph *graph) {
    for (size_t n = 0; n < graph->count; n++)
        free(graph->next[n]);
    free(graph->next);
    free(graph->next_count);
    *graph = (struct graph){0};
}

// Lists grow at every power of two.
void graph_add_edge(struct graph *graph, uint32_t from, uint32_t to) {
    const size_t count = graph->next_count[from];
    if ((count & (count - 1)) == 0) {
        uint32_t *longer = take(count == 0 ? 2 : 2 * count, sizeof *longer);
        if (count > 0) memcpy(longer, graph->next[from], count * sizeof *longer);
        free(graph->next[from]);
        graph->next[from] = longer;
    }
    graph->next[from][graph->next_count[from]++] = to;
}

struct graph graph_reverse(const struct graph *graph) {
    struct graph back = graph_make(graph->count);
    for (size_t n = 0; n < graph->count; n++)
        for (size_t k = 0; k < graph->next_count[n]; k++)
            back.next_count[graph->next[n][k]]++;
    for (size_t n = 0; n < graph->count; n++) {
        back.next[n] = take(back.next_count[n], sizeof **back.next);
        back.next_count[n] = 0;
    }
    for (size_t n = 0; n < graph->count; n++) {
        for (size_t k = 0; k < graph->next_count[n]; k++) {
            uint32_t to = graph->next[n][k];
            back.next[to][back.next_count[to]++] = (uint32_t)n;
        }
    }
    return back;
}

size_t graph_order(const struct graph *graph, uint32_t root, uint32_t *order) {
    uint32_t *stack = take(graph->count, sizeof *stack), *post = take(graph->count, sizeof *post);
    size_t *next = take(graph->count, sizeof *next), depth = 0, count = 0;
    bool *seen = take(graph->count, sizeof *seen);
    stack[depth++] = root;
    seen[root] = true;
    while (depth > 0) {
        uint32_t node = stack[depth - 1];
        size_t successors = graph->next_count[node];
        if (next[node] < successors) {
            // The last successor first, so that the first one comes before it in the order.
            uint32_t to = graph->next[node][successors - 1 - next[node]++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = to;
            }
        } else {
            depth--;
            post[count++] = node;
        }
    }
    for (size_t k = 0; k < count; k++)
        order[k] = post[count - 1 - k];
    free(stack);
    free(post);
    free(next);
    free(seen);
    return count;
}
