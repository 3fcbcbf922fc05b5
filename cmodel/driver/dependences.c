// Tasks that wait for the ends of others: DEPENDENCE_COUNTER and DEPENDENT_QMD of their TMDs (TU-15).
//
// A TMD names two tasks that wait for its end. Where more do, tasks without CTAs stand between, in a tree: queue tasks
// whose ring is empty and closed, which end as soon as they start. They belong to the channel, as launches do.
#include "driver/dependences.h"

#include <stdlib.h>
#include <string.h>

#include "driver/kernel_task.h"
#include "driver/launched.h"
#include "task/tmd.h"

#define TMD_ALIGNMENT 256u
#define FREED 2u  // tasks that a TMD can name

struct node {
    tandem_addr tmd;
    uint32_t waits_for;   // ends of others, as they are found
    size_t first, count;  // of the edges that lead from it
};

struct graph {
    struct tandem_channel *channel;
    struct tandem_dependence *edges;  // sorted
    size_t edge_count;
    struct node *nodes;  // sorted
    size_t node_count;
    struct launch *between;  // the tasks without CTAs
};

static int compare(tandem_addr a, tandem_addr b) {
    return (a > b) - (a < b);
}

static int compare_edges(const void *a, const void *b) {
    const struct tandem_dependence *x = a, *y = b;
    return x->first != y->first ? compare(x->first, y->first) : compare(x->then, y->then);
}

static int compare_nodes(const void *a, const void *b) {
    return compare(((const struct node *)a)->tmd, ((const struct node *)b)->tmd);
}

static struct node *node_at(const struct graph *g, tandem_addr tmd) {
    const struct node key = {.tmd = tmd};
    return bsearch(&key, g->nodes, g->node_count, sizeof key, compare_nodes);
}

// The tasks that the edges name, each once, with what waits for them.
static enum tandem_status find_nodes(struct graph *g) {
    struct tandem_device *device = g->channel->device;
    size_t count = 0;
    for (size_t i = 0; i < g->edge_count; i++) {
        const struct tandem_dependence *edge = &g->edges[i];
        if (edge->first % TMD_ALIGNMENT != 0 || edge->then % TMD_ALIGNMENT != 0)
            return driver_fail(device, TANDEM_BAD_ARGUMENT, "dependence %zu: task at 0x%08x: must be a multiple of %u",
                               i, edge->first % TMD_ALIGNMENT != 0 ? edge->first : edge->then, TMD_ALIGNMENT);
        g->nodes[2 * i] = (struct node){.tmd = edge->first};
        g->nodes[2 * i + 1] = (struct node){.tmd = edge->then};
    }
    qsort(g->edges, g->edge_count, sizeof g->edges[0], compare_edges);
    qsort(g->nodes, 2 * g->edge_count, sizeof g->nodes[0], compare_nodes);
    for (size_t i = 0; i < 2 * g->edge_count; i++) {
        if (count == 0 || g->nodes[count - 1].tmd != g->nodes[i].tmd) g->nodes[count++] = g->nodes[i];
    }
    g->node_count = count;
    for (size_t i = 0; i < g->edge_count; i++) {
        struct node *from = node_at(g, g->edges[i].first);
        if (from->count++ == 0) from->first = i;
        node_at(g, g->edges[i].then)->waits_for++;
    }
    return TANDEM_OK;
}

// In the order in which they could run, as far as there is one; left: of each task what it waits for, in the end 0.
static size_t put_in_order(const struct graph *g, struct node **order, uint32_t *left) {
    size_t ready = 0;
    for (size_t i = 0; i < g->node_count; i++) {
        left[i] = g->nodes[i].waits_for;
        if (left[i] == 0) order[ready++] = &g->nodes[i];
    }
    for (size_t done = 0; done < ready; done++) {
        for (size_t i = 0; i < order[done]->count; i++) {
            struct node *then = node_at(g, g->edges[order[done]->first + i].then);
            if (--left[then - g->nodes] == 0) order[ready++] = then;
        }
    }
    return ready;
}

// Tasks that wait for each other would never start.
static enum tandem_status check_order(const struct graph *g) {
    struct tandem_device *device = g->channel->device;
    enum tandem_status status = TANDEM_OK;
    struct node **order = calloc(g->node_count + 1, sizeof *order);
    uint32_t *left = calloc(g->node_count + 1, sizeof *left);
    if (order == NULL || left == NULL) {
        status = driver_fail(device, TANDEM_NO_MEMORY, "no memory for %zu dependences", g->edge_count);
    } else if (put_in_order(g, order, left) < g->node_count) {
        size_t i = 0;
        while (left[i] == 0)
            i++;
        status = driver_fail(device, TANDEM_BAD_ARGUMENT,
                             "the task at 0x%08x would wait for its own end, or for tasks that do: leave one of these "
                             "dependences out",
                             g->nodes[i].tmd);
    }
    free(order);
    free(left);
    return status;
}

static void drop_between(struct graph *g) {
    while (g->between != NULL) {
        struct launch *launch = g->between;
        g->between = launch->next;
        heap_free(&g->channel->space->data, launch->block);
        free(launch);
    }
}

// The TMD of a task without CTAs.
static void fill_between(uint32_t tmd[TMD_WORDS], tandem_addr block, uint32_t level) {
    tmd_fill_empty(tmd);
    tmd_set(tmd, TMD_QMD_GROUP_ID, 0, level);
    tmd_set(tmd, TMD_SEMAPHORE_RELEASE_ENABLE0, 0, 1);
    tmd_set(tmd, TMD_RELEASE_ADDRESS_LOWER, 0, block + LAUNCH_DONE);
    tmd_set(tmd, TMD_RELEASE_STRUCTURE_SIZE, 0, TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD);
    tmd_set(tmd, TMD_RELEASE_PAYLOAD, 0, 1);
    tmd_set(tmd, TMD_DEPENDENCE_COUNTER, 0, 1);  // the end that frees it; nobody launches it
}

static enum tandem_status name_freed(struct graph *g, uint32_t tmd[TMD_WORDS], const struct tandem_dependence *edges,
                                     size_t count, uint32_t level);

// What a TMD names for `count` tasks that wait: the task itself, or one without CTAs in front of them.
static enum tandem_status freed(struct graph *g, const struct tandem_dependence *edges, size_t count, uint32_t level,
                                tandem_addr *tmd) {
    struct tandem_channel *channel = g->channel;
    *tmd = edges[0].then;
    if (count == 1) return TANDEM_OK;
    uint32_t words[(LAUNCH_CONSTANTS) / 4] = {0};
    uint64_t block = 0;
    struct launch *launch = malloc(sizeof *launch);
    if (launch == NULL || !heap_alloc(&channel->space->data, sizeof words, TMD_ALIGNMENT, &block)) {
        free(launch);
        return driver_fail(channel->device, TANDEM_NO_MEMORY, "no memory for tasks that stand before %zu others",
                           count);
    }
    *launch = (struct launch){g->between, (tandem_addr)block, NULL};
    g->between = launch;
    *tmd = (tandem_addr)block;
    fill_between(words, *tmd, level);
    const enum tandem_status status = name_freed(g, words, edges, count, level);
    return status == TANDEM_OK ? space_write(channel->space, *tmd, words, sizeof words) : status;
}

// Half of the tasks each.
static enum tandem_status name_freed(struct graph *g, uint32_t tmd[TMD_WORDS], const struct tandem_dependence *edges,
                                     size_t count, uint32_t level) {
    enum tandem_status status = TANDEM_OK;
    const size_t half = (count + 1) / 2;
    for (unsigned i = 0; i < FREED; i++) {
        const size_t from = i == 0 ? 0 : half, here = i == 0 ? half : count - half;
        tandem_addr other = 0;
        if (here != 0 && status == TANDEM_OK) status = freed(g, edges + from, here, level, &other);
        tmd_set(tmd, TMD_DEPENDENT_QMD_SCHEDULE_ENABLE, i, here != 0);
        tmd_set(tmd, TMD_DEPENDENT_QMD_POINTER, i, other >> 8);
    }
    return status;
}

static enum tandem_status write_node(struct graph *g, const struct node *node) {
    uint32_t words[TMD_WORDS];
    enum tandem_status status = space_read(g->channel->space, node->tmd, words, sizeof words);
    if (status != TANDEM_OK) return status;
    // Its own launch is one more that it waits for.
    tmd_set(words, TMD_DEPENDENCE_COUNTER, 0, node->waits_for == 0 ? 0 : node->waits_for + 1);
    status = name_freed(g, words, g->edges + node->first, node->count, tmd_get(words, TMD_QMD_GROUP_ID, 0));
    const uint32_t at = TMD_DEPENDENCE_COUNTER_WORD;
    return status == TANDEM_OK ? space_write(g->channel->space, node->tmd + 4 * at, &words[at], 4 * (1 + FREED))
                               : status;
}

enum tandem_status dependences_set(struct tandem_channel *channel, const struct tandem_dependence *all, size_t count) {
    struct graph g = {.channel = channel, .edge_count = count};
    enum tandem_status status = channel_check(channel);
    if (status != TANDEM_OK || count == 0) return status;
    channel_reap_launches(channel, false);
    g.edges = calloc(count, sizeof g.edges[0]);
    g.nodes = calloc(2 * count, sizeof g.nodes[0]);
    if (g.edges != NULL && g.nodes != NULL) {
        memcpy(g.edges, all, count * sizeof all[0]);
        status = find_nodes(&g);
    } else {
        status = driver_fail(channel->device, TANDEM_NO_MEMORY, "no memory for %zu dependences", count);
    }
    if (status == TANDEM_OK) status = check_order(&g);
    for (size_t i = 0; i < g.node_count && status == TANDEM_OK; i++)
        status = write_node(&g, &g.nodes[i]);
    free(g.edges);
    free(g.nodes);
    if (status != TANDEM_OK) {
        drop_between(&g);
        return status;
    }
    while (g.between != NULL) {
        struct launch *launch = g.between;
        g.between = launch->next;
        launch->next = channel->launches;
        channel->launches = launch;
    }
    return TANDEM_OK;
}
