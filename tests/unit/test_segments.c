// Segments in sub-vector order: every kernel of these files, compiled in every way, leaves what C leaves.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kernel_runner.h"

// Kernels convert without casts where OpenCL does.
#pragma GCC diagnostic push
#include "kernels/as_c.h"

#include "kernels/arithmetic.cl"
#include "kernels/flow.cl"
#include "kernels/private.cl"
#include "kernels/spills.cl"
#pragma GCC diagnostic pop

enum { ITEMS = 100, IN_WORDS = 2 * ITEMS, OUT_WORDS = 32 * ITEMS, GLOBAL = 128, SETS = 3 };

typedef void common_kernel(const uint *in, uint *out, uint n);

struct named {
    const char *name;
    common_kernel *kernel;
};

#define NAMED(kernel) \
    { #kernel, kernel }
static const struct named flow[] = {NAMED(nested_ifs),    NAMED(dense_switch),     NAMED(sparse_switch),
                                    NAMED(table_switch),  NAMED(three_exits),      NAMED(break_two_loops),
                                    NAMED(goto_back),     NAMED(irreducible),      NAMED(into_the_loop),
                                    NAMED(collatz),       NAMED(greatest_divisor), NAMED(swaps),
                                    NAMED(state_machine), NAMED(helpers),          NAMED(early_returns),
                                    NAMED(sort),          NAMED(binary_search),    NAMED(uniform_and_not),
                                    {NULL, NULL}};
static const struct named arithmetic_kernels[] = {
    NAMED(arithmetic),      NAMED(divide),   NAMED(narrow),      NAMED(comparisons),
    NAMED(many_conditions), NAMED(builtins), NAMED(many_values), {NULL, NULL}};
static const struct named private_kernels[] = {NAMED(scattered),    NAMED(narrow_arrays), NAMED(records), NAMED(stacks),
                                               NAMED(private_sort), NAMED(big_copies),    {NULL, NULL}};

static void fill(uint32_t *in, unsigned set) {
    uint64_t state = 177u + set;
    for (uint32_t k = 0; k < IN_WORDS; k++) {
        uint32_t number = mixed_number(&state);
        in[k] = set == 1 ? number & 31u : set == 2 && (k & 2u) != 0 ? in[k - 2] : number;
    }
}

static void host(common_kernel *kernel, const uint32_t *in, uint32_t *out, uint32_t local) {
    memset(out, 0, OUT_WORDS * sizeof *out);
    for (uint32_t item = 0; item < GLOBAL; item++) {
        this_item = (struct work_item){.global_id = {item},
                                       .local_id = {item % local},
                                       .group_id = {item / local},
                                       .global_size = {GLOBAL, 1, 1},
                                       .local_size = {local, 1, 1},
                                       .num_groups = {GLOBAL / local, 1, 1},
                                       .dimensions = 1};
        kernel(in, out, ITEMS);
    }
}

static void same_as_host(const char *device, const char *file, const struct named *kernels,
                         const struct compiler_options *options, const char *what) {
    static uint32_t in[IN_WORDS], expected[OUT_WORDS], got[OUT_WORDS];
    const uint32_t local = strcmp(device, "model:nano") == 0 ? 32 : 64;
    const struct tandem_range range = {.dimensions = 1, .global = {GLOBAL}, .local = {local}};
    struct runner runner;
    runner_open(&runner, device, file, options);
    for (; kernels->name != NULL; kernels++) {
        for (unsigned set = 0; set < SETS; set++) {
            fill(in, set);
            host(kernels->kernel, in, expected, local);
            tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
            uint32_t n = ITEMS;
            const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
            runner_launch(&runner, kernels->name, &range, arguments, 3);
            runner_read(&runner, to, got, sizeof got);
            for (uint32_t k = 0; k < OUT_WORDS; k++)
                cr_assert_eq(got[k], expected[k], "%s, %s on %s, data %u: item %u, word %u: %08x, the host has %08x",
                             kernels->name, what, device, set, k / 32u, k % 32u, got[k], expected[k]);
            tandem_free(runner.device, from);
            tandem_free(runner.device, to);
        }
    }
    runner_close(&runner);
}

// Kernels that are no C: against regular order.
static void same_as_regular(const char *device, const char *file, const char *const *names, size_t count,
                            const struct compiler_options *options) {
    enum { IN = 2048, OUT = 8192, LOCAL = 32, ALL = 96 };
    static uint32_t in[IN], expected[OUT], got[OUT];
    const struct tandem_range range = {.dimensions = 1, .global = {ALL}, .local = {LOCAL}};
    const struct compiler_options regular = {.register_limit = options->register_limit,
                                             .clang_options = options->clang_options};
    uint64_t state = 5;
    for (uint32_t k = 0; k < IN; k++)
        in[k] = mixed_number(&state);
    struct runner runners[2];
    runner_open(&runners[0], device, file, &regular);
    runner_open(&runners[1], device, file, options);
    for (size_t k = 0; k < count; k++) {
        for (unsigned r = 0; r < 2; r++) {
            tandem_addr from = runner_buffer(&runners[r], in, sizeof in),
                        to = runner_buffer(&runners[r], NULL, sizeof got);
            uint32_t n = ALL - 6;
            const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
            runner_launch(&runners[r], names[k], &range, arguments, 3);
            runner_read(&runners[r], to, r == 0 ? expected : got, sizeof got);
            tandem_free(runners[r].device, from);
            tandem_free(runners[r].device, to);
        }
        for (uint32_t w = 0; w < OUT; w++)
            cr_assert_eq(got[w], expected[w], "%s on %s: word %u: %08x, in regular order %08x", names[k], device, w,
                         got[w], expected[w]);
    }
    runner_close(&runners[0]);
    runner_close(&runners[1]);
}

static const char *const devices[] = {"model:nano", "model:small", "model:full"};

// Every cut and both defaults, on each configuration by turns.
static void every_cut(enum subvector_way way, const char *file, const struct named *kernels) {
    static const uint32_t thresholds[] = {0, 6, 12};
    unsigned turn = (unsigned)way;
    for (unsigned cut = CUT_PRESSURE; cut <= CUT_RUNS; cut++) {
        for (unsigned everywhere = 0; everywhere < 2; everywhere++, turn++) {
            const char *device = devices[turn % 3];
            const struct compiler_options options = {.subvector = {.way = way,
                                                                   .cut = (enum segment_cut)cut,
                                                                   .threshold_kind = THRESHOLD_SET,
                                                                   .threshold = thresholds[(turn / 3 + cut) % 3],
                                                                   .everywhere = everywhere != 0,
                                                                   .all_segments = true,
                                                                   .target = device + strlen("model:")}};
            char what[64];
            snprintf(what, sizeof what, "way %d, cut %u, default %u, threshold %u", (int)way, cut, everywhere,
                     options.subvector.threshold);
            same_as_host(device, file, kernels, &options, what);
        }
    }
}

#define IN_WAY(way, name)                                                                                          \
    Test(segments, name##_flow, .description = "SV-10 SV-13 SV-14 SV-15 SV-18 flow by " #name " [model]") {        \
        every_cut(way, "flow.cl", flow);                                                                           \
    }                                                                                                              \
    Test(segments, name##_arithmetic, .description = "SV-13 SV-14 SV-15 SV-16 arithmetic by " #name " [model]") {  \
        every_cut(way, "arithmetic.cl", arithmetic_kernels);                                                       \
    }                                                                                                              \
    Test(segments, name##_private, .description = "SV-13 SV-14 SV-15 SV-16 private memory by " #name " [model]") { \
        every_cut(way, "private.cl", private_kernels);                                                             \
    }

IN_WAY(SUBVECTOR_INSTRUCTIONS, instructions)
IN_WAY(SUBVECTOR_COPIES, copies)
IN_WAY(SUBVECTOR_LOOP, half_loop)

Test(segments, by_miss_rate, .description = "SV-3 SV-14 flow, the order chosen by the miss rate [model]") {
    every_cut(SUBVECTOR_AUTO, "flow.cl", flow);
}

Test(segments, wide_accesses, .description = "SV-13 SV-16 wide accesses, their registers shared whole [model]") {
    static const char *const names[] = {"wide_copies", "wide_blends", "wide_narrow",  "wide_structures",
                                        "wide_flow",   "wide_spaces", "wide_pressure"};
    for (unsigned cut = CUT_PRESSURE; cut <= CUT_RUNS; cut++) {
        const struct compiler_options options = {.subvector = {.way = SUBVECTOR_INSTRUCTIONS,
                                                               .all_segments = true,
                                                               .cut = (enum segment_cut)cut,
                                                               .threshold_kind = THRESHOLD_SET,
                                                               .threshold = 3 * cut}};
        same_as_regular(cut % 2 == 0 ? "model:small" : "model:full", "wide_access.cl", names,
                        sizeof names / sizeof *names, &options);
    }
}

Test(segments, calls,
     .description = "SV-22 SV-18 segments with calls of functions that are kept, in every way [model]") {
    static const char *const names[] = {"calls_alive"};
    for (unsigned way = SUBVECTOR_INSTRUCTIONS; way <= SUBVECTOR_LOOP; way++)
        for (unsigned cut = CUT_PRESSURE; cut <= CUT_RUNS; cut++) {
            const struct compiler_options options = {.clang_options = "-DVALUES=20",
                                                     .subvector = {.way = (enum subvector_way)way,
                                                                   .cut = (enum segment_cut)cut,
                                                                   .threshold_kind = THRESHOLD_SET,
                                                                   .threshold = 6 * (cut % 2),
                                                                   .all_segments = true,
                                                                   .target = "nano"}};
            same_as_regular("model:nano", "segments.cl", names, 1, &options);
        }
}

// Functions with loops that may wait: the calls stay in regular order, segments begin and end beside them.
Test(segments, calls_between,
     .description = "SV-13 SV-15 SV-16 SV-18 segments beside calls that stay in regular order [model]") {
    static const char *const names[] = {"call_chain",      "many_arguments",    "wide_calls",   "narrow_calls",
                                        "structure_calls", "values_over_calls", "pointer_calls"};
    for (unsigned way = SUBVECTOR_INSTRUCTIONS; way <= SUBVECTOR_LOOP; way++)
        for (uint32_t threshold = 8; threshold <= 16; threshold += 8) {
            const struct compiler_options options = {.calls = COMPILER_CALLS_ALWAYS,
                                                     .yields_everywhere = true,
                                                     .subvector = {.way = (enum subvector_way)way,
                                                                   .threshold_kind = THRESHOLD_SET,
                                                                   .threshold = threshold,
                                                                   .everywhere = true,
                                                                   .all_segments = true}};
            same_as_regular("model:small", "calls.cl", names, sizeof names / sizeof *names, &options);
        }
}

Test(segments, spilled, .description = "SV-13 SV-16 segments of kernels whose values are spilled [model]") {
    static const char *const names[] = {"crowded", "held_over", "remade"};
    static const unsigned limits[] = {24, 14, 10};
    for (unsigned way = SUBVECTOR_INSTRUCTIONS; way <= SUBVECTOR_LOOP; way++) {
        const struct compiler_options options = {
            .register_limit = limits[way % 3],
            .subvector = {
                .way = (enum subvector_way)way, .threshold_kind = THRESHOLD_SET, .threshold = 5, .all_segments = true}};
        same_as_regular("model:small", "spills.cl", names, 3, &options);
    }
}
