// Built-in functions with pointers into any memory: tests/kernels/generic_builtins.cl against the host. TANDEM_SEED=
// replays.
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "compiler/compiler.h"
#include "double_numbers.h"
#include "kernel_runner.h"

enum { ITEMS = 96, LOCAL = 32, ROW = 32, RESULTS = 12 };

static const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};

static uint64_t begin(struct runner *runner, const char *clang_options) {
    const struct compiler_options options = {.clang_options = clang_options};
    const uint64_t seed = seed_from_environment();
    printf("seed %llu (TANDEM_SEED=)\n", (unsigned long long)seed);
    runner_open(runner, "model:small", "generic_builtins.cl", &options);
    return seed | 1;
}

static void run(struct runner *runner, const char *kernel, const void *in, size_t in_size, void *out, size_t out_size) {
    const tandem_addr from = runner_buffer(runner, in, in_size), to = runner_buffer(runner, NULL, out_size);
    runner_launch(runner, kernel, &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}}, 2);
    runner_read(runner, to, out, out_size);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

Test(generic_builtins, rows,
     .description = "CL-3 vloadN and vstoreN of every type in global, local and private memory") {
    static const struct {
        const char *type;
        size_t size;
    } types[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},
                 {"uint", 4}, {"long", 8},  {"ulong", 8}, {"float", 4},  {"double", 8}};
    static const size_t lengths[] = {2, 3, 4, 8, 16};
    static uint8_t in[ITEMS * ROW * 8], got[sizeof in];
    struct runner runner;
    uint64_t state = begin(&runner, "-cl-std=CL3.0 -DWANT_ROWS");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const size_t size = types[t].size, row = ROW * size;
        char kernel[16];
        for (size_t k = 0; k < ITEMS * row; k++)
            in[k] = (uint8_t)next_bits(&state);
        snprintf(kernel, sizeof kernel, "rows_%s", types[t].type);
        run(&runner, kernel, in, ITEMS * row, got, ITEMS * row);
        for (size_t i = 0; i < ITEMS; i++) {
            uint8_t *expected = in + i * row;
            for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
                memmove(expected, expected + lengths[n] * size, lengths[n] * size);
            cr_expect_arr_eq(got + i * row, expected, row, "%s, work-item %zu", kernel, i);
        }
    }
    runner_close(&runner);
}

// What a half becomes that is a little more, its sign aside.
static uint16_t rounded(uint16_t half, char form) {
    const bool negative = half >> 15 != 0, away = form == 'p' ? !negative : form == 'n' && negative;
    return (uint16_t)(half + away);
}

// count halfs go from their place, `step` of them behind the row's begin, to the begin.
static void move(uint16_t *row, size_t step, size_t count, char form) {
    for (size_t k = 0; k < count; k++)
        row[k] = rounded(row[step + k], form);
}

Test(generic_builtins, halfs,
     .description = "CL-3 halfs loaded and stored in global, local and private memory, with every rounding") {
    static const struct {
        const char *kernel;
        char form;  // the last of _rtz; of others e
    } cases[] = {{"halfs_float", 'e'},      {"halfs_rte_float", 'e'},  {"halfs_rtz_float", 'z'},
                 {"halfs_rtp_float", 'p'},  {"halfs_rtn_float", 'n'},  {"halfs_double", 'e'},
                 {"halfs_rtz_double", 'z'}, {"halfs_rtp_double", 'p'}, {"halfs_rtn_double", 'n'}};
    static uint16_t in[ITEMS * ROW], got[ITEMS * ROW], expected[ITEMS * ROW];
    struct runner runner;
    uint64_t state = begin(&runner, "-cl-std=CL3.0 -DWANT_HALFS");
    // Normal ones, which may grow some times.
    for (size_t k = 0; k < ITEMS * ROW; k++)
        in[k] = (uint16_t)(next_bits(&state) & 0x8000) | (uint16_t)(0x0400 + next_bits(&state) % 0x7000);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        run(&runner, cases[c].kernel, in, sizeof in, got, sizeof got);
        memcpy(expected, in, sizeof in);
        for (size_t i = 0; i < ITEMS; i++) {
            static const size_t lengths[] = {1, 2, 3, 4, 8, 16};
            uint16_t *row = expected + i * ROW;
            for (size_t n = 0; n < 6; n++)
                move(row, lengths[n], lengths[n], cases[c].form);
            for (size_t n = 1; n < 6; n++)
                move(row, lengths[n] == 3 ? 4 : lengths[n], lengths[n], cases[c].form);
            for (size_t k = 0; k < ROW; k++)
                cr_expect_eq(got[i * ROW + k], row[k], "%s, work-item %zu, place %zu: %04x, not %04x", cases[c].kernel,
                             i, k, got[i * ROW + k], row[k]);
        }
    }
    runner_close(&runner);
}

static void expect_near(const char *kernel, const char *what, double x, double got, double expected, double limit) {
    cr_expect(fabs(got - expected) <= limit * fmax(1, fabs(expected)), "%s: %s of %a is %a, not %a", kernel, what, x,
              got, expected);
}

// got: what the kernel left of x. one: the largest number below 1. limit: of what is not exact.
static void check_math(const char *kernel, double x, const double got[RESULTS], double one, double limit) {
    int sign, quotient, exponent;
    double whole;
    const double gamma = lgamma_r(x, &sign), fraction = modf(x, &whole), mantissa = frexp(x, &exponent);
    const double rest = remquo(x, 3, &quotient);
    cr_expect_eq(got[0], fmin(x - floor(x), one), "%s: fract of %a is %a", kernel, x, got[0]);
    cr_expect_eq(got[1], floor(x), "%s: fract's floor of %a is %a", kernel, x, got[1]);
    cr_expect(got[2] == fraction && got[3] == whole, "%s: modf of %a is %a, %a", kernel, x, got[2], got[3]);
    expect_near(kernel, "sincos, sine,", x, got[4], sin(x), limit);
    expect_near(kernel, "sincos, cosine,", x, got[5], cos(x), limit);
    cr_expect(got[6] == mantissa && got[7] == exponent, "%s: frexp of %a is %a, %a", kernel, x, got[6], got[7]);
    expect_near(kernel, "lgamma_r", x, got[8], gamma, 16 * limit);
    cr_expect_eq(got[9], sign, "%s: lgamma_r's sign of %a is %a", kernel, x, got[9]);
    cr_expect(got[10] == rest && got[11] == (double)((quotient & 7) | ((int)got[11] & 120)),
              "%s: remquo of %a and 3 is %a, %a", kernel, x, got[10], got[11]);
}

Test(generic_builtins, math,
     .description = "CL-3 second results of math functions in global, local and private memory, floats and doubles") {
    static const struct {
        const char *kernel;
        unsigned length;
        bool doubles;
    } cases[] = {{"math_float", 1, false}, {"math_float2", 2, false}, {"math_double", 1, true}};
    static union {
        float f[ITEMS * 2 * RESULTS];
        double d[ITEMS * RESULTS];
    } in, got;
    struct runner runner;
    uint64_t state = begin(&runner, "-cl-std=CL3.0 -DWANT_MATH");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const unsigned length = cases[c].length, count = ITEMS * length;
        const size_t size = cases[c].doubles ? sizeof(double) : sizeof(float);
        for (unsigned k = 0; k < count; k++) {
            const float x = (float)((int)(next_bits(&state) % 60000) - 10000) / 1024.0f + 0.25f / 1024;
            if (cases[c].doubles)
                in.d[k] = (double)x;
            else
                in.f[k] = x;
        }
        run(&runner, cases[c].kernel, &in, count * size, &got, count * size * RESULTS);
        for (unsigned k = 0; k < count; k++) {
            double results[RESULTS];
            for (unsigned r = 0; r < RESULTS; r++) {
                const unsigned at = (k / length * RESULTS + r) * length + k % length;
                results[r] = cases[c].doubles ? got.d[at] : (double)got.f[at];
            }
            check_math(cases[c].kernel, cases[c].doubles ? in.d[k] : (double)in.f[k], results,
                       cases[c].doubles ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1, cases[c].doubles ? 1e-14 : 1e-6);
        }
    }
    runner_close(&runner);
}
