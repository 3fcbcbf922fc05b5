// Functions that stay calls, against the host's compiler; which ones do, and what cannot.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/code_object.h"
#include "kernel_runner.h"

#include "gen/isa.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "kernels/as_c.h"

#include "kernels/calls.cl"
#pragma GCC diagnostic pop

enum { ITEMS = 100, IN_WORDS = 2 * ITEMS, OUT_WORDS = 32 * ITEMS, LOCAL = 32, GLOBAL = 128, SETS = 4 };

typedef void common_kernel(const uint *in, uint *out, uint n);

static const struct common {
    const char *name;
    common_kernel *kernel;
} kernels[] = {
    {"call_chain", call_chain},         {"calls_apart", calls_apart},     {"many_arguments", many_arguments},
    {"wide_calls", wide_calls},         {"narrow_calls", narrow_calls},   {"structure_calls", structure_calls},
    {"array_calls", array_calls},       {"call_tree", call_tree},         {"values_over_calls", values_over_calls},
    {"pointer_calls", pointer_calls},   {"unbounded_calls", unbounded_calls},
};

// Anything; small numbers; threads in pairs alike; neighbours that differ by one.
static void fill(uint32_t *in, unsigned set) {
    uint64_t state = 2077u + set;
    for (uint32_t k = 0; k < IN_WORDS; k++) {
        uint32_t number = mixed_number(&state);
        in[k] = set == 0 ? number : set == 1 ? number & 31u : set == 2 ? ((k & 2u) != 0 ? in[k - 2] : number) : k / 2u;
    }
}

static void same_as_host(const struct compiler_options *options, const char *device) {
    static uint32_t in[IN_WORDS], expected[OUT_WORDS], got[OUT_WORDS];
    const struct tandem_range range = {.dimensions = 1, .global = {GLOBAL}, .local = {LOCAL}};
    struct runner runner;
    runner_open(&runner, device, "calls.cl", options);
    for (size_t at = 0; at < sizeof kernels / sizeof *kernels; at++) {
        for (unsigned set = 0; set < SETS; set++) {
            fill(in, set);
            memset(expected, 0, sizeof expected);
            for (uint32_t item = 0; item < GLOBAL; item++) {
                this_item.global_id[0] = item;
                kernels[at].kernel(in, expected, ITEMS);
            }
            tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
            uint32_t n = ITEMS;
            const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
            runner_launch(&runner, kernels[at].name, &range, arguments, 3);
            runner_read(&runner, to, got, sizeof got);
            for (uint32_t k = 0; k < OUT_WORDS; k++)
                cr_assert_eq(got[k], expected[k], "%s, data %u: work-item %u, word %u: %08x, the host has %08x",
                             kernels[at].name, set, k / 32u, k % 32u, got[k], expected[k]);
        }
    }
    runner_close(&runner);
}

Test(calls, as_asked, .description = "TD-6 TD-8 TD-18 functions marked noinline and a tree of calls, as the host's") {
    same_as_host(NULL, "model:small");
}
Test(calls, always, .description = "TD-6 TD-8 TD-18 every function that can stays a call") {
    const struct compiler_options options = {.calls = COMPILER_CALLS_ALWAYS};
    same_as_host(&options, "model:small");
}
Test(calls, without_tokens, .description = "TD-6 TD-18 calls bring threads together without other tokens") {
    const struct compiler_options options = {.no_tokens = true};
    same_as_host(&options, "model:small");
}
Test(calls, few_registers, .description = "arguments and values over calls in memory where registers are few") {
    static const unsigned limits[] = {40, 17, 11};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const struct compiler_options options = {.register_limit = limits[k]};
        same_as_host(&options, "model:nano");
    }
}
