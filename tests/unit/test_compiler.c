// The compiler against the host's: each kernel of these files is run on the model and, as C, on the host.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_runner.h"

// Kernels convert without casts where OpenCL does.
#pragma GCC diagnostic push
#include "kernels/as_c.h"

#include "kernels/arithmetic.cl"
#include "kernels/floats.cl"
#include "kernels/flow.cl"
#include "kernels/leaving.cl"
#include "kernels/memory.cl"
#include "kernels/private.cl"
#include "kernels/reductions.cl"
#include "kernels/spills.cl"
#include "kernels/wide.cl"
#pragma GCC diagnostic pop

enum { ITEMS = 100, IN_WORDS = 2 * ITEMS, OUT_WORDS = 32 * ITEMS, LOCAL = 32, GLOBAL = 128, SETS = 5 };

typedef void common_kernel(const uint *in, uint *out, uint n);

// Input of different kinds: anything; all threads alike; small numbers; in pairs; neighbours that differ by one.
static void fill(uint32_t *in, unsigned set) {
    uint64_t state = 77u + set;
    for (uint32_t k = 0; k < IN_WORDS; k++) {
        uint32_t number = mixed_number(&state);
        switch (set) {
            case 1: in[k] = k < 2 ? number : in[k - 2]; break;
            case 2: in[k] = number & 31u; break;
            case 3: in[k] = (k & 2u) != 0 ? in[k - 2] : number; break;
            case 4: in[k] = k / 2u; break;
            default: in[k] = number;
        }
    }
}

static void host_item(uint32_t item) {
    this_item = (struct work_item){.global_id = {item},
                                   .local_id = {item % LOCAL},
                                   .group_id = {item / LOCAL},
                                   .global_size = {GLOBAL, 1, 1},
                                   .local_size = {LOCAL, 1, 1},
                                   .num_groups = {GLOBAL / LOCAL, 1, 1},
                                   .dimensions = 1};
}

static void same_as_host(const char *file, const char *name, common_kernel *kernel,
                         const struct compiler_options *options) {
    static uint32_t in[IN_WORDS], expected[OUT_WORDS], got[OUT_WORDS];
    const struct tandem_range range = {.dimensions = 1, .global = {GLOBAL}, .local = {LOCAL}};
    struct runner runner;
    runner_open(&runner, "model:small", file, options);
    for (unsigned set = 0; set < SETS; set++) {
        fill(in, set);
        memset(expected, 0, sizeof expected);
        for (uint32_t item = 0; item < GLOBAL; item++) {
            host_item(item);
            kernel(in, expected, ITEMS);
        }
        tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
        uint32_t n = ITEMS;
        const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
        runner_launch(&runner, name, &range, arguments, 3);
        runner_read(&runner, to, got, sizeof got);
        for (uint32_t k = 0; k < OUT_WORDS; k++) {
            cr_assert_eq(got[k], expected[k],
                         "%s, data %u: work-item %u (in %08x %08x), word %u: %08x, the host has %08x", name, set,
                         k / 32u, in[k / 32u * 2u], in[k / 32u * 2u + 1u], k % 32u, got[k], expected[k]);
        }
    }
    runner_close(&runner);
}

#define SAME_AS_HOST(file, kernel, what)                  \
    Test(compiler, kernel, .description = what) {         \
        same_as_host(#file ".cl", #kernel, kernel, NULL); \
    }

SAME_AS_HOST(arithmetic, arithmetic, "32-bit arithmetic and shifts")
SAME_AS_HOST(arithmetic, divide, "division and remainder, signed and unsigned, by variables and constants")
SAME_AS_HOST(arithmetic, narrow, "8- and 16-bit arithmetic")
SAME_AS_HOST(arithmetic, comparisons, "comparisons, select, logic of conditions")
SAME_AS_HOST(arithmetic, many_conditions, "more conditions than predicate registers")
SAME_AS_HOST(arithmetic, builtins, "integer builtins")
SAME_AS_HOST(arithmetic, many_values, "many values over a loop")
SAME_AS_HOST(floats, float_arithmetic, "single precision: sum, product, quotient, square root, remainder, fma")
SAME_AS_HOST(floats, float_bits, "roundings to whole numbers, signs, classes, minimum and maximum of floats")
SAME_AS_HOST(floats, float_comparisons, "every comparison of floats, in conditions and as values")
SAME_AS_HOST(floats, float_conversions,
             "conversions between floats and integers of 8, 16 and 32 bits, saturated and rounded")
SAME_AS_HOST(flow, nested_ifs, "TD-6 TD-8 nested ifs")
SAME_AS_HOST(flow, dense_switch, "TD-18 switch with cases that fall through")
SAME_AS_HOST(flow, sparse_switch, "TD-18 switch in a loop, continue and return in it")
SAME_AS_HOST(flow, table_switch, "TD-18 switch that only picks a value")
SAME_AS_HOST(flow, three_exits, "TD-18 a loop left by break, goto and return")
SAME_AS_HOST(flow, break_two_loops, "TD-18 goto out of two loops")
SAME_AS_HOST(flow, goto_back, "TD-18 goto back")
SAME_AS_HOST(flow, irreducible, "TD-18 a cycle with two entries")
SAME_AS_HOST(flow, into_the_loop, "TD-18 switch into a loop")
SAME_AS_HOST(flow, collatz, "TD-6 TD-8 a loop that threads leave at different times")
SAME_AS_HOST(flow, greatest_divisor, "a loop around a division")
SAME_AS_HOST(flow, swaps, "phis that swap and rotate")
SAME_AS_HOST(flow, state_machine, "TD-18 switch in an endless loop, goto out of it")
SAME_AS_HOST(flow, helpers, "TD-18 functions with several returns, called from both arms")
SAME_AS_HOST(flow, early_returns, "TD-8 TD-18 returns from everywhere")
SAME_AS_HOST(flow, sort, "nested loops over global memory")
SAME_AS_HOST(flow, binary_search, "a loop with a break")
SAME_AS_HOST(flow, uniform_and_not, "uniform and divergent loops in each other")
SAME_AS_HOST(leaving, goto_out_of_three, "TD-18 goto out of three loops")
SAME_AS_HOST(leaving, continue_outer, "TD-18 goto to the next iteration of the outer loop")
SAME_AS_HOST(leaving, work_on_leaving, "TD-18 breaks with work of their own")
SAME_AS_HOST(leaving, switch_out_of_loop, "TD-18 switch with cases that fall through, and out of a loop")
SAME_AS_HOST(leaving, return_in_loops, "TD-8 TD-18 returns in two loops")
SAME_AS_HOST(leaving, and_or_chain, "TD-18 chains of && and || around arms")
SAME_AS_HOST(leaving, loops_in_arms, "TD-6 TD-8 loops in the arms of an if")
SAME_AS_HOST(memory, widths, "loads and stores of 8, 16 and 32 bits")
SAME_AS_HOST(memory, structures, "structures in global memory")
SAME_AS_HOST(memory, tables, "constant tables")
SAME_AS_HOST(memory, pointers, "pointers that walk, chosen by data")
SAME_AS_HOST(private, scattered, "a private array indexed by data")
SAME_AS_HOST(private, narrow_arrays, "private arrays of bytes and halves")
SAME_AS_HOST(private, records, "private structures, copied and by address")
SAME_AS_HOST(private, stacks, "TD-6 TD-8 a stack for each work-item")
SAME_AS_HOST(private, private_sort, "sorting a private array")
SAME_AS_HOST(private, big_copies, "private structures of hundreds of bytes, copied")

SAME_AS_HOST(wide, wide_arithmetic, "64-bit sums, products, logic")
SAME_AS_HOST(wide, wide_shifts, "64-bit shifts by constants and variables")
SAME_AS_HOST(wide, wide_comparisons, "64-bit comparisons, selects, phis")
SAME_AS_HOST(wide, wide_division, "64-bit division and remainder")
SAME_AS_HOST(wide, wide_conversions, "64-bit integers to floats and back, builtins on them")
SAME_AS_HOST(reductions, wide_sums, "a sum of many 64-bit terms, which LLVM makes a vector of")
SAME_AS_HOST(reductions, wide_differences, "the same, exclusive or")
SAME_AS_HOST(reductions, wide_unions, "the same, or")
SAME_AS_HOST(reductions, strides, "loops that only load, in rounds, with any step")
SAME_AS_HOST(reductions, wide_intersections, "the same, and")
SAME_AS_HOST(reductions, wide_least, "the same, minimum, unsigned")
SAME_AS_HOST(reductions, wide_most, "the same, maximum, unsigned")
SAME_AS_HOST(reductions, wide_lowest, "the same, minimum, signed")
SAME_AS_HOST(reductions, wide_highest, "the same, maximum, signed")

// The same with so few registers that values have to go to memory.
static void spilled_as_host(const char *name, common_kernel *kernel) {
    static const unsigned limits[] = {31, 20, 12, 9};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const struct compiler_options options = {.register_limit = limits[k]};
        same_as_host("spills.cl", name, kernel, &options);
    }
}
Test(compiler, spills_crowded, .description = "more live values than registers, in a loop") {
    spilled_as_host("crowded", crowded);
}
Test(compiler, spills_held, .description = "values that live over loops go to memory, not those of the inner loop") {
    spilled_as_host("held_over", held_over);
}
Test(compiler, spills_remade, .description = "constants are made again instead of kept") {
    spilled_as_host("remade", remade);
}

Test(compiler, without_tokens, .description = "TD-18 without any reconvergence the results are the same") {
    const struct compiler_options options = {.no_tokens = true};
    same_as_host("flow.cl", "break_two_loops", break_two_loops, &options);
    same_as_host("flow.cl", "state_machine", state_machine, &options);
    same_as_host("flow.cl", "irreducible", irreducible, &options);
}

Test(compiler, unoptimized, .description = "clang's -cl-opt-disable changes no result") {
    const struct compiler_options options = {.clang_options = "-cl-opt-disable"};
    same_as_host("flow.cl", "sparse_switch", sparse_switch, &options);
    same_as_host("flow.cl", "early_returns", early_returns, &options);
}

Test(compiler, arguments, .description = "arguments of every size and a structure by value") {
    static uint32_t got[GLOBAL * 16], expected[GLOBAL * 16];
    const struct tandem_range range = {.dimensions = 1, .global = {GLOBAL}, .local = {LOCAL}};
    const uint8_t a = 200;
    const int16_t b = -12345;
    const uint16_t c = 54321;
    const int8_t d = -100;
    const uint32_t e = 0xDEADBEEFu;
    const struct settings settings = {.shift = 5, .mask = 0xFF0, .bias = -7, .factors = {11, 22, 33}};
    const int32_t f = -2000000000;
    struct runner runner;
    runner_open(&runner, "model:small", "memory.cl", NULL);
    tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_argument list[] = {
        {&to, 4}, {&a, 1}, {&b, 2}, {&c, 2}, {&d, 1}, {&e, 4}, {&settings, sizeof settings}, {&f, 4}};
    runner_launch(&runner, "arguments", &range, list, 8);
    runner_read(&runner, to, got, sizeof got);
    for (uint32_t item = 0; item < GLOBAL; item++) {
        host_item(item);
        arguments(expected, a, b, c, (char)d, e, settings, f);
    }
    for (uint32_t k = 0; k < GLOBAL * 16; k++)
        cr_assert_eq(got[k], expected[k], "work-item %u, word %u: %08x, the host has %08x", k / 16, k % 16, got[k],
                     expected[k]);
    runner_close(&runner);
}

Test(compiler, work_items, .description = "work-item functions in three dimensions with an offset") {
    enum { X = 8, Y = 6, Z = 4, WORDS = X * Y * Z * 32 };
    static uint32_t got[WORDS], expected[WORDS];
    const struct tandem_range range = {
        .dimensions = 3, .offset = {5, 70, 900}, .global = {X, Y, Z}, .local = {4, 3, 2}};
    struct runner runner;
    runner_open(&runner, "model:small", "memory.cl", NULL);
    tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_argument list[] = {{&to, 4}};
    runner_launch(&runner, "work_items", &range, list, 1);
    runner_read(&runner, to, got, sizeof got);
    for (uint32_t item = 0; item < X * Y * Z; item++) {
        uint32_t at[3] = {item % X, item / X % Y, item / (X * Y)};
        this_item.dimensions = 3;
        for (int d = 0; d < 3; d++) {
            this_item.offset[d] = range.offset[d];
            this_item.global_id[d] = at[d] + range.offset[d];
            this_item.local_id[d] = at[d] % range.local[d];
            this_item.group_id[d] = at[d] / range.local[d];
            this_item.global_size[d] = range.global[d];
            this_item.local_size[d] = range.local[d];
            this_item.num_groups[d] = range.global[d] / range.local[d];
        }
        work_items(expected);
    }
    for (uint32_t k = 0; k < WORDS; k++)
        cr_assert_eq(got[k], expected[k], "work-item %u, word %u: %u, expected %u", k / 32, k % 32, got[k],
                     expected[k]);
    runner_close(&runner);
}
