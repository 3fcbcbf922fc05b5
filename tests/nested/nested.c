#include "nested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "random_numbers.h"

static bool good(struct nested *n, const char *what, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    snprintf(n->error, sizeof n->error, "%s: %s: %s", what, tandem_status_name(status), tandem_message(n->device));
    return false;
}

static bool differs(struct nested *n, const char *what, size_t place, uint32_t got, uint32_t expected) {
    snprintf(n->error, sizeof n->error, "%s %zu: the device has %u, plain C %u", what, place, got, expected);
    return false;
}

// The program is a compiler's result or a file.
static bool open_device(struct nested *n, const char *device, const struct compiler_result *compiled, const char *file,
                        const struct tandem_work_queue *queue) {
    struct tandem_info info;
    if (tandem_open(device, &n->device, n->error, sizeof n->error) != TANDEM_OK) return false;
    tandem_get_info(n->device, &info);
    n->group = info.threads;
    const bool opened =
        good(n, "program",
             file != NULL ? tandem_module_load_file(n->device, file, &n->module)
                          : tandem_module_load(n->device, compiled->elf, compiled->elf_size, &n->module)) &&
        good(n, "channel", tandem_channel_open(n->device, 64, 0, &n->channel)) &&
        (queue == NULL || good(n, "work queue", tandem_work_queue_open(n->channel, queue)));
    if (!opened) (void)nested_close(n);
    return opened;
}

bool nested_open(struct nested *n, const char *device, const char *kernels, const struct tandem_work_queue *queue) {
    const struct compiler_options options = {.clang_options = "-cl-std=CL2.0"};
    struct compiler_result result;
    char path[1024];
    *n = (struct nested){0};
    snprintf(path, sizeof path, "%s/nested.cl", kernels);
    const size_t length = strlen(kernels);
    if (length > 4 && strcmp(kernels + length - 4, ".elf") == 0) return open_device(n, device, NULL, kernels, queue);
    if (!compiler_compile_file(path, &options, &result)) {
        snprintf(n->error, sizeof n->error, "%s", result.messages != NULL ? result.messages : "no memory");
        compiler_result_free(&result);
        return false;
    }
    const bool opened = open_device(n, device, &result, NULL, queue);
    compiler_result_free(&result);
    return opened;
}

bool nested_close(struct nested *n) {
    if (n->channel != NULL) (void)tandem_channel_close(n->channel);
    if (n->module != NULL) tandem_module_unload(n->module);
    const enum tandem_status status = n->device != NULL ? tandem_close(n->device) : TANDEM_OK;
    if (status != TANDEM_OK) snprintf(n->error, sizeof n->error, "closing: %s", tandem_status_name(status));
    n->device = NULL;
    return status == TANDEM_OK;
}

static bool buffer(struct nested *n, size_t bytes, const void *from, tandem_addr *at) {
    if (!good(n, "device memory", tandem_alloc(n->device, bytes, 64, at))) return false;
    void *zeros = from == NULL ? calloc(1, bytes) : NULL;
    const bool done = (from != NULL || zeros != NULL) &&
                      good(n, "device memory", tandem_write(n->device, *at, from != NULL ? from : zeros, bytes));
    free(zeros);
    return done;
}

// One launch of `items` work-items, and all that comes of it.
static bool run(struct nested *n, const char *kernel, uint32_t items, const struct tandem_argument *arguments,
                size_t count) {
    const struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {n->group}};
    return good(n, kernel, tandem_launch(n->channel, n->module, kernel, &range, arguments, count)) &&
           good(n, kernel, tandem_finish(n->channel, n->deadline));
}

// ---- Mandelbrot ----
static uint32_t escape(uint32_t x, uint32_t y, uint32_t size, uint32_t limit) {
    const float cx = -2.0f + 2.6f * (float)x / (float)size, cy = -1.3f + 2.6f * (float)y / (float)size;
    float a = 0.0f, b = 0.0f;
    uint32_t k = 0;
    while (k < limit && a * a + b * b < 4.0f) {
        const float next = a * a - b * b + cx;
        b = 2.0f * a * b + cy;
        a = next;
        k++;
    }
    return k;
}

struct plain {
    uint8_t *picture;
    uint32_t size, limit, launches;
};

static void plain_square(struct plain *p, uint32_t left, uint32_t top, uint32_t edge) {
    const uint32_t first = escape(left, top, p->size, p->limit);
    bool fill = true;
    p->launches++;
    for (uint32_t k = 0; k < edge && fill; k++) {
        fill = escape(left + k, top, p->size, p->limit) == first &&
               escape(left + edge - 1, top + k, p->size, p->limit) == first &&
               escape(left + k, top + edge - 1, p->size, p->limit) == first &&
               escape(left, top + k, p->size, p->limit) == first;
    }
    if (fill || edge <= 8) {
        for (uint32_t k = 0; k < edge * edge; k++) {
            const uint32_t x = left + k % edge, y = top + k / edge;
            p->picture[y * p->size + x] = (uint8_t)(fill ? first : escape(x, y, p->size, p->limit));
        }
        return;
    }
    for (uint32_t part = 0; part < 4; part++)
        plain_square(p, left + (part & 1) * edge / 2, top + (part >> 1) * edge / 2, edge / 2);
}

void mandelbrot_plainly(uint32_t size, uint32_t limit, uint8_t *picture, uint32_t *launches) {
    struct plain p = {picture, size, limit, 0};
    plain_square(&p, 0, 0, size);
    if (launches != NULL) *launches = p.launches;
}

static bool check_picture(struct nested *n, tandem_addr at, uint32_t size, uint32_t limit, uint8_t *picture) {
    uint8_t *expected = malloc((size_t)size * size);
    if (expected == NULL || !good(n, "picture", tandem_read(n->device, at, picture, (size_t)size * size))) {
        free(expected);
        return false;
    }
    bool same = true;
    mandelbrot_plainly(size, limit, expected, NULL);
    for (size_t k = 0; same && k < (size_t)size * size; k++)
        same = picture[k] == expected[k] || differs(n, "picture element", k, picture[k], expected[k]);
    free(expected);
    return same;
}

static bool picture_size(struct nested *n, uint32_t size, uint32_t limit) {
    if (size >= 8 && size <= 1024 && (size & (size - 1)) == 0 && limit >= 1 && limit <= 255) return true;
    snprintf(n->error, sizeof n->error,
             "a picture of %u x %u with %u iterations: the size is a power of two from 8 to 1024, iterations 1 to 255",
             size, size, limit);
    return false;
}

bool nested_mandelbrot(struct nested *n, uint32_t size, uint32_t limit, uint8_t *picture) {
    tandem_addr at = 0;
    if (!picture_size(n, size, limit) || !buffer(n, (size_t)size * size, NULL, &at)) return false;
    const struct tandem_argument arguments[] = {{&at, 4}, {&size, 4}, {&limit, 4}, {NULL, 4}};
    const bool done = run(n, "mandelbrot", n->group, arguments, 4) && check_picture(n, at, size, limit, picture);
    (void)tandem_free(n->device, at);
    return done;
}

// ---- what nested launches cost ----
#define LIST_MOST 4096u

// A launch for each square of the list; what they find in their turn is the next list.
static bool cpu_level(struct nested *n, tandem_addr picture, uint32_t size, uint32_t limit, tandem_addr list,
                      tandem_addr next, tandem_addr waited, uint32_t *count) {
    static uint32_t squares[4 * LIST_MOST];
    const uint32_t zero = 0;
    if (*count > LIST_MOST) {
        snprintf(n->error, sizeof n->error, "%u squares in one level, there is room for %u", *count, LIST_MOST);
        return false;
    }
    if (!good(n, "list", tandem_read(n->device, list + 16, squares, 16 * (size_t)*count)) ||
        !good(n, "list", tandem_write(n->device, next, &zero, 4)))
        return false;
    const struct tandem_range range = {.dimensions = 1, .global = {n->group}, .local = {n->group}};
    for (uint32_t k = 0; k < *count; k++) {
        const uint32_t *s = &squares[4 * k];
        const struct tandem_argument arguments[] = {{&picture, 4}, {&size, 4}, {&limit, 4}, {&s[0], 4},   {&s[1], 4},
                                                    {&s[2], 4},    {&s[3], 4}, {&next, 4},  {&waited, 4}, {NULL, 4}};
        if (!good(n, "launch", tandem_launch(n->channel, n->module, "mandelbrot_by_cpu", &range, arguments, 10)))
            return false;
        // The command block of a channel is limited: so many launches an entry.
        if (k % 8 == 7 && !good(n, "submit", tandem_submit(n->channel))) return false;
    }
    return good(n, "launches", tandem_finish(n->channel, n->deadline)) &&
           good(n, "list", tandem_read(n->device, next, count, 4));
}

bool nested_mandelbrot_cost(struct nested *n, uint32_t size, uint32_t limit, bool by_cpu, struct nested_cost *cost) {
    tandem_addr at = 0, waited = 0, lists[2] = {0};
    struct tandem_statistics before, after;
    uint32_t sums[2] = {0};
    uint8_t *picture = malloc((size_t)size * size);
    *cost = (struct nested_cost){0};
    if (picture == NULL || !picture_size(n, size, limit) || !buffer(n, (size_t)size * size, NULL, &at) ||
        !buffer(n, 8, NULL, &waited) || !buffer(n, 16 + 16 * LIST_MOST, NULL, &lists[0]) ||
        !buffer(n, 16 + 16 * LIST_MOST, NULL, &lists[1])) {
        free(picture);
        return false;
    }
    // The first launch of all sets the channel and its work queue up: not what is measured.
    bool done = nested_mandelbrot(n, 8, 1, picture);
    tandem_get_statistics(n->device, &before);
    if (done && by_cpu) {
        const uint32_t first[] = {0, 0, 0, 0, 0, 0, size, 0};
        uint32_t count = 1;
        done = good(n, "list", tandem_write(n->device, lists[0], first, sizeof first));
        for (unsigned k = 0; done && count > 0; k ^= 1) {
            done = cpu_level(n, at, size, limit, lists[k], lists[k ^ 1], waited, &count);
            cost->cpu_wakeups++;
        }
    } else if (done) {
        const struct tandem_argument arguments[] = {{&at, 4}, {&size, 4}, {&limit, 4}, {&waited, 4}, {NULL, 4}};
        done = run(n, "mandelbrot_measured", n->group, arguments, 5);
        cost->cpu_wakeups = 1;
    }
    tandem_get_statistics(n->device, &after);
    cost->cycles = after.cycles - before.cycles;
    cost->cpu_wakeups += after.put_moves - before.put_moves;
    cost->link_words = after.link_words - before.link_words;
    cost->link_transfers = after.link_transfers - before.link_transfers;
    done = done && check_picture(n, at, size, limit, picture) &&
           good(n, "sums", tandem_read(n->device, waited, sums, sizeof sums));
    cost->launches = sums[1];
    cost->cycles_to_start = sums[1] != 0 ? (double)sums[0] / sums[1] : 0;
    (void)tandem_free(n->device, at);
    (void)tandem_free(n->device, waited);
    (void)tandem_free(n->device, lists[0]);
    (void)tandem_free(n->device, lists[1]);
    free(picture);
    return done;
}

// ---- quicksort ----
static int by_size(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

bool nested_quicksort(struct nested *n, uint32_t count, uint64_t seed) {
    if (count == 0 || count > 1u << 22) {
        snprintf(n->error, sizeof n->error, "%u keys: there can be 1 to %u", count, 1u << 22);
        return false;
    }
    uint32_t *keys = malloc(4 * (size_t)count), *got = malloc(4 * (size_t)count);
    tandem_addr at = 0, other = 0;
    bool done = keys != NULL && got != NULL;
    for (uint32_t k = 0; done && k < count; k++)
        keys[k] = k % 7 == 3 ? (uint32_t)random_bits(&seed) & 255
                             : (uint32_t)random_bits(&seed);  // some keys are there many times
    done = done && buffer(n, 4 * (size_t)count, keys, &at) && buffer(n, 4 * (size_t)count, NULL, &other);
    if (done) {
        const struct tandem_argument arguments[] = {{&at, 4}, {&other, 4}, {&count, 4}, {NULL, 4 * n->group}};
        done = run(n, "quicksort", n->group, arguments, 4) &&
               good(n, "keys", tandem_read(n->device, at, got, 4 * (size_t)count));
    }
    if (done) qsort(keys, count, 4, by_size);
    for (uint32_t k = 0; done && k < count; k++)
        done = got[k] == keys[k] || differs(n, "key", k, got[k], keys[k]);
    if (at != 0) (void)tandem_free(n->device, at);
    if (other != 0) (void)tandem_free(n->device, other);
    free(keys);
    free(got);
    return done;
}

// ---- breadth-first search ----
struct graph {
    uint32_t vertices, *row, *column, *distance;
};

static void free_graph(struct graph *g) {
    free(g->row);
    free(g->column);
    free(g->distance);
}

// Vertex v has one edge from a lower one near it, so that all are reached in many levels, and two to anywhere.
static bool make_graph(struct graph *g, uint32_t vertices, uint64_t seed) {
    const size_t edges = 3 * (size_t)vertices;
    uint32_t *from = malloc(4 * edges), *to = malloc(4 * edges), *at = calloc(vertices + 1, 4);
    *g = (struct graph){vertices, calloc(vertices + 2, 4), calloc(edges, 4), malloc(4 * (size_t)vertices)};
    const bool good_memory =
        from != NULL && to != NULL && at != NULL && g->row != NULL && g->column != NULL && g->distance != NULL;
    for (size_t e = 0; good_memory && e < edges; e++) {
        const uint32_t v = (uint32_t)(e / 3);
        from[e] = e % 3 == 0 ? v - (v == 0 ? 0 : 1 + (uint32_t)random_bits(&seed) % (v < 20 ? v : 20)) : v;
        to[e] = e % 3 == 0 ? v : v - (uint32_t)random_bits(&seed) % (v < 40 ? v + 1 : 40);
        g->row[from[e] + 1]++;
    }
    for (uint32_t v = 0; good_memory && v < vertices; v++)
        g->row[v + 1] += g->row[v];
    for (size_t e = 0; good_memory && e < edges; e++)
        g->column[g->row[from[e]] + at[from[e]]++] = to[e];
    free(from);
    free(to);
    free(at);
    if (!good_memory) free_graph(g);
    return good_memory;
}

static bool search_plainly(struct graph *g, uint32_t *levels) {
    uint32_t *queue = malloc(4 * (size_t)g->vertices), head = 0, tail = 1;
    if (queue == NULL) return false;
    memset(g->distance, 0xFF, 4 * (size_t)g->vertices);
    queue[0] = 0;
    g->distance[0] = 0;
    while (head < tail) {
        const uint32_t v = queue[head++];
        *levels = g->distance[v];
        for (uint32_t e = g->row[v]; e < g->row[v + 1]; e++) {
            if (g->distance[g->column[e]] != UINT32_MAX) continue;
            g->distance[g->column[e]] = g->distance[v] + 1;
            queue[tail++] = g->column[e];
        }
    }
    free(queue);
    return true;
}

bool nested_search(struct nested *n, uint32_t vertices, uint64_t seed, uint32_t *levels) {
    struct graph g;
    if (vertices < 2 || vertices > 1u << 20 || !make_graph(&g, vertices, seed)) {
        snprintf(n->error, sizeof n->error, "a graph of %u vertices: there can be 2 to %u", vertices, 1u << 20);
        return false;
    }
    const uint32_t found[2] = {1, 0};
    uint32_t *got = malloc(4 * (size_t)vertices);
    tandem_addr row = 0, column = 0, distance = 0, frontier = 0, next = 0, counts = 0;
    bool done = got != NULL && search_plainly(&g, levels);
    if (done) {
        memset(got, 0xFF, 4 * (size_t)vertices);
        got[0] = 0;
        done = buffer(n, 4 * (size_t)vertices + 4, g.row, &row) &&
               buffer(n, 12 * (size_t)vertices, g.column, &column) && buffer(n, 4 * (size_t)vertices, got, &distance) &&
               buffer(n, 4 * (size_t)vertices, NULL, &frontier) && buffer(n, 4 * (size_t)vertices, NULL, &next) &&
               buffer(n, sizeof found, found, &counts);
    }
    if (done) {
        const struct tandem_argument arguments[] = {{&row, 4},      {&column, 4}, {&distance, 4},
                                                    {&frontier, 4}, {&next, 4},   {&counts, 4}};
        done = run(n, "search", n->group, arguments, 6) &&
               good(n, "distances", tandem_read(n->device, distance, got, 4 * (size_t)vertices));
    }
    for (uint32_t v = 0; done && v < vertices; v++)
        done = got[v] == g.distance[v] || differs(n, "distance of vertex", v, got[v], g.distance[v]);
    const tandem_addr all[] = {row, column, distance, frontier, next, counts};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (all[k] != 0) (void)tandem_free(n->device, all[k]);
    }
    free(got);
    free_graph(&g);
    return done;
}
