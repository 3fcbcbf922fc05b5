// What a program's promises (`restrict`) make of loops that store: rounds of several turns, neighbouring elements for a
// work-item; which loops have them, and that what they compute is what the loop says.
// TANDEM_SEED=N repeats a run.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "isa/code_object.h"
#include "kernel_runner.h"
#include "machine_text.h"
#include "random_numbers.h"

#define PROMISED                                                                                                       \
    "__kernel void k(__global const float *restrict a, __global float *restrict b, __global float *c, __global float " \
    "*d, uint n, volatile __global int *v) { "
#define TURNS "for (uint k = get_global_id(0); k < n; k += 128) "
#define WALK "for (uint k = get_global_id(0); k < n; k += get_global_size(0)) "

// On small; three of four loads are there a fifth time, in the loop for what is left over.
static const struct instruction_row rows[] = {
    {"a copy between buffers that are promised to be apart has four turns a round", PROMISED TURNS "b[k] = a[k]; }",
     "LDG", 5},
    {"and all its stores", PROMISED TURNS "b[k] = a[k]; }", "STG", 5},
    {"one promise is enough", PROMISED TURNS "c[k] = a[k]; }", "LDG", 5},
    {"without one the loop stays", PROMISED TURNS "c[k] = d[k]; }", "LDG", 1},
    {"each turn's own element may be loaded and stored", PROMISED TURNS "c[k] = c[k] * 2; }", "LDG", 5},
    {"with others that are apart from it", PROMISED TURNS "b[k] = fma(a[k], 2.0f, b[k]); }", "LDG", 10},
    {"not the element of another turn", PROMISED TURNS "c[k] = c[k + 128]; }", "LDG", 1},
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

static const struct instruction_row walks[] = {
    {"work-items that walk side by side between promised buffers have four neighbours each",
     PROMISED WALK "b[k] = a[k]; }", "STG.128", 1},
    {"one promise is enough", PROMISED WALK "c[k] = a[k]; }", "LDG.128", 1},
    {"without one each keeps its elements", PROMISED WALK "c[k] = d[k]; }", "LDG.128", 0},
    {"not where turns depend on each other", PROMISED WALK "{ b[k] = a[k]; c[k + 1] = c[k]; } }", "LDG.128", 0},
    {"a loop over local memory keeps its turns",
     "__kernel void k(__global const float *restrict a, __global float *restrict b) { __local float m[256]; for (uint "
     "k "
     "= get_local_id(0); k < 256; k += get_local_size(0)) m[k] = 0; barrier(CLK_LOCAL_MEM_FENCE); "
     "b[get_global_id(0)] = m[(uint)a[0]]; }",
     "STS.128", 0},
    {"nor where one sees whose work it is", PROMISED WALK "b[k] = a[k] + get_global_id(0); }", "LDG.128", 0},
};

Test(rounds, neighbours,
     .description = "AM-7 AM-8 AM-10 neighbouring elements in one work-item, in the first compile") {
    expect_instructions("", walks, sizeof walks / sizeof *walks);
}

static unsigned loads_for(const char *source, const char *target) {
    const struct compiler_options options = {.keep_asm = true, .subvector.target = target};
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "rounds.cl", &options, &result), "%s", result.messages);
    const unsigned loads = count_of(result.machine, "    LDG");
    compiler_result_free(&result);
    return loads;
}

Test(rounds, where_warps_suffice,
     .description =
         "AM-7 no rounds for devices whose warps keep all requests under way, no neighbours where lanes store a line") {
    const char *turns = PROMISED TURNS "b[k] = a[k]; }", *walk = PROMISED WALK "b[k] = a[k]; }";
    cr_expect_eq(loads_for(turns, "nano"), 1);
    cr_expect_eq(loads_for(turns, "small"), 5);
    cr_expect_eq(loads_for(turns, "full"), 1);
    cr_expect_eq(loads_for(walk, "nano"), 2);  // of a round, and of what is left over
    cr_expect_eq(loads_for(walk, "small"), 2);
    cr_expect_eq(loads_for(walk, "full"), 1);
}

static uint32_t registers_of(const char *promise, unsigned sums, uint32_t *spilled) {
    char source[8192];
    size_t at = (size_t)snprintf(
        source, sizeof source,
        "__kernel void k(__global const float *%s a, __global const float *%s e, __global const float *%s f, "
        "__global float *%s b, __global float *%s c, uint n) {",
        promise, promise, promise, promise, promise);
    for (unsigned k = 0; k < sums; k++)
        at += (size_t)snprintf(source + at, sizeof source - at, "float s%u = c[%u];", k, k);
    at += (size_t)snprintf(source + at, sizeof source - at, WALK "b[k] = a[k] * e[k] + f[k];");
    for (unsigned k = 0; k < sums; k++)
        at += (size_t)snprintf(source + at, sizeof source - at, "c[%u] = s%u * s%u;", k, k, (k + 1) % sums);
    snprintf(source + at, sizeof source - at, "}");
    const struct compiler_options options = {0};
    struct compiler_result result;
    struct code_object object;
    char error[256];
    cr_assert(compiler_compile(source, strlen(source), "rounds.cl", &options, &result), "%s", result.messages);
    cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
    const uint32_t registers = object.kernels[0].registers;
    *spilled = object.kernels[0].spill_bytes;
    code_object_free(&object);
    compiler_result_free(&result);
    return registers;
}

static unsigned room_step(uint32_t registers) {
    return registers <= 32 ? 0 : registers <= 64 ? 1 : registers <= 128 ? 2 : 3;
}

Test(rounds, room,
     .description = "neighbours cost no kernel its warps: what fits 32 or 64 registers does so with them") {
    unsigned more = 0;
    for (unsigned sums = 2; sums <= 60; sums += 2) {
        uint32_t spilled, spilled_without;
        const uint32_t with = registers_of("restrict", sums, &spilled),
                       without = registers_of("", sums, &spilled_without);
        cr_expect_leq(room_step(with), room_step(without), "%u sums: %u registers, %u without", sums, with, without);
        cr_expect_leq(spilled, spilled_without, "%u sums", sums);
        more += with > without;
    }
    cr_expect_gt(more, 5);  // most of them do take some more
}

// ---- results ----

static const char program[] =
    "\n"
    "__kernel void copies(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint added) "
    "{ for (uint k = from + get_global_id(0); k < end; k += STEP) b[k] = a[k]; }"
    "__kernel void own(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint added) "
    "{ for (uint k = from + get_global_id(0); k < end; k += STEP) b[k] = b[k] * 3 + a[k]; }"
    "__kernel void both(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint added) "
    "{ for (uint k = from + get_global_id(0); k < end; k += STEP) { b[k] = a[k] + 1; b[k ^ 1] = a[k] + 2; } }"
    "__kernel void signs(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint added) "
    "{ for (int k = (int)from + (int)get_global_id(0); k < (int)end; k += STEP) b[k] += a[k]; }"
    "__kernel void walk(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint added) "
    "{ for (uint k = from + get_global_id(0); k < end; k += get_global_size(0)) b[k] = b[k] * 3 + a[k] + added; }"
    "__kernel void group(__global const uint *restrict a, __global uint *restrict b, uint from, uint end, uint added) "
    "{ for (uint k = from + get_local_id(0); k < end; k += get_local_size(0)) b[k] = b[k] * 3 + a[k] + added; }";

enum { WORDS = 2048 };

// One work-item's turns.
static void plainly(unsigned kernel, const uint32_t *a, uint32_t *b, uint32_t from, uint32_t end, uint32_t step,
                    uint32_t added) {
    for (uint32_t k = from; k < end; k += step) {
        switch (kernel) {
            case 0: b[k] = a[k]; break;
            case 1: b[k] = b[k] * 3 + a[k]; break;
            case 2:
                b[k] = a[k] + 1;
                b[k ^ 1] = a[k] + 2;
                break;
            case 3: b[k] += a[k]; break;
            default: b[k] = b[k] * 3 + a[k] + added; break;
        }
    }
}

static void run_kernels(uint64_t *random, uint32_t constant) {
    static const char *const names[] = {"copies", "own", "both", "signs", "walk", "group"};
    char source[4096];
    struct runner runner;
    snprintf(source, sizeof source, "#define STEP %u%s", constant, program);
    runner_open_text(&runner, "model:small", source, NULL);
    for (unsigned run = 0; run < 48; run++) {
        // Work-items whose elements are never another one's: the step is their number, or there is one.
        const unsigned kernel = run % 6;
        const bool walks = kernel >= 4;
        const uint32_t items = walks                               ? 32 * (1 + random_below(random, 4))
                               : kernel != 2 && constant % 32 == 0 ? constant
                                                                   : 1,
                       local = kernel == 5 || random_below(random, 2) == 0 ? items
                               : items < 32                                ? 1
                                                                           : 32,
                       from = random_below(random, 20), end = random_below(random, WORDS + 1),
                       step = walks ? items : constant;
        uint32_t a[WORDS + 1], b[WORDS + 1], expected[WORDS + 1];
        for (unsigned k = 0; k <= WORDS; k++) {
            a[k] = random_below(random, 1000);
            b[k] = expected[k] = random_below(random, 1000);
        }
        for (unsigned item = 0; item < items; item++)
            plainly(kernel, a, expected, from + item, end, step, run);
        const tandem_addr at[] = {runner_buffer(&runner, a, sizeof a), runner_buffer(&runner, b, sizeof b)};
        const struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {local}};
        const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&from, 4}, {&end, 4}, {&run, 4}};
        runner_launch(&runner, names[kernel], &range, arguments, 5);
        runner_read(&runner, at[1], b, sizeof b);
        for (unsigned k = 0; k <= WORDS; k++)
            cr_assert_eq(b[k], expected[k], "%s, %u items, %u to %u by %u: word %u is %u, not %u", names[kernel], items,
                         from, end, step, k, b[k], expected[k]);
    }
    runner_close(&runner);
}

Test(rounds, results,
     .description = "AM-1 AM-7 AM-8 what is stored is what turns store, for any begin, end and step [model]") {
    static const uint32_t steps[] = {1, 3, 32, 37, 64, 128};
    uint64_t random = seed_from_environment();
    printf("test_rounds: TANDEM_SEED=%llu repeats this run\n", (unsigned long long)random);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        run_kernels(&random, steps[k]);
}
