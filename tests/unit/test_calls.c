// Functions that stay calls, against the host's compiler; which ones do, and what cannot.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/code_object.h"
#include "kernel_runner.h"

#include "gen/isa.h"

#pragma GCC diagnostic push
#include "kernels/as_c.h"

#include "kernels/calls.cl"
#pragma GCC diagnostic pop

enum { ITEMS = 100, IN_WORDS = 2 * ITEMS, OUT_WORDS = 32 * ITEMS, LOCAL = 32, GLOBAL = 128, SETS = 4 };

typedef void common_kernel(const uint *in, uint *out, uint n);

static const struct common {
    const char *name;
    common_kernel *kernel;
} kernels[] = {
    {"call_chain", call_chain},
    {"calls_apart", calls_apart},
    {"many_arguments", many_arguments},
    {"wide_calls", wide_calls},
    {"narrow_calls", narrow_calls},
    {"structure_calls", structure_calls},
    {"array_calls", array_calls},
    {"call_tree", call_tree},
    {"values_over_calls", values_over_calls},
    {"pointer_calls", pointer_calls},
    {"unbounded_calls", unbounded_calls},
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

// ---- which ones, and why ----

static void compile(const char *source, const struct compiler_options *options, struct compiler_result *result) {
    bool good = compiler_compile(source, strlen(source), "calls.cl", options, result);
    cr_assert(good, "%s", result->messages);
}

static unsigned count_of(const struct compiler_result *result, uint8_t op) {
    struct code_object object;
    char error[256];
    cr_assert(code_object_read(result->elf, result->elf_size, &object, error, sizeof error), "%s", error);
    unsigned count = 0;
    for (size_t k = 0; k < object.text_words; k++)
        count += (uint8_t)object.text[k] == op;
    code_object_free(&object);
    return count;
}

static void expect_told(const char *source, const struct compiler_options *options, const char *line, unsigned calls) {
    struct compiler_result result;
    compile(source, options, &result);
    if (line == NULL) {
        cr_expect_null(result.calls, "%s", result.calls);
    } else {
        cr_expect(result.calls != NULL && strstr(result.calls, line) != NULL, "no line \"%s\" in:\n%s", line,
                  result.calls != NULL ? result.calls : "nothing");
    }
    cr_expect_eq(count_of(&result, OP_CAL), calls, "%u calls, expected %u", count_of(&result, OP_CAL), calls);
    compiler_result_free(&result);
}

#define KERNEL(body) "__kernel void k(__global uint *a) {\n" body "}\n"

Test(calls, told, .description = "tandem cc -v tells which functions stay calls and why") {
    const char *small = "uint f(uint x) { return x * x + 1; }\n" KERNEL("    a[0] = f(a[1]) + f(a[2]);\n");
    const char *marked =
        "__attribute__((noinline)) uint f(uint x) { return x * x + 1; }\n" KERNEL("    a[0] = f(a[1]) + f(a[2]);\n");
    const char *always =
        "__attribute__((always_inline)) uint f(uint x) { return x * x + 1; }\n" KERNEL("    a[0] = f(a[1]);\n");
    const struct compiler_options all = {.calls = COMPILER_CALLS_ALWAYS}, none = {.calls = COMPILER_CALLS_NEVER};
    expect_told(small, NULL, NULL, 0);
    expect_told(small, &all, "calls.cl:1: function f stays a call: asked for\n", 2);
    expect_told(marked, NULL, "calls.cl:1: function f stays a call: noinline\n", 2);
    expect_told(marked, &none, NULL, 0);
    expect_told(always, &all, NULL, 0);
}

Test(calls, library,
     .description = "large functions of the library stay calls where they are called from many places") {
    const char *few = "__kernel void k(__global float *a) {\n    a[0] = pow(a[1], a[2]);\n}\n";
    const char *many =
        "#define P(n) a[n] = pow(a[n + 1], a[n + 2]);\n"
        "__kernel void k(__global float *a) {\n"
        "    P(0) P(1) P(2) P(3) P(4) P(5) P(6) P(7) P(8) P(9) P(10) P(11)\n}\n";
    expect_told(few, NULL, NULL, 0);
    expect_told(many, NULL, "calls.cl: function pow stays a call: about ", 12);
}

Test(calls, barriers, .description = "a function with a barrier is expanded, and says so") {
    expect_told(
        "__attribute__((noinline)) void meet(__local uint *l) { l[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); }\n"
        "__attribute__((noinline)) void deep(__local uint *l) { meet(l); l[1] = 2; }\n"
        "__kernel void k(__global uint *a) {\n    __local uint l[4];\n    deep(l);\n    a[0] = l[0] + l[1];\n}\n",
        NULL,
        "calls.cl:2: function deep is expanded in place, noinline or not: there is a barrier in it, or in what it "
        "calls\n",
        0);
}

Test(calls, constants,
     .description = "a function whose pointers lead into tables and into memory is expanded after all") {
    static const char source[] =
        "__constant uint table[4] = {7, 8, 9, 10};\n"
        "__attribute__((noinline)) uint f(__constant uint *p, uint i) { return p[i & 3] * 2 + p[0]; }\n"
        "__attribute__((noinline)) uint g(__constant uint *p, uint i) { return p[i & 3] * 3; }\n"
        "__kernel void k(__global uint *a, __constant uint *b) {\n"
        "    a[0] = f(table + (a[1] & 1), a[1]);\n    a[2] = f(b, a[3]);\n    a[4] = g(b, 1) + g(b + 1, 2);\n}\n";
    expect_told(source, NULL, "function f is expanded in place after all: its pointers lead into different constant",
                2);
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    const uint32_t numbers[] = {0, 2, 0, 1, 0, 5, 6, 7, 8};
    uint32_t got[5];
    struct runner runner;
    runner_open_text(&runner, "model:nano", source, NULL);
    tandem_addr a = runner_buffer(&runner, numbers, 20), b = runner_buffer(&runner, numbers + 5, 16);
    const struct tandem_argument arguments[] = {{&a, 4}, {&b, 4}};
    runner_launch(&runner, "k", &range, arguments, 2);
    runner_read(&runner, a, got, sizeof got);
    cr_expect(got[0] == 9 * 2 + 7 && got[2] == 6 * 2 + 5 && got[4] == 6 * 3 + 8 * 3, "%u %u %u", got[0], got[2],
              got[4]);
    runner_close(&runner);
}

// Symbols and lines of functions inside a kernel's code.
Test(calls, for_tools, .description = "a symbol for each function inside a kernel, and the lines of its source") {
    static const char source[] =
        "__attribute__((noinline)) uint f(uint x) {\n    return x * x + 1;\n}\n"
        "__kernel void k(__global uint *a) {\n    a[0] = f(a[1]);\n}\n"
        "__kernel void m(__global uint *a) {\n    a[0] = f(a[1]) + 2;\n}\n";
    struct compiler_result result;
    struct code_object object;
    char error[256];
    compile(source, NULL, &result);
    cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
    cr_assert_eq(object.kernel_count, 2);
    cr_assert_eq(object.function_count, 2, "%zu", object.function_count);
    for (size_t k = 0; k < 2; k++) {
        const struct code_kernel *kernel = &object.kernels[k];
        const struct code_function *function = &object.functions[k];
        cr_assert_str_eq(function->name, "f");
        cr_assert(function->entry > kernel->entry &&
                  function->entry + function->code_size == kernel->entry + kernel->code_size);
        bool multiplies = false;
        for (size_t w = function->entry / 8; w < (function->entry + function->code_size) / 8; w++)
            multiplies |= object.lines[w] == 2;
        cr_assert(multiplies, "no instruction of line 2 in f of %s", kernel->name);
        cr_assert_eq((uint8_t)object.text[(function->entry + function->code_size) / 8 - 1], OP_RET);
    }
    code_object_free(&object);
    compiler_result_free(&result);
}

Test(calls, refused, .description = "recursion of functions marked noinline, and pointers to functions, are refused") {
    static const struct {
        const char *source, *message;
    } wrong[] = {
        {"__attribute__((noinline)) int g(int n) {\n    return n > 0 ? g(n - 1) + 1 : 0;\n}\n" KERNEL(
             "    a[0] = g(1);\n"),
         "calls.cl:2:20: error: recursion is not supported: g calls g"},
        {"int h(int n);\n__attribute__((noinline)) int g(int n) {\n    return h(n);\n}\n"
         "__attribute__((noinline)) int h(int n) {\n    return n > 0 ? g(n - 1) : 1;\n}\n" KERNEL("    a[0] = h(3);\n"),
         "error: recursion is not supported: h calls g calls h"},
        {"__attribute__((noinline)) int g(int n) { return n; }\n" KERNEL("    int (*f)(int) = g;\n    a[0] = f(1);\n"),
         "pointers to functions are not allowed"},
    };
    static const enum compiler_calls ways[] = {COMPILER_CALLS_AUTO, COMPILER_CALLS_ALWAYS};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        for (size_t way = 0; way < 2; way++) {
            const struct compiler_options options = {.calls = ways[way]};
            struct compiler_result result;
            bool good = compiler_compile(wrong[k].source, strlen(wrong[k].source), "calls.cl", &options, &result);
            cr_expect(!good && strstr(result.messages, wrong[k].message) != NULL, "expected \"%s\", got:\n%s",
                      wrong[k].message, result.messages);
            compiler_result_free(&result);
        }
    }
}

// Each function calls the one before it twice: 2^20 copies of the first.
static void tree_source(char *to, size_t size, const char *attribute) {
    int at = snprintf(to, size, "%s uint f0(uint x) { return x * x / 7u + (x ^ 3u) %% 11u; }\n", attribute);
    for (unsigned k = 1; k <= 20; k++)
        at += snprintf(to + at, size - (size_t)at, "%s uint f%u(uint x) { return f%u(x + 1u) ^ f%u(x * 5u); }\n",
                       attribute, k, k - 1, k - 1);
    snprintf(to + at, size - (size_t)at, KERNEL("    a[0] = f20(a[1]);\n"));
}

Test(calls, too_large,
     .description = "a kernel that expanding would make too large: refused, or calls, with segments too [model]") {
    char source[4096];
    struct compiler_result result;
    const struct compiler_options never = {.calls = COMPILER_CALLS_NEVER};
    tree_source(source, sizeof source, "");
    cr_expect_not(compiler_compile(source, strlen(source), "calls.cl", &never, &result));
    cr_expect_not_null(strstr(result.messages, "calls.cl:22:1: error: kernel k would have about "), "%s",
                       result.messages);
    cr_expect_not_null(strstr(result.messages, "without --calls never"), "%s", result.messages);
    compiler_result_free(&result);
    for (enum subvector_way way = SUBVECTOR_INSTRUCTIONS; way <= SUBVECTOR_LOOP; way++) {
        const struct compiler_options options = {.subvector = {.way = way}};
        compile(source, &options, &result);
        cr_expect_gt(count_of(&result, OP_CAL), 0);
        compiler_result_free(&result);
    }
    tree_source(source, sizeof source, "__attribute__((always_inline))");
    cr_expect_not(compiler_compile(source, strlen(source), "calls.cl", NULL, &result));
    cr_expect_not_null(strstr(result.messages, "its functions must be expanded"), "%s", result.messages);
    compiler_result_free(&result);
}

// The facts of a second compile reach functions too.
Test(calls, second_compile,
     .description = "AM a function called by a kernel that is compiled again for its arguments") {
    static const char source[] =
        "__attribute__((noinline)) uint f(__global uint *to, __global const uint *from, uint i) {\n"
        "    to[i] = from[i] * 3;\n    return from[i + 1];\n}\n"
        "__kernel void k(__global uint *a, __global uint *b, uint n) {\n"
        "    uint sum = 0;\n"
        "    for (uint i = 0; i < n; i++) {\n        sum += f(a, b, i);\n        b[i + 40] = a[i] + sum;\n    }\n"
        "    a[n] = sum;\n}\n";
    uint32_t numbers[80], expected[41], got[80];
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    for (uint32_t k = 0; k < 80; k++)
        numbers[k] = k * 77 + 1;
    expected[40] = 0;
    for (uint32_t k = 0; k < 39; k++) {
        expected[k] = numbers[k] * 3;
        expected[40] += numbers[k + 1];
    }
    for (unsigned apart = 0; apart < 2; apart++) {
        const struct alias_pair pair = {.first = 0, .second = 1, .relation = ALIAS_APART};
        const struct alias_metadata metadata = {.kernel = "k", .pairs = &pair, .pair_count = 1};
        const struct compiler_options options = {.metadata = apart != 0 ? &metadata : NULL};
        struct runner runner;
        runner_open_text(&runner, "model:nano", source, &options);
        tandem_addr a = runner_buffer(&runner, NULL, sizeof numbers),
                    b = runner_buffer(&runner, numbers, sizeof numbers);
        uint32_t n = 39, sum = 0;
        const struct tandem_argument arguments[] = {{&a, 4}, {&b, 4}, {&n, 4}};
        runner_launch(&runner, "k", &range, arguments, 3);
        runner_read(&runner, a, got, sizeof got);
        for (uint32_t k = 0; k < n; k++)
            cr_expect_eq(got[k], expected[k], "word %u: %u, expected %u", k, got[k], expected[k]);
        cr_expect_eq(got[n], expected[40]);
        runner_read(&runner, b, got, sizeof got);
        for (uint32_t k = 0; k < n; k++) {
            sum += numbers[k + 1];
            cr_expect_eq(got[k + 40], expected[k] + sum);
        }
        runner_close(&runner);
    }
}
