// The order by miss rate beside the two fixed ones (`make bench-orders`): the kernels of tests/kernels/orders.cl with
// SVSTART.AUTO around their loops, the same code with SV_ORDER first and second. Results are compared with plain C.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "sm_bench.h"

#pragma GCC diagnostic push
#include "kernels/as_c.h"
#define CLK_GLOBAL_MEM_FENCE
#define barrier(fence)

#include "kernels/orders.cl"
#pragma GCC diagnostic pop

static const char help[] =
    "usage: order-bench [--turns N] [--launches N] [--kernel NAME] [--latency CYCLES] [nano | small | full]...\n"
    "Cycles of kernels on the RTL in the first order, in the second, and by miss rate, launched twice or more: the\n"
    "first time nothing is known of their regions. The ratios are to the better fixed order. --turns: of the loops,\n"
    "256. --launches: 2 to 8.\n";

enum { WARPS_MOST = 4, ITEMS_MOST = WARPS_MOST * 64 * 2, LAUNCHES_MOST = 8 };

// Warps of an SM that walk along rows at once, such that the cache holds what one portion of each reads, and not what
// all portions read.
static const struct {
    const char *config;
    uint32_t warps;
} shapes[] = {{"nano", 2}, {"small", 3}, {"full", 2}};

typedef void reference(const uint *in, uint *out, uint n, uint pitch);
static const struct {
    const char *name;
    reference *reference;
} kernels[] = {{"hot", hot},   {"rows", rows},       {"apart", apart}, {"stream", stream},
               {"late", late}, {"changes", changes}, {"busy", busy}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

struct options {
    uint32_t turns, launches;
    const char *kernel, *latency;
};

struct session {
    struct bench_device b;
    uint32_t items, pitch, turns, launches;
    size_t words;
    uint32_t *in, *expected;
    tandem_addr from, to;
};

static bool measure(struct session *s, size_t kernel, uint32_t order, struct bench_figures f[LAUNCHES_MOST]) {
    const struct tandem_range range = {.dimensions = 1, .global = {s->items}, .local = {s->b.config->threads}};
    const struct tandem_argument arguments[] = {{&s->from, 4}, {&s->to, 4}, {&s->turns, 4}, {&s->pitch, 4}};
    tandem_reg_write(s->b.device, REG_SV_ORDER, order);
    for (unsigned k = 0; k < s->launches; k++) {
        memset(s->expected, 0, s->items * sizeof *s->expected);
        if (tandem_write(s->b.device, s->to, s->expected, s->items * sizeof *s->expected) != TANDEM_OK) return false;
        if (!bench_launch(&s->b, kernels[kernel].name, &range, arguments, 4, &f[k])) return false;
        for (uint32_t item = 0; item < s->items; item++) {
            this_item = (struct work_item){.global_id = {item},
                                           .group_id = {item / s->b.config->threads},
                                           .global_size = {s->items, 1, 1},
                                           .dimensions = 1};
            kernels[kernel].reference(s->in, s->expected, s->turns, s->pitch);
        }
        if (!bench_compare(&s->b, kernels[kernel].name, s->to, s->expected, s->items)) return false;
    }
    return true;
}

static bool measure_kernel(const struct ppu_config *config, uint32_t warps, size_t kernel, const char *latency,
                           const struct options *o) {
    const struct compiler_options options = {
        .subvector = {
            .way = SUBVECTOR_AUTO, .cut = CUT_LOOPS, .threshold_kind = THRESHOLD_SET, .target = config->name}};
    struct session s = {.items = warps * config->sms * config->threads,
                        .turns = o->turns,
                        .pitch = o->turns + 9,
                        .launches = o->launches};
    struct bench_figures f[3][LAUNCHES_MOST] = {{{0}}};
    char keys[128];
    uint32_t random = 5;
    snprintf(keys, sizeof keys, ",latency=%s,again=never", latency);
    s.words = (size_t)s.items * s.pitch + o->turns;
    s.in = malloc(s.words * sizeof *s.in);
    s.expected = malloc(s.items * sizeof *s.expected);
    bool good = s.in != NULL && s.expected != NULL && bench_open(&s.b, "rtl", config, keys);
    for (size_t k = 0; k < s.words && good; k++)
        s.in[k] = bench_random(&random);
    good = good && bench_buffer(&s.b, s.words, s.in, &s.from) && bench_buffer(&s.b, s.items, NULL, &s.to) &&
           bench_compile(&s.b, "tests/kernels/orders.cl", &options);
    for (uint32_t order = 0; order < 3 && good; order++)
        good = measure(&s, kernel, order, f[order]);
    good = bench_close(&s.b) && good;
    free(s.in);
    free(s.expected);
    if (!good) return false;
    printf("  %-6s %7s %-8s", config->name, latency, kernels[kernel].name);
    for (uint32_t order = 1; order < 3; order++)
        printf(" %9llu %5.1f %%", (unsigned long long)f[order][0].cycles,
               100 * (double)f[order][0].misses / (double)(f[order][0].hits + f[order][0].misses));
    for (unsigned k = 0; k < s.launches; k++) {
        const uint64_t better = f[1][k].cycles < f[2][k].cycles ? f[1][k].cycles : f[2][k].cycles;
        printf(" %9llu %5.1f %% x %.3f", (unsigned long long)f[0][k].cycles,
               100 * (double)f[0][k].misses / (double)(f[0][k].hits + f[0][k].misses),
               (double)f[0][k].cycles / (double)better);
    }
    printf("\n");
    fflush(stdout);
    return true;
}

static bool measure_config(const char *name, const struct options *options) {
    static const char *const latencies[] = {"12", "60", "200"};
    enum { LATENCIES = sizeof latencies / sizeof *latencies };
    const struct ppu_config *config = ppu_config_find(name);
    uint32_t warps = 0;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (strcmp(shapes[k].config, name) == 0) warps = shapes[k].warps;
    if (config == NULL || warps == 0) {
        fprintf(stderr, "order-bench: %s: nano, small or full\n", name);
        return false;
    }
    for (size_t l = 0; l < LATENCIES; l++) {
        if (options->latency != NULL && strcmp(options->latency, latencies[l]) != 0) continue;
        for (size_t k = 0; k < KERNELS; k++) {
            if (options->kernel != NULL && strcmp(options->kernel, kernels[k].name) != 0) continue;
            if (!measure_kernel(config, warps, k, latencies[l], options)) return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    static const char *const all[] = {"nano", "small", "full"};
    struct options options = {.turns = 256, .launches = 2};
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--help") == 0) {
            fputs(help, stdout);
            return EXIT_SUCCESS;
        }
        const char *value = first + 1 < argc ? argv[first + 1] : "";
        if (strcmp(argv[first], "--turns") == 0 && atoi(value) >= 8 && atoi(value) <= 4096) {
            options.turns = (uint32_t)atoi(value);
        } else if (strcmp(argv[first], "--launches") == 0 && atoi(value) >= 2 && atoi(value) <= LAUNCHES_MOST) {
            options.launches = (uint32_t)atoi(value);
        } else if (strcmp(argv[first], "--kernel") == 0) {
            options.kernel = value;
        } else if (strcmp(argv[first], "--latency") == 0) {
            options.latency = value;
        } else {
            fputs(help, stderr);
            return EXIT_FAILURE;
        }
    }
    printf("  %-6s %7s %-8s %17s %17s %25s %25s\n", "", "latency", "kernel", "first: misses", "second: misses",
           "by miss rate: misses", "launched again");
    bool good = true;
    for (int k = first; k < argc && good; k++)
        good = measure_config(argv[k], &options);
    for (size_t k = 0; k < 3 && argc == first && good; k++)
        good = measure_config(all[k], &options);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
