// What YIELD costs kernels that wait for nobody (TD-17): cycles and instructions with YIELD where the compiler finds
// loops without a bound, in all loops, and in none.
#include <stdio.h>
#include <string.h>

#include "sm_bench.h"

// The kernels as C, for their results.
#pragma GCC diagnostic push
#include "kernels/as_c.h"

#include "kernels/arithmetic.cl"
#include "kernels/flow.cl"
#pragma GCC diagnostic pop

enum { ITEMS = 256, IN_WORDS = 2 * ITEMS, OUT_WORDS = 32 * ITEMS };

static const struct measured {
    const char *path, *kernel, *what;
    void (*as_c)(const uint *in, uint *out, uint n);
} kernels[] = {
    {"tests/kernels/arithmetic.cl", "many_values", "bounded loops only", many_values},
    {"tests/kernels/flow.cl", "break_two_loops", "bounded loops with breaks", break_two_loops},
    {"tests/kernels/flow.cl", "collatz", "while over data", collatz},
    {"tests/kernels/flow.cl", "binary_search", "while over data", binary_search},
    {"tests/kernels/flow.cl", "uniform_and_not", "uniform and divergent loops", uniform_and_not},
    {"tests/kernels/flow.cl", "goto_back", "goto back", goto_back},
};
static const struct compiler_options ways[3] = {{.no_yields = true}, {0}, {.yields_everywhere = true}};

static bool measure(struct bench_device *b, const struct measured *m, const struct compiler_options *options,
                    struct bench_figures *f) {
    static uint32_t in[IN_WORDS], expected[OUT_WORDS];
    const uint32_t n = ITEMS;
    uint32_t random = 1;
    tandem_addr from, to;
    for (uint32_t k = 0; k < IN_WORDS; k++)
        in[k] = bench_random(&random) & 0xFFFF;
    memset(expected, 0, sizeof expected);
    for (uint32_t i = 0; i < ITEMS; i++) {
        this_item = (struct work_item){.global_id = {i}, .local_id = {i % 64}, .group_id = {i / 64}};
        m->as_c(in, expected, n);
    }
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {64}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    return bench_compile(b, m->path, options) && bench_buffer(b, IN_WORDS, in, &from) &&
           bench_buffer(b, OUT_WORDS, NULL, &to) && bench_launch(b, m->kernel, &range, arguments, 3, f) &&
           bench_compare(b, m->kernel, to, expected, OUT_WORDS);
}

bool bench_yields(const struct ppu_config *config) {
    struct bench_device b;
    bool good = bench_open(&b, "rtl", config, "");
    printf("  %-6s %-16s %-28s %28s   %28s\n", "", "", "", "cycles: none, verdict, all", "instructions: the same");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels && good; k++) {
        struct bench_figures f[3];
        for (size_t way = 0; way < 3 && good; way++)
            good = measure(&b, &kernels[k], &ways[way], &f[way]);
        if (!good) break;
        printf("  %-6s %-16s %-28s %8llu x %.3f x %.3f   %8llu x %.3f x %.3f\n", config->name, kernels[k].kernel,
               kernels[k].what, (unsigned long long)f[0].cycles, (double)f[1].cycles / (double)f[0].cycles,
               (double)f[2].cycles / (double)f[0].cycles, (unsigned long long)f[0].instructions,
               (double)f[1].instructions / (double)f[0].instructions,
               (double)f[2].instructions / (double)f[0].instructions);
        fflush(stdout);
    }
    return bench_close(&b) && good;
}
