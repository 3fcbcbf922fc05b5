// Functions that stay functions (tests/kernels/calls.cl, calls_waiting.cl) on every kind of device.
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "on_devices.h"

#pragma GCC diagnostic push
#include "kernels/as_c.h"

#include "kernels/calls.cl"
#pragma GCC diagnostic pop

enum { ITEMS = 20, OUT_WORDS = 32 * ITEMS, WORDS = 64 };

struct world {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
};

static struct world begin(const char *name, const char *file, enum compiler_calls calls) {
    struct world w = {.device = open_device(name)};
    const struct compiler_options options = {.calls = calls};
    struct compiler_result result;
    cr_assert(compiler_compile_file(file, &options, &result), "%s", result.messages);
    must(w.device, TANDEM_OK, tandem_module_load(w.device, result.elf, result.elf_size, &w.module));
    compiler_result_free(&result);
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 8, 0, &w.channel));
    return w;
}

static void end(struct world *w) {
    tandem_channel_close(w->channel);
    tandem_module_unload(w->module);
    close_device(w->device);
}

// ---- as the host does it ----

typedef void common_kernel(const uint *in, uint *out, uint n);

static void run_common(struct world *w, const char *kernel, common_kernel *host) {
    uint32_t in[2 * ITEMS], expected[OUT_WORDS] = {0}, got[OUT_WORDS], n = ITEMS;
    for (uint32_t k = 0; k < 2 * ITEMS; k++)
        in[k] = (k * 2654435761u >> (k % 5u * 6u)) & 0x7FFFFu;
    for (uint32_t item = 0; item < ITEMS; item++) {
        this_item.global_id[0] = item;
        host(in, expected, n);
    }
    const tandem_addr from = new_words(w->device, 2 * ITEMS), to = new_words(w->device, OUT_WORDS);
    must(w->device, TANDEM_OK, tandem_write(w->device, from, in, sizeof in));
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {10}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    must(w->device, TANDEM_OK, tandem_launch(w->channel, w->module, kernel, &range, arguments, 3));
    must(w->device, TANDEM_OK, tandem_finish(w->channel, 0));
    must(w->device, TANDEM_OK, tandem_read(w->device, to, got, sizeof got));
    for (uint32_t k = 0; k < OUT_WORDS; k++)
        cr_assert_eq(got[k], expected[k], "%s: work-item %u, word %u: %08x, the host has %08x", kernel, k / 32u,
                     k % 32u, got[k], expected[k]);
}

static void as_on_the_host(const char *name) {
    struct world w = begin(name, "tests/kernels/calls.cl", COMPILER_CALLS_AUTO);
    run_common(&w, "call_chain", call_chain);
    run_common(&w, "calls_apart", calls_apart);
    run_common(&w, "many_arguments", many_arguments);
    run_common(&w, "wide_calls", wide_calls);
    run_common(&w, "narrow_calls", narrow_calls);
    run_common(&w, "structure_calls", structure_calls);
    run_common(&w, "array_calls", array_calls);
    run_common(&w, "unbounded_calls", unbounded_calls);
    run_common(&w, "call_tree", call_tree);
    end(&w);
}

// ---- work-groups ----

static void run(struct world *w, const char *kernel, uint32_t threads, uint32_t rounds, uint32_t *shared,
                uint32_t *out) {
    const tandem_addr area = new_words(w->device, WORDS), to = new_words(w->device, WORDS);
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_argument arguments[] = {{&area, 4}, {&to, 4}, {&rounds, 4}};
    must(w->device, TANDEM_OK, tandem_launch(w->channel, w->module, kernel, &range, arguments, 3));
    must(w->device, TANDEM_OK, tandem_finish(w->channel, 0));
    must(w->device, TANDEM_OK, tandem_read(w->device, area, shared, WORDS * 4));
    must(w->device, TANDEM_OK, tandem_read(w->device, to, out, WORDS * 4));
}

static void locks(const char *name) {
    struct world w = begin(name, "tests/kernels/calls_waiting.cl", COMPILER_CALLS_AUTO);
    const uint32_t threads = 8, rounds = 4;
    uint32_t shared[WORDS], out[WORDS], sum = 0;
    run(&w, "locked_calls", threads, rounds, shared, out);
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t times = rounds + (i & 3u);
        if ((i & 1u) != 0 && times > 6) times = 6;
        sum += times * ((i & 1u) != 0 ? 1000u : 1u);
        cr_assert_eq(out[i], times * ((i & 1u) != 0 ? 2u : 1u), "thread %u: %u", i, out[i]);
    }
    cr_assert_eq(shared[0], 0);
    cr_assert_eq(shared[1], sum, "%u of %u", shared[1], sum);
    end(&w);
}

static uint32_t collatz(uint32_t x) {
    uint32_t steps = 0;
    for (; x != 1; steps++)
        x = (x & 1u) != 0 ? 3 * x + 1 : x >> 1;
    return steps;
}

static void barriers(const char *name) {
    struct world w = begin(name, "tests/kernels/calls_waiting.cl", COMPILER_CALLS_AUTO);
    const uint32_t threads = 10, rounds = 3;
    uint32_t shared[WORDS], out[WORDS], value[WORDS], next[WORDS];
    run(&w, "parted_calls", threads, rounds, shared, out);
    for (uint32_t i = 0; i < threads; i++)
        value[i] = collatz(i + 27);
    for (uint32_t k = 0; k < rounds; k++) {
        for (uint32_t i = 0; i < threads; i++)
            next[i] = collatz(value[(i + 1) % threads] + 3);
        memcpy(value, next, sizeof value);
    }
    for (uint32_t i = 0; i < threads; i++)
        cr_assert_eq(out[i], value[i], "thread %u: %u, expected %u", i, out[i], value[i]);
    end(&w);
}

// Expanded and called must be the same: each against the other.
static void vectors(const char *name) {
    static const enum compiler_calls ways[] = {COMPILER_CALLS_NEVER, COMPILER_CALLS_AUTO};
    uint32_t shared[WORDS], out[2][WORDS];
    for (unsigned k = 0; k < 2; k++) {
        struct world w = begin(name, "tests/kernels/calls_waiting.cl", ways[k]);
        run(&w, "vector_calls", 8, 3, shared, out[k]);
        end(&w);
    }
    for (uint32_t i = 0; i < 8; i++)
        cr_assert_eq(out[0][i], out[1][i], "thread %u: %08x expanded, %08x called", i, out[0][i], out[1][i]);
    cr_assert_neq(out[0][0], out[0][1]);
}

ON_DEVICES(calls, as_on_the_host, "TD-6 TD-8 TD-18 functions that stay calls")
ON_DEVICES(calls, locks, "TD-12 TD-16 a lock taken two calls deep, from two arms of an if")
ON_DEVICES(calls, barriers, "TD-14 barriers behind functions that part the threads")
ON_DEVICES(calls, vectors, "vectors as arguments and results, in registers and in memory")
