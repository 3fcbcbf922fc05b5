// What locks cost when the threads of many warps want them: each takes a range of eight, the lowest first, and so waits for
// all that stand before it. TD-23: in proportion to the threads.
#include <stdio.h>
#include <string.h>

#include "sm_bench.h"

enum { THREADS_MAX = 1024, RTL_MAX = 512, CELLS = 8, GROUP = 32, ROUNDS = 2 };

static const uint32_t sizes[] = {32, 64, 128, 256, 512, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

static bool measure(struct bench_device *b, uint32_t threads, struct bench_figures *f, uint32_t *taken) {
    const uint32_t rounds = ROUNDS;
    uint32_t inside[THREADS_MAX] = {0}, state[2 * CELLS] = {0};
    tandem_addr shared, out;
    const struct tandem_argument arguments[] = {{&shared, 4}, {&out, 4}, {&rounds, 4}};
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {GROUP}};
    *taken = 0;
    for (uint32_t i = 0; i < threads; i++)
        for (uint32_t k = 0; k < rounds; k++)
            for (uint32_t first = (i * 3 + k) % CELLS, at = first; at < CELLS && at <= first + i % 4; at++) {
                inside[i]++;
                state[CELLS + at]++;
                ++*taken;
            }
    return bench_buffer(b, 2 * (size_t)CELLS, NULL, &shared) && bench_buffer(b, THREADS_MAX, NULL, &out) &&
           bench_launch(b, "range_locks", &range, arguments, 3, f) &&
           bench_compare(b, "range_locks", shared, state, 2 * (size_t)CELLS) &&
           bench_compare(b, "range_locks", out, inside, threads);
}

static bool row(const struct ppu_config *config, const char *backend) {
    struct bench_device b;
    bool good = bench_open(&b, backend, config, "") && bench_compile(&b, "tests/kernels/progress.cl", NULL);
    const bool rtl = strcmp(backend, "rtl") == 0;
    printf("  %-6s %-27s", config->name, rtl ? "cycles a lock" : "instructions a lock");
    for (size_t s = 0; s < SIZES && good; s++) {
        struct bench_figures f;
        uint32_t taken;
        if (rtl && sizes[s] > RTL_MAX) break;  // minutes
        good = measure(&b, sizes[s], &f, &taken);
        if (good) printf(" %8.0f", (double)(rtl ? f.cycles : f.instructions) / taken);
        fflush(stdout);
    }
    printf("\n");
    return bench_close(&b) && good;
}

bool bench_wide_locks(const struct ppu_config *config) {
    printf("  %-6s %-27s", "", "threads:");
    for (size_t s = 0; s < SIZES; s++)
        printf(" %8u", sizes[s]);
    printf("\n");
    return row(config, "model") && row(config, "rtl");
}
