// Conversions to float with a rounding of their own, and scaling down below the normal range, against the host's
// arithmetic: libclc's bodies, which other implementations share, are wrong there.
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_runner.h"

enum { ITEMS = 2048, LOCAL = 64, MODES = 4 };

static const int modes[MODES] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

static const char source[] =
    "#define ALL(T, N)\\\n"
    "    __kernel void from_##T##N(__global const T##N *in, __global float##N *out) {\\\n"
    "        uint i = (uint)get_global_id(0);\\\n"
    "        T##N a = in[i];\\\n"
    "        out[4 * i] = convert_float##N##_rte(a), out[4 * i + 1] = convert_float##N##_rtz(a);\\\n"
    "        out[4 * i + 2] = convert_float##N##_rtp(a), out[4 * i + 3] = convert_float##N##_rtn(a);\\\n"
    "    }\n"
    "ALL(int, ) ALL(uint, ) ALL(long, ) ALL(ulong, ) ALL(short, ) ALL(uchar, )\n"
    "__kernel void scaled(__global const float *in, __global const int *by, __global float *out) {\n"
    "    uint i = (uint)get_global_id(0);\n"
    "    out[i] = ldexp(in[i], by[i]);\n"
    "}\n"
    "__kernel void differences(__global const int *in, __global int *out) {\n"
    "    uint i = (uint)get_global_id(0);\n"
    "    int a = in[2 * i], b = in[2 * i + 1];\n"
    "    out[3 * i] = sub_sat(a, b), out[3 * i + 1] = add_sat(a, b);\n"
    "    out[3 * i + 2] = sub_sat((char)a, (char)b) * 65536 + sub_sat((short)a, (short)b);\n"
    "}\n";

static const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {LOCAL}};

// Numbers of every length, many with long runs of ones, where roundings differ; the ends of the ranges first.
static uint64_t number(uint64_t *state, unsigned k) {
    static const uint64_t ends[] = {0,          1,          0x7FFFFFFF,         0x80000000,         0xFFFFFFFF,
                                    0x7FFFFFBF, 0x7FFFFFC0, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, ~0ull,
                                    0xFFFFFF7F, 0x1000001};
    if (k < sizeof ends / sizeof *ends) return ends[k];
    const uint64_t wide = (uint64_t)mixed_number(state) << 32 | mixed_number(state);
    return (k & 1u) != 0 ? wide >> (k / 2 % 64) : (~0ull >> (k / 2 % 64)) - (wide & 0x3FF);
}

static void check(struct runner *runner, const char *kernel, const void *in, size_t size, size_t count,
                  const float *expected) {
    float *got = calloc(4 * count, sizeof *got);
    cr_assert_not_null(got);
    tandem_addr from = runner_buffer(runner, in, size * count), to = runner_buffer(runner, NULL, 16 * count);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    runner_launch(runner, kernel, &range, arguments, 2);
    runner_read(runner, to, got, 16 * count);
    for (size_t k = 0; k < 4 * count; k++)
        cr_assert(memcmp(&got[k], &expected[k], 4) == 0, "%s: number %zu, rounding %zu: %a, must be %a", kernel, k / 4,
                  k % 4, (double)got[k], (double)expected[k]);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
    free(got);
}

// What the host converts to in each mode.
#define CHECK(type, host)                                               \
    {                                                                   \
        static host in[ITEMS];                                          \
        static float expected[4 * ITEMS];                               \
        uint64_t state = seed;                                          \
        for (unsigned k = 0; k < ITEMS; k++)                            \
            in[k] = (host)number(&state, k);                            \
        for (unsigned m = 0; m < MODES; m++) {                          \
            cr_assert_eq(fesetround(modes[m]), 0);                      \
            for (unsigned k = 0; k < ITEMS; k++) {                      \
                const volatile host x = in[k];                          \
                const volatile float f = (float)x;                      \
                expected[4 * k + m] = f;                                \
            }                                                           \
        }                                                               \
        fesetround(FE_TONEAREST);                                       \
        check(&runner, "from_" #type, in, sizeof *in, ITEMS, expected); \
    }

static uint64_t take_seed(void) {
    const char *given = getenv("SEED");
    const uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 1;
    printf("seed %llu (SEED=)\n", (unsigned long long)seed);
    return seed;
}

Test(conversions, whole_numbers, .description = "integers become floats in each of the four roundings [model]") {
    const uint64_t seed = take_seed();
    struct runner runner;
    runner_open_text(&runner, "model:small", source, NULL);
    CHECK(int, int32_t)
    CHECK(uint, uint32_t)
    CHECK(long, int64_t)
    CHECK(ulong, uint64_t)
    CHECK(short, int16_t)
    CHECK(uchar, uint8_t)
    runner_close(&runner);
}

Test(conversions, scaled, .description = "ldexp rounds once, also below the normal range [model]") {
    static float in[ITEMS], expected[ITEMS], got[ITEMS];
    static int32_t by[ITEMS];
    static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, 0x1.fffffep127f, 0x1p-149f, 0x1.fffffep-127f};
    uint64_t state = take_seed();
    for (unsigned k = 0; k < ITEMS; k++) {
        const uint32_t bits = mixed_number(&state);
        memcpy(&in[k], &bits, 4);
        if (k < sizeof special / sizeof *special) in[k] = special[k];
        if (isnan(in[k])) in[k] = 0x1.555556p-3f;
        int exponent = 0;
        (void)frexpf(in[k], &exponent);
        // Mostly into or near the subnormal numbers.
        by[k] = k % 8 == 0 ? (int32_t)mixed_number(&state) : -exponent - 120 - (int32_t)(mixed_number(&state) % 32u);
        expected[k] = ldexpf(in[k], by[k]);
    }
    struct runner runner;
    runner_open_text(&runner, "model:small", source, NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), steps = runner_buffer(&runner, by, sizeof by);
    tandem_addr to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_argument arguments[] = {{&from, 4}, {&steps, 4}, {&to, 4}};
    runner_launch(&runner, "scaled", &range, arguments, 3);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned k = 0; k < ITEMS; k++)
        cr_assert(memcmp(&got[k], &expected[k], 4) == 0, "ldexp(%a, %d): %a, must be %a", (double)in[k], by[k],
                  (double)got[k], (double)expected[k]);
    runner_close(&runner);
}

static int32_t nearest(int64_t x, int bits) {
    const int64_t most = ((int64_t)1 << (bits - 1)) - 1;
    return (int32_t)(x > most ? most : x < -most - 1 ? -most - 1 : x);
}

Test(conversions, saturated, .description = "saturated sums and differences at the ends of the range [model]") {
    static int32_t in[2 * ITEMS], got[3 * ITEMS];
    static const int32_t ends[] = {0, 1, -1, INT32_MIN, INT32_MAX, INT32_MIN + 1, 128, -128};
    uint64_t state = take_seed();
    for (unsigned k = 0; k < 2 * ITEMS; k++)
        in[k] = (int32_t)mixed_number(&state);
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < 8; b++)
            in[2 * (8 * a + b)] = ends[a], in[2 * (8 * a + b) + 1] = ends[b];
    struct runner runner;
    runner_open_text(&runner, "model:small", source, NULL);
    tandem_addr from = runner_buffer(&runner, in, sizeof in), to = runner_buffer(&runner, NULL, sizeof got);
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}};
    runner_launch(&runner, "differences", &range, arguments, 2);
    runner_read(&runner, to, got, sizeof got);
    for (unsigned k = 0; k < ITEMS; k++) {
        const int64_t a = in[2 * k], b = in[2 * k + 1];
        const int32_t expected[3] = {nearest(a - b, 32), nearest(a + b, 32),
                                     nearest((int8_t)a - (int8_t)b, 8) * 65536 + nearest((int16_t)a - (int16_t)b, 16)};
        for (unsigned w = 0; w < 3; w++)
            cr_assert_eq(got[3 * k + w], expected[w], "%lld and %lld, result %u: %d, must be %d", (long long)a,
                         (long long)b, w, got[3 * k + w], expected[w]);
    }
    runner_close(&runner);
}
