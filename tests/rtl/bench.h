// What every unit bench needs, and nothing else: arguments, random numbers that a seed repeats, progress, and the line
// that replays a failure. Plain C17 and C++11, header only.
//
//     struct bench bench;
//     bench_begin(&bench, argc, argv, 1000000);            // default of --ops
//     while (bench_more(&bench)) { ... if (bad) bench_fail(&bench, "head %u, model %u", a, b); }
//     return bench_end(&bench);
#ifndef TANDEM_TESTS_RTL_BENCH_H
#define TANDEM_TESTS_RTL_BENCH_H

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/seed.h"
#include "random_numbers.h"
#if VM_COVERAGE
#include "coverage_file.h"
#endif

#ifdef __cplusplus
// Verilated code asks for the time; benches have none. A bench is one file.
double sc_time_stamp() {
    return 0;
}
#endif

#ifdef BENCH_NETLIST
// Which of the defects that scripts/netlist-verilog has put into the netlist is there: the netlist asks once, when it is made.
static uint64_t bench_defect_number;
extern "C" int bench_defect(void) {
    return (int)bench_defect_number;
}
#endif

struct bench {
    const char *program;  // argv[0]
    uint64_t seed;        // what --seed or TANDEM_SEED said, or a fresh one
    uint64_t ops;         // how many operations to do
    uint64_t op;          // how many have been begun
    uint64_t random;      // state of the generator
    bool progress;        // somebody is watching
};

static inline void bench_usage(const char *program, uint64_t default_ops, FILE *to) {
    fprintf(to,
            "usage: %s [--seed N] [--ops N]\n"
            "Random operations on the verilated unit and on its C twin; every output is compared.\n"
            "  --seed N  repeats a run (default: what TANDEM_SEED says, else a fresh one; printed first)\n"
            "  --ops N   number of operations (default %" PRIu64
            ")\n"
#ifdef BENCH_NETLIST
            "  --defect N  defect of the netlist that is switched on (1 and up, named in its file below build/synth)\n"
#endif
            "  --help    this text\n"
            "Exit status: 0 all agree, 1 a difference, 2 bad arguments.\n",
            program, default_ops);
}

static inline bool bench_number(const char *text, uint64_t *value) {
    if (text == NULL || *text < '0' || *text > '9') return false;
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0';
}

// Reads the arguments; ends the program on --help (status 0) and on a bad argument (status 2).
static inline void bench_begin(struct bench *bench, int argc, char **argv, uint64_t default_ops) {
    memset(bench, 0, sizeof *bench);
    bench->program = argc > 0 ? argv[0] : "bench";
    bench->seed = seed_from_environment();
    bench->ops = default_ops;
    bench->progress = isatty(STDERR_FILENO) != 0;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            bench_usage(bench->program, default_ops, stdout);
            exit(0);
        } else if (strcmp(argv[i], "--seed") == 0 && bench_number(value, &bench->seed)) {
            i++;
        } else if (strcmp(argv[i], "--ops") == 0 && bench_number(value, &bench->ops)) {
            i++;
#ifdef BENCH_NETLIST
        } else if (strcmp(argv[i], "--defect") == 0 && bench_number(value, &bench_defect_number)) {
            i++;
#endif
        } else {
            fprintf(stderr, "%s: bad argument \"%s\"; --seed and --ops take a number, --help lists all\n",
                    bench->program, argv[i]);
            exit(2);
        }
    }
    bench->random = bench->seed;
    // First thing said, so that it is there even when an assertion in the RTL ends the program.
    printf("%s --seed %" PRIu64 " --ops %" PRIu64 "\n", bench->program, bench->seed, bench->ops);
    fflush(stdout);
}

// The next operation: true --ops times. Shows how far the run is when a terminal is watching.
static inline bool bench_more(struct bench *bench) {
    if (bench->op >= bench->ops) return false;
    if (bench->progress && bench->op % (bench->ops / 20 + 1) == 0) {
        fprintf(stderr, "\r%s: %3.0f %%", bench->program, 100.0 * (double)bench->op / (double)bench->ops);
    }
    bench->op++;
    return true;
}

// Random numbers: 64 bits; 0 to n - 1 (n > 0); true in `part` of `whole` cases; a mask of the low `bits`
// bits, of very different densities, because sparse, dense, empty and full masks all matter.
static inline uint64_t bench_random(struct bench *bench) {
    return random_bits(&bench->random);
}
static inline uint32_t bench_below(struct bench *bench, uint32_t n) {
    return random_below(&bench->random, n);
}
static inline bool bench_chance(struct bench *bench, uint32_t part, uint32_t whole) {
    return bench_below(bench, whole) < part;
}
static inline uint64_t bench_mask(struct bench *bench, uint32_t bits) {
    const uint64_t all = bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    switch (bench_below(bench, 8)) {
        case 0: return 0;
        case 1: return all;
        case 2: return UINT64_C(1) << bench_below(bench, bits);
        case 3: return bench_random(bench) & bench_random(bench) & bench_random(bench) & all;
        case 4: return (bench_random(bench) | bench_random(bench) | bench_random(bench)) & all;
        default: return bench_random(bench) & all;
    }
}

// A difference: prints what, where and how to see it again; ends the program with status 1.
__attribute__((format(printf, 2, 3), noreturn)) static inline void bench_fail(const struct bench *bench,
                                                                              const char *format, ...) {
    va_list list;
    fflush(stdout);
    fprintf(stderr, "%s%s: FAIL at operation %" PRIu64 ": ", bench->progress ? "\r" : "", bench->program, bench->op);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\nreplay: %s --seed %" PRIu64 " --ops %" PRIu64, bench->program, bench->seed, bench->ops);
#ifdef BENCH_NETLIST
    if (bench_defect_number != 0) fprintf(stderr, " --defect %" PRIu64, bench_defect_number);
#endif
    fprintf(stderr, "\n");
    exit(1);
}

// All went well: says so and gives the exit status. A bench that shows requirements defines BENCH_SHOWS as their IDs
// before it includes this file; `make trace` reads the line.
static inline int bench_end(const struct bench *bench) {
    if (bench->progress) fprintf(stderr, "\r");
#ifdef BENCH_SHOWS
    printf("shows: %s [rtl]\n", BENCH_SHOWS);
#endif
    printf("%s: %" PRIu64 " operations agree\n", bench->program, bench->op);
#if VM_COVERAGE
    write_coverage(*Verilated::threadContextp());
#endif
    return 0;
}

#endif
