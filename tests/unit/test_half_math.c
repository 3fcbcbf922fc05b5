// Accuracy of the math functions of halfs on the model, against the host's long double. They are made of the functions
// of floats: the nearest half, or in rare cases the one beside it. HALFS_STEP=1 tries every half (make long).
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/half_numbers.h"
#include "common/seed.h"
#include "double_numbers.h"

#include "kernel_runner.h"
#include "math_accuracy.h"

enum { HALFS = 65536, LOCAL = 64, STEP = 7 };

static long double fract_of(long double x) {
    if (isnan(x)) return x;
    return isinf(x) ? copysignl(0, x) : fminl(x - floorl(x), 0x1.FFCp-1L);
}

// Of NaN the largest whole number.
static long double ilogb_of(long double x) {
    return isnan(x) ? INFINITY : logbl(x);
}
static long double mad_of(long double x, long double y) {
    return x * y + x;
}

// Limits of the full profile, of which only the exact ones count here.
static const struct math_function own[] = {{"pown", NULL, math_pown, 4},    {"rootn", NULL, math_rootn, 4},
                                           {"fract", fract_of, NULL, 2},    {"sincos", cosl, NULL, 2},
                                           {"lgamma_r", lgammal, NULL, -1}, {"ilogb", ilogb_of, NULL, 0},
                                           {"mad", NULL, mad_of, 2}};

// As whole numbers in the order of the halfs, zeros at 0.
static int place_of(uint32_t bits) {
    const int m = (int)(bits & 0x7FFF);
    return (bits >> 15) != 0 ? -m : m;
}

// Places between the result and the nearest half.
static int error_of(const struct math_function *function, double x, double y, uint32_t got) {
    const long double truth = function->one != NULL ? function->one(x) : function->two(x, y);
    const uint32_t wanted = half_of(truth, FE_TONEAREST);
    if (wanted == HALF_NAN || same_half_nan(got) == HALF_NAN) return same_half_nan(got) == wanted ? 0 : HALFS;
    // A pole's sign is left open.
    if (strcmp(function->name, "tanpi") == 0 && isinf(truth)) return (got & 0x7FFF) == HALF_INFINITY ? 0 : HALFS;
    // Of no function.
    if ((wanted & 0x7FFF) == HALF_INFINITY && got == (wanted ^ 0x8000)) return 2 * HALFS;
    return abs(place_of(got) - place_of(wanted));
}

static uint32_t step(void) {
    const char *given = getenv("HALFS_STEP");
    const unsigned long value = given != NULL ? strtoul(given, NULL, 0) : STEP;
    return value > 0 && value < HALFS ? (uint32_t)value : 1;
}

static void measure(struct runner *runner, const struct math_function *function, uint64_t *state) {
    static uint16_t in[2 * HALFS], got[HALFS];
    const unsigned operands = function->two != NULL ? 2 : 1;
    const bool whole = function->two == math_pown || function->two == math_rootn;
    uint32_t n = 0;
    int worst = 0, off = 0;
    for (uint32_t k = (uint32_t)(next_bits(state) % step()); k < HALFS; k += step()) {
        const uint64_t how = next_bits(state);
        in[operands * n] = (uint16_t)k;
        if (operands == 2)
            in[2 * n + 1] = whole ? (uint16_t)half_of((double)(how & 31) - 12, FE_TONEAREST) : (uint16_t)(how >> 16);
        n++;
    }
    const struct tandem_range range = {.dimensions = 1, .global = {(n + LOCAL - 1) / LOCAL * LOCAL}, .local = {LOCAL}};
    const tandem_addr from = runner_buffer(runner, in, sizeof in), to = runner_buffer(runner, NULL, sizeof got);
    char kernel[64];
    snprintf(kernel, sizeof kernel, "test_%s", function->name);
    runner_launch(runner, kernel, &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}, {&n, 4}}, 3);
    runner_read(runner, to, got, sizeof got);
    for (uint32_t k = 0; k < n; k++) {
        const double x = number_of_half(in[operands * k]), y = operands == 2 ? number_of_half(in[2 * k + 1]) : 0;
        const int error = error_of(function, x, y, got[k]);
        off += error != 0;
        if (error > worst) worst = error;
        // Exact functions stay exact; of lgamma no limit is given.
        const int limit = function->limit < 0 ? HALFS : function->limit <= 0.5 ? 0 : 1;
        cr_expect(error <= limit, "%s of %a, %a: %04x, %d off", function->name, x, y, got[k], error);
    }
    printf("%-12s %u of %u not the nearest, %d places at most\n", function->name, (unsigned)off, n, worst);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

// Those of floats alone, and what test_halfs does.
static bool of_halfs(const char *name) {
    return strncmp(name, "half_", 5) != 0 && strcmp(name, "nextafter") != 0;
}

Test(half_math, accuracy,
     .description = "functions of one or two halfs give the nearest half or the one beside it (CL-3)") {
    uint64_t state = seed_from_environment();
    printf("seed %llu (TANDEM_SEED=)\n", (unsigned long long)state);
    state |= 1;
    struct runner runner;
    runner_open(&runner, "model:small", "half_math.cl", NULL);
    for (size_t k = 0; k < math_function_count; k++)
        if (of_halfs(math_functions[k].name)) measure(&runner, &math_functions[k], &state);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        measure(&runner, &own[k], &state);
    runner_close(&runner);
}
