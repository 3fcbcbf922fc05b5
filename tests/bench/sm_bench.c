// build/sm-bench: figures of the multiprocessor. Figures, never a verdict; but every result is compared with what plain
// C comes to, and a wrong one ends the run.
#include "sm_bench.h"

#include <stdio.h>
#include <string.h>

#include "rtl_device.h"

static const struct part {
    const char *name, *what;
    bench_command *run;
} parts[] = {
    {"issue", "instructions a cycle: arithmetic, matrix product, reduction, stencil, the demo", bench_issue},
    {"tokens", "operations of the token deque a cycle, in a program that always diverges", bench_tokens},
    {"locks", "cycles of a lock that 2 to 64 threads want, OpenCL C and three kinds of YIELD", bench_locks},
    {"wide", "the same of locks of ranges, which 32 to 1024 threads want: instructions of warps, cycles up to 512",
     bench_wide_locks},
    {"rows", "resident warps and cycles with and without shared register rows", bench_rows},
    {"orders", "cache misses and cycles of a kernel in both execution orders", bench_orders},
    {"yields", "what YIELD costs kernels that wait for nobody", bench_yields},
    {"generic",
     "loads and atomics in shared and global memory at once, by a generic address and by guarded instructions",
     bench_generic},
    {"model", "thread-instructions a second of the model: arithmetic, the demo, a lock; both ways of it", bench_model},
    {"speed", "thread-instructions a second of the model, cycles a second of the RTL, cost of the tandem check",
     bench_speed},
};
enum { PARTS = sizeof parts / sizeof *parts };

static void print_help(void) {
    printf(
        "usage: sm-bench [--config NAME] [PART]...\n"
        "Figures of the multiprocessor on the simulated RTL (rtl:, memory latency 12 cycles). Parts, all of them if "
        "none is named:\n");
    for (size_t k = 0; k < PARTS; k++)
        printf("  %-8s %s\n", parts[k].name, parts[k].what);
    printf("  --config NAME  only this configuration:");
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++)
        printf(" %s", ppu_configs[c].name);
    printf(
        "\nAll of it takes a few minutes. Run it in the project's folder. Exit code 1: a result was wrong, or "
        "something failed.\n");
}

static const struct part *find_part(const char *name) {
    for (size_t k = 0; k < PARTS; k++)
        if (strcmp(parts[k].name, name) == 0) return &parts[k];
    return NULL;
}

static bool run(const struct part *part, const struct ppu_config *only) {
    printf("%s: %s\n", part->name, part->what);
    for (unsigned c = 0; c < PPU_CONFIG_COUNT; c++) {
        if (only != NULL ? only != &ppu_configs[c] : rtl_ops_find(ppu_config_names[c]) == NULL)
            continue;  // of what is built
        if (!part->run(&ppu_configs[c])) return false;
        fflush(stdout);
    }
    printf("\n");
    return true;
}

int main(int argc, char **argv) {
    const struct ppu_config *only = NULL;
    bool wanted[PARTS] = {false}, all = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return 0;
        }
        if (strcmp(argv[i], "--config") == 0) {
            only = i + 1 < argc ? ppu_config_find(argv[i + 1]) : NULL;
            if (only == NULL) {
                fprintf(stderr, "sm-bench: --config %s: no such configuration; see sm-bench --help\n",
                        i + 1 < argc ? argv[i + 1] : "");
                return 2;
            }
            i++;
            continue;
        }
        const struct part *part = find_part(argv[i]);
        if (part == NULL) {
            fprintf(stderr, "sm-bench: %s is no part and no option; see sm-bench --help\n", argv[i]);
            return 2;
        }
        wanted[part - parts] = true;
        all = false;
    }
    for (size_t k = 0; k < PARTS; k++)
        if ((all || wanted[k]) && !run(&parts[k], only)) return 1;
    return 0;
}
