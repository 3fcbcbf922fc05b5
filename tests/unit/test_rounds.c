// Rounds of several turns in loops that store: which loops have them, and that what they compute is what the loop says.
// TANDEM_SEED=N repeats a run.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "kernel_runner.h"
#include "machine_text.h"
#include "random_numbers.h"

#define PROMISED                                                                                                       \
    "__kernel void k(__global const float *restrict a, __global float *restrict b, __global float *c, __global float " \
    "*d, uint n, volatile __global int *v) { uint s = get_global_size(0); "
#define TURNS "for (uint k = get_global_id(0); k < n; k += s) "

// On small; three of four loads are there a fifth time, in the loop for what is left over.
static const struct instruction_row rows[] = {
    {"a copy between buffers that are promised to be apart has four turns a round", PROMISED TURNS "b[k] = a[k]; }",
     "LDG", 5},
    {"and all its stores", PROMISED TURNS "b[k] = a[k]; }", "STG", 5},
    {"one promise is enough", PROMISED TURNS "c[k] = a[k]; }", "LDG", 5},
    {"without one the loop stays", PROMISED TURNS "c[k] = d[k]; }", "LDG", 1},
    {"each turn's own element may be loaded and stored", PROMISED TURNS "c[k] = c[k] * 2; }", "LDG", 5},
    {"with others that are apart from it", PROMISED TURNS "b[k] = fma(a[k], 2.0f, b[k]); }", "LDG", 10},
    {"not the element of another turn", PROMISED TURNS "c[k] = c[k + s]; }", "LDG", 1},
    {"nor one that does not move", PROMISED TURNS "c[0] = c[0] + a[k]; }", "STG", 1},
    {"nor one that moves by less than it takes",
     PROMISED TURNS "{ __global float *e = (__global float *)((__global char *)c + k); *e = *e * 2; } }", "STG", 1},
    {"nor one of 8 bytes, where four turns may come round",
     PROMISED TURNS "{ __global ulong *e = (__global ulong *)c; e[k] = e[k] * 3; } }", "STG", 1},
    {"what is loaded behind its store is not loaded before it", PROMISED TURNS "{ c[k] = a[k]; d[k] = c[k ^ 1]; } }",
     "LDG", 2},
    {"volatile accesses stay where they are", PROMISED TURNS "b[k] = (float)v[k]; }", "LDG", 1},
    {"a loop that loads nothing waits for nothing", PROMISED TURNS "b[k] = 1; }", "STG", 1},
};

Test(rounds, table,
     .description = "AM-7 AM-8 loops that store have rounds where nothing that a turn loads was stored by another") {
    expect_instructions("", rows, sizeof rows / sizeof *rows);
}

static unsigned loads_for(const char *target) {
    const char *source = PROMISED TURNS "b[k] = a[k]; }";
    const struct compiler_options options = {.keep_asm = true, .subvector.target = target};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "rounds.cl", &options, &result), "%s", result.messages);
    const unsigned loads = count_of(result.machine, "    LDG");
    compiler_result_free(&result);
    return loads;
}

Test(rounds, where_warps_suffice, .description = "AM-7 no rounds for devices whose warps keep all requests under way") {
    cr_expect_eq(loads_for("nano"), 1);
    cr_expect_eq(loads_for("small"), 5);
    cr_expect_eq(loads_for("full"), 1);
}

// ---- results ----

static const char program[] =
    "__kernel void copies(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint step) "
    "{ for (uint k = from + get_global_id(0); k < end; k += step) b[k] = a[k]; }"
    "__kernel void own(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint step) "
    "{ for (uint k = from + get_global_id(0); k < end; k += step) b[k] = b[k] * 3 + a[k]; }"
    "__kernel void both(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint step) "
    "{ for (uint k = from + get_global_id(0); k < end; k += step) { b[k] = a[k] + 1; b[k ^ 1] = a[k] + 2; } }"
    "__kernel void signs(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint step) "
    "{ for (int k = (int)from + (int)get_global_id(0); k < (int)end; k += (int)step) b[k] += a[k]; }";

enum { WORDS = 512, THREADS = 32 };

static void plainly(unsigned kernel, const uint32_t *a, uint32_t *b, uint32_t from, uint32_t end, uint32_t step) {
    for (uint32_t k = from; k < end; k += step) {
        switch (kernel) {
            case 0: b[k] = a[k]; break;
            case 1: b[k] = b[k] * 3 + a[k]; break;
            case 2:
                b[k] = a[k] + 1;
                b[k ^ 1] = a[k] + 2;
                break;
            default: b[k] += a[k]; break;
        }
    }
}

// Threads whose elements are never another thread's: step THREADS, or one thread with any step.
Test(rounds, results,
     .description = "AM-1 AM-7 AM-8 what rounds store is what turns store, for any begin, end and step [model]") {
    static const char *const names[] = {"copies", "own", "both", "signs"};
    uint64_t random = seed_from_environment();
    printf("test_rounds: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)random);
    struct runner runner;
    runner_open_text(&runner, "model:small", program, NULL);
    for (unsigned run = 0; run < 120; run++) {
        const unsigned kernel = run % 4, threads = kernel != 2 && run % 8 < 4 ? THREADS : 1;
        const uint32_t from = (uint32_t)random_below(&random, 20), end = (uint32_t)random_below(&random, WORDS + 1),
                       step = threads > 1 ? THREADS : 1 + (uint32_t)random_below(&random, 40);
        uint32_t a[WORDS + 1], b[WORDS + 1], expected[WORDS + 1];
        for (unsigned k = 0; k <= WORDS; k++) {
            a[k] = (uint32_t)random_below(&random, 1000);
            b[k] = expected[k] = (uint32_t)random_below(&random, 1000);
        }
        for (unsigned thread = 0; thread < threads; thread++)
            plainly(kernel, a, expected, from + thread, end, step);
        const tandem_addr at[] = {runner_buffer(&runner, a, sizeof a), runner_buffer(&runner, b, sizeof b)};
        const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
        const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&from, 4}, {&end, 4}, {&step, 4}};
        runner_launch(&runner, names[kernel], &range, arguments, 5);
        runner_read(&runner, at[1], b, sizeof b);
        for (unsigned k = 0; k <= WORDS; k++)
            cr_assert_eq(b[k], expected[k], "%s, %u threads, %u to %u by %u: word %u is %u, not %u", names[kernel],
                         threads, from, end, step, k, b[k], expected[k]);
    }
    runner_close(&runner);
}
