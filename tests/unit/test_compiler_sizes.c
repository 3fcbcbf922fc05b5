// Programs as large as anybody writes or generates them, and one step beyond what there is room for: each runs right,
// or is refused with one line.
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_runner.h"

enum { ITEMS = 32, TEXT_MAX = 2 << 20 };

struct source {
    char *text;
    size_t size;
};

static void add(struct source *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct source *to, const char *format, ...) {
    if (to->text == NULL) to->text = malloc(TEXT_MAX);
    cr_assert_not_null(to->text);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to->text + to->size, TEXT_MAX - to->size, format, arguments);
    va_end(arguments);
    cr_assert(length >= 0 && to->size + (size_t)length < TEXT_MAX);
    to->size += (size_t)length;
}

// Kernel f(a, b, n) of the source on model:small; a holds its own index times 77, b[i] must become expected(i). n is 1.
static void gives(struct source *source, const struct compiler_options *options, uint32_t (*expected)(uint32_t item)) {
    static uint32_t in[4096], out[ITEMS];
    struct runner runner;
    for (uint32_t k = 0; k < 4096; k++)
        in[k] = k * 77;
    runner_open_text(&runner, "model:small", source->text, options);
    const tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof out);
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {ITEMS}};
    const uint32_t n = 1;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    runner_launch(&runner, "f", &range, arguments, 3);
    runner_read(&runner, to, out, sizeof out);
    for (uint32_t i = 0; i < ITEMS; i++)
        cr_assert_eq(out[i], expected(i), "item %u: %08x, expected %08x", i, out[i], expected(i));
    runner_close(&runner);
    free(source->text);
}

#define HEAD \
    "__kernel void f(__global const uint *a, __global uint *b, uint n) {\nuint i = get_global_id(0), x = a[i];\n"

enum { VALUES = 300, BRANCHES = 1700 };
static uint32_t of_blocks(uint32_t item) {
    uint32_t v[VALUES], x = item * 77;
    for (uint32_t k = 0; k < VALUES; k++)
        v[k] = (item + k) * 77;
    for (uint32_t k = 0; k < BRANCHES; k++) {
        if ((x >> k % 31 & 1) != 0) {
            v[k % VALUES] += v[(k + 7) % VALUES] * (2 * k + 3);
        } else {
            x ^= v[(k * 13) % VALUES] + k;
        }
    }
    for (uint32_t k = 0; k < VALUES; k++)
        x = x * 31 + v[k];
    return x;
}
Test(compiler_sizes, blocks, .description = "5000 basic blocks, 300 values alive in all of them [model]") {
    struct source s = {0};
    add(&s, HEAD);
    for (int k = 0; k < VALUES; k++)
        add(&s, "uint v%d = a[i + %d];\n", k, k);
    for (int k = 0; k < BRANCHES; k++)
        add(&s, "if ((x >> %d & 1u) != 0) v%d += v%d * %du; else x ^= v%d + %du;\n", k % 31, k % VALUES,
            (k + 7) % VALUES, 2 * k + 3, k * 13 % VALUES, k);
    for (int k = 0; k < VALUES; k++)
        add(&s, "x = x * 31 + v%d;\n", k);
    add(&s, "b[i] = x;\n}\n");
    gives(&s, NULL, of_blocks);
}

enum { DEPTH = 200 };
static uint32_t of_nested_ifs(uint32_t item) {
    uint32_t x = item * 77;
    for (uint32_t k = 0; k < DEPTH; k++) {
        if ((x & 255) == k) {
            for (x ^= k; k > 0; k--)
                x = x * 5 + k - 1;
            return x;
        }
        x = x * 3 + (k + item) * 77;
    }
    for (uint32_t k = DEPTH; k > 0; k--)
        x = x * 5 + k - 1;
    return x;
}
Test(compiler_sizes, nested_ifs, .description = "200 ifs inside each other [model]") {
    struct source s = {0};
    add(&s, HEAD);
    for (int k = 0; k < DEPTH; k++)
        add(&s, "if ((x & 255u) != %du) { x = x * 3u + a[i + %d];\n", k, k);
    for (int k = DEPTH - 1; k >= 0; k--)
        add(&s, "x = x * 5u + %du; } else { x ^= %du; }\n", k, k);
    add(&s, "b[i] = x;\n}\n");
    gives(&s, NULL, of_nested_ifs);
}

static uint32_t of_nested_loops(uint32_t item) {
    uint32_t x = item * 77;
    for (uint32_t k = 0; k < DEPTH; k++)
        x = x * 3 + k;
    for (uint32_t k = DEPTH; k > 0; k--)
        x ^= x >> 3;
    return x;
}
Test(compiler_sizes, nested_loops, .description = "200 loops inside each other [model]") {
    struct source s = {0};
    add(&s, HEAD);
    for (int k = 0; k < DEPTH; k++)
        add(&s, "for (uint i%d = 0; i%d < n; i%d++) { x = x * 3u + %du;\n", k, k, k, k);
    for (int k = 0; k < DEPTH; k++)
        add(&s, "x ^= x >> 3; }\n");
    add(&s, "b[i] = x;\n}\n");
    gives(&s, NULL, of_nested_loops);
}

enum { CASES = 3000 };
static uint32_t of_cases(uint32_t item) {
    uint32_t x = item * 77;
    for (uint32_t r = 0; r < 20; r++) {
        const uint32_t k = x % (CASES + 10);
        for (uint32_t c = k; c < CASES; c++) {
            x = x * (2 * c + 3) + c;
            if (c % 5 != 0) break;
        }
        x += r;
    }
    return x;
}
Test(compiler_sizes, cases, .description = "a switch of 3000 cases [model]") {
    struct source s = {0};
    add(&s, HEAD "for (uint r = 0; r < 20u * n; r++) {\nswitch (x %% %uu) {\n", (unsigned)CASES + 10);
    for (int k = 0; k < CASES; k++)
        add(&s, "case %d: x = x * %du + %du; %s\n", k, 2 * k + 3, k, k % 5 != 0 ? "break;" : "");
    add(&s, "default: break; }\nx += r; }\nb[i] = x;\n}\n");
    gives(&s, NULL, of_cases);
}

enum { FUNCTIONS = 1000 };
static uint32_t of_functions(uint32_t item) {
    uint32_t x = item * 77;
    for (uint32_t k = 0; k < FUNCTIONS; k++)
        x = (x ^ x >> 5) * (2 * k + 3) + k;
    return x;
}
static void functions(enum compiler_calls calls) {
    const struct compiler_options options = {.calls = calls};
    struct source s = {0};
    for (int k = 0; k < FUNCTIONS; k++)
        add(&s, "uint g%d(uint x) { return (x ^ x >> 5) * %du + %du; }\n", k, 2 * k + 3, k);
    add(&s, HEAD);
    for (int k = 0; k < FUNCTIONS; k++)
        add(&s, "x = g%d(x);\n", k);
    add(&s, "b[i] = x;\n}\n");
    gives(&s, &options, of_functions);
}
Test(compiler_sizes, functions_expanded, .description = "1000 functions, expanded [model]") {
    functions(COMPILER_CALLS_AUTO);
}
Test(compiler_sizes, functions_called, .description = "1000 functions, called [model]") {
    functions(COMPILER_CALLS_ALWAYS);
}

enum { STATEMENTS = 6000 };
static uint32_t of_statements(uint32_t item) {
    uint32_t x = item * 77;
    for (uint32_t k = 0; k < STATEMENTS; k++)
        x = (x >> 1) * 5 + (k % 1000 + item) * 77;
    return x;
}
Test(compiler_sizes, megabyte, .description = "a source of a megabyte, 6000 statements [model]") {
    struct source s = {0};
    add(&s, HEAD);
    for (int k = 0; k < STATEMENTS; k++)
        add(&s, "x = (x >> 1) * 5u + a[i + %du]; // statement %d%0120d\n", k % 1000, k, 0);
    add(&s, "b[i] = x;\n}\n");
    cr_assert_gt(s.size, 1000000);
    gives(&s, NULL, of_statements);
}
