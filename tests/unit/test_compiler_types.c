// Floats, 64-bit integers and vectors: vectors against the same element by element, options for floats, and all of it
// in tandem on every configuration.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_runner.h"

enum { ITEMS = 64, IN_WORDS = 160, OUT_WORDS = 64 * ITEMS, LOCAL = 32 };

static const struct tandem_range line_of_items = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};

static void run(const char *device, const char *file, const char *kernel, uint32_t *out) {
    static uint32_t in[IN_WORDS];
    uint64_t state = 2026;
    for (uint32_t k = 0; k < IN_WORDS; k++)
        in[k] = mixed_number(&state);
    struct runner runner;
    runner_open(&runner, device, file, NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, OUT_WORDS * 4);
    const uint32_t n = ITEMS;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    runner_launch(&runner, kernel, &line_of_items, arguments, 3);
    runner_read(&runner, to, out, OUT_WORDS * 4);
    runner_close(&runner);
}

static void pairs_agree(const char *kernel) {
    static uint32_t out[OUT_WORDS];
    run("model:small", "vectors.cl", kernel, out);
    uint32_t other = 0;
    for (uint32_t k = 0; k < OUT_WORDS; k += 2) {
        cr_assert_eq(out[k], out[k + 1], "%s: work-item %u, pair %u: %08x, element by element %08x", kernel, k / 64,
                     k % 64 / 2, out[k], out[k + 1]);
        other |= out[k];
    }
    cr_assert_neq(other, 0, "%s has written nothing", kernel);
}

Test(compiler_types, vector_arithmetic, .description = "vectors of 2 to 16 integers") {
    pairs_agree("vector_arithmetic");
}

Test(compiler_types, vector_moves, .description = "shuffles, swizzles, elements picked by variables, phis of vectors") {
    pairs_agree("vector_moves");
}

Test(compiler_types, vector_floats,
     .description = "vectors of floats, conversions of vectors, half precision in memory") {
    pairs_agree("vector_floats");
}

static void same_in_tandem(const char *file, const char *kernel) {
    static const char *const devices[] = {"tandem:nano", "tandem:small", "tandem:full"};
    static uint32_t expected[OUT_WORDS], got[OUT_WORDS];
    run("model:small", file, kernel, expected);
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        if (!runner_has(devices[d])) continue;
        run(devices[d], file, kernel, got);
        for (uint32_t k = 0; k < OUT_WORDS; k++)
            cr_assert_eq(got[k], expected[k], "%s on %s: word %u: %08x, the model alone has %08x", kernel, devices[d],
                         k, got[k], expected[k]);
    }
}

#define IN_TANDEM(file, kernel, what)                            \
    Test(compiler_types, tandem_##kernel, .description = what) { \
        same_in_tandem(#file ".cl", #kernel);                    \
    }

IN_TANDEM(floats, float_arithmetic, "compiled float arithmetic on nano, small, full [tandem]")
IN_TANDEM(floats, float_bits, "compiled roundings and classes of floats on nano, small, full [tandem]")
IN_TANDEM(floats, float_conversions, "compiled conversions of floats on nano, small, full [tandem]")
IN_TANDEM(wide, wide_arithmetic, "compiled 64-bit arithmetic on nano, small, full [tandem]")
IN_TANDEM(wide, wide_comparisons, "compiled 64-bit comparisons on nano, small, full [tandem]")
IN_TANDEM(wide, wide_division, "compiled 64-bit division on nano, small, full [tandem]")
IN_TANDEM(vectors, vector_arithmetic, "compiled vectors on nano, small, full [tandem]")
IN_TANDEM(vectors, vector_floats, "compiled vectors of floats on nano, small, full [tandem]")

static const char *const option_source =
    "__kernel void f(__global const float *in, __global float *out) {\n"
    "    uint i = get_global_id(0);\n"
    "    float x = in[2 * i], y = in[2 * i + 1];\n"
    "    out[4 * i] = x / y;\n"
    "    out[4 * i + 1] = sqrt(x);\n"
    "    out[4 * i + 2] = mad(x, y, 1.0f) - sin(x);\n"
    "    out[4 * i + 3] = x * y + 2.0f;\n"
    "}\n";

static void options_are_taken(const char *text, double tolerance) {
    static float in[2 * ITEMS], out[4 * ITEMS];
    const struct compiler_options options = {.clang_options = text};
    struct runner runner;
    for (int k = 0; k < ITEMS; k++) {
        in[2 * k] = 0.37f * (float)(k + 1);
        in[2 * k + 1] = 1.25f + 3.1f * (float)(k % 7);
    }
    runner_open_text(&runner, "model:small", option_source, &options);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof out);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    runner_launch(&runner, "f", &line_of_items, arguments, 2);
    runner_read(&runner, to, out, sizeof out);
    for (int k = 0; k < ITEMS; k++) {
        double x = (double)in[2 * k], y = (double)in[2 * k + 1];
        double expected[4] = {x / y, sqrt(x), x * y + 1.0 - sin(x), x * y + 2.0};
        for (int e = 0; e < 4; e++) {
            double error = fabs((double)out[4 * k + e] - expected[e]) / fabs(expected[e]);
            cr_assert_leq(error, tolerance, "%s: result %d of work-item %d: %g, expected %g", text, e, k,
                          (double)out[4 * k + e], expected[e]);
        }
    }
    runner_close(&runner);
}

Test(compiler_types, options,
     .description = "the options of clBuildProgram that concern floats are accepted, results stay right") {
    static const char *const exact[] = {
        "-cl-mad-enable",         "-cl-no-signed-zeros",         "-cl-single-precision-constant",
        "-cl-denorms-are-zero",   "-cl-finite-math-only",        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-strict-aliasing -w", "-cl-kernel-arg-info -Werror", "-cl-opt-disable",
    };
    for (size_t k = 0; k < sizeof exact / sizeof *exact; k++)
        options_are_taken(exact[k], 4e-7);
    options_are_taken("-cl-unsafe-math-optimizations", 1e-5);
    options_are_taken("-cl-fast-relaxed-math", 1e-5);
}

// Values that no operation of C gives: they may be anything, but nothing may break.
Test(compiler_types, undefined, .description = "undefined values of every type compile and run to the end") {
    static const char *const source =
        "__kernel void f(__global float *a, __global ulong *b, __global int4 *c) {\n"
        "    float x; ulong y; int4 z; float w[3];\n"
        "    uint i = get_global_id(0);\n"
        "    if (a[i] > 0.5f) { x = 1.0f; y = 3; }\n"
        "    z.y = 5;\n"
        "    a[i] = x + w[1];\n"
        "    b[i] = y / 3 + (ulong)x + (y << 70);\n"
        "    c[i] = z + (int4)((int)1e20f) + ((int4)(7) << 40);\n"
        "}\n";
    static uint32_t words[ITEMS * 4];
    struct runner runner;
    runner_open_text(&runner, "model:small", source, NULL);
    tandem_addr at[3];
    for (int k = 0; k < 3; k++)
        at[k] = runner_buffer(&runner, words, sizeof words);
    const struct tandem_argument arguments[] = {{&at[0], 4}, {&at[1], 4}, {&at[2], 4}};
    runner_launch(&runner, "f", &line_of_items, arguments, 3);
    runner_close(&runner);
}
