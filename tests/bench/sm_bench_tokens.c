// The token deque under a program that always diverges: operations a cycle, counted in the trace of the RTL.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sm_bench.h"

enum { THREADS_ALL_MAX = 64 * 64 * 2 };

struct tokens {
    uint64_t operations, instructions, held, first, last;  // first and last: cycle of an operation
};

// Lines of a trace: cycle, kind, fields.
static bool count_tokens(const char *path, struct tokens *t) {
    FILE *trace = fopen(path, "r");
    char line[4096];
    *t = (struct tokens){0};
    if (trace == NULL) return false;
    while (fgets(line, sizeof line, trace) != NULL) {
        const char *digits = strpbrk(line, "0123456789");
        const bool token = strstr(line, " TOKEN ") != NULL, instruction = strstr(line, " INSTR ") != NULL;
        if (strstr(line, " WARP_HELD ") != NULL) t->held++;
        if (digits == NULL || !(token || instruction)) continue;
        const uint64_t cycle = strtoull(digits, NULL, 10);
        if (token && t->first == 0) t->first = cycle;
        if (token) t->last = cycle;
        t->operations += token;
        t->instructions += t->first != 0 && instruction;
    }
    fclose(trace);
    return true;
}

static bool measure(const struct ppu_config *config, const char *kernel, uint32_t rounds, uint32_t warps) {
    char path[] = "/tmp/tandem-sm-bench-XXXXXX", keys[64];
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return false;
    close(descriptor);
    snprintf(keys, sizeof keys, ",trace=%s", path);
    struct bench_device b;
    struct bench_figures f;
    tandem_addr out;
    const uint32_t threads = warps * config->threads;
    static uint32_t expected[THREADS_ALL_MAX];
    const struct tandem_argument arguments[] = {{&out, 4}, {&rounds, 4}};
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {config->threads}};
    for (uint32_t k = 0; k < threads; k++)
        expected[k] = 8 * rounds;
    bool good = bench_open(&b, "rtl", config, keys) && bench_assemble_file(&b, "tests/bench/diverge.s") &&
                bench_buffer(&b, threads, NULL, &out) && bench_launch(&b, kernel, &range, arguments, 2, &f) &&
                bench_compare(&b, kernel, out, expected, threads);
    good = bench_close(&b) && good;
    struct tokens t;
    if (good && !count_tokens(path, &t)) {
        fprintf(stderr, "sm-bench: %s cannot be read\n", path);
        good = false;
    }
    remove(path);
    if (!good) return false;
    const double cycles = (double)(t.last - t.first + 1), all = (double)t.operations;
    printf("  %-6s %-14s %6u %5u %8.0f %8.0f %9.3f %13.2f %11.4f %8llu\n", config->name, kernel, rounds,
           warps / config->sms, cycles, all, all / cycles / config->sms, cycles * warps / all,
           (double)t.instructions / cycles / config->sms, (unsigned long long)t.held);
    return true;
}

bool bench_tokens(const struct ppu_config *config) {
    static const struct {
        const char *kernel;
        uint32_t rounds;
    } runs[] = {{"part_and_meet", 12}, {"yield", 1}, {"yield", 16}};
    printf("  %-6s %-14s %6s %5s %8s %8s %9s %13s %11s %8s\n", "", "program", "rounds", "warps", "cycles", "deque op",
           "op/cycle", "warp's cyc/op", "instr./cyc", "repairs");
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        if (!measure(config, runs[k].kernel, runs[k].rounds, config->sms) ||
            !measure(config, runs[k].kernel, runs[k].rounds, config->sms * config->warps))
            return false;
    return true;
}
