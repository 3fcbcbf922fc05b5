// Accuracy of the math functions of doubles on the model, against the host's long double, whose 64 bits show an error to
// a two-thousandth of a unit. TANDEM_SEED= replays; DOUBLES_ROUNDS= times as many points (make long).
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "double_numbers.h"
#include "kernel_runner.h"
#include "math_accuracy.h"

enum { POINTS = 512, LOCAL = 64 };
#define REFERENCE_ERROR 0.002  // of the host's result, in units

static const struct math_function own[] = {{"pown", NULL, math_pown, 16}, {"rootn", NULL, math_rootn, 16}};

// Corners first, then numbers of every size, most of them where functions are neither flat nor beyond the range.
static double operand(uint64_t *state, unsigned k, bool second, const char *name) {
    static const double corners[] = {0.0,
                                     1.0,
                                     2.0,
                                     0.5,
                                     3.0,
                                     10.0,
                                     0x1p-1074,
                                     0x1p-1022,
                                     0x1.fffffffffffffp1023,
                                     INFINITY,
                                     NAN,
                                     M_PI,
                                     M_PI_2,
                                     709.78271289338397,
                                     745.13321910194122,
                                     0x1p53,
                                     0x1p31,
                                     0x1.ffp-1023,
                                     0.99999999999999989,
                                     1.0000000000000002,
                                     170.5,
                                     8.5,
                                     M_PI_4,
                                     1.5,
                                     2.5,
                                     1e-10,
                                     1e22,
                                     26.5,
                                     1024.0};
    enum { CORNERS = sizeof corners / sizeof *corners };
    const uint64_t how = next_bits(state);
    if (strcmp(name, "pown") == 0 || strcmp(name, "rootn") == 0) {
        if (second) return (double)((int)(how >> 8 & 63) - 20);
    }
    if (k < 2 * CORNERS) {
        const unsigned at = second ? (unsigned)(how >> 8) % CORNERS : k / 2;
        return (k & 1) != 0 ? -corners[at] : corners[at];
    }
    const double fraction = ldexp((double)(next_bits(state) >> 11), -53), sign = (how & 64) != 0 ? -1.0 : 1.0;
    switch (how & 7) {
        case 0: return double_of_bits(next_bits(state) & ~(UINT64_C(1) << 62));
        case 1: return sign * ldexp(1.0 + fraction, (int)(how >> 8 & 127) - 64);
        case 2: return sign * fraction * 700.0;
        case 3: return 1.0 + sign * ldexp(fraction, -(int)(how >> 8 & 31));
        case 4: return sign * fraction;
        default: return sign * fraction * 20.0;
    }
}

static double error_of(const struct math_function *function, double x, double y, double got) {
    const long double truth = function->one != NULL ? function->one(x) : function->two(x, y);
    if (isnan(truth)) return isnan(got) ? 0 : INFINITY;
    if (isnan(got)) return INFINITY;
    if (isinf(truth)) {
        const bool pole = strcmp(function->name, "tanpi") == 0;
        return isinf(got) && (pole || signbit(got) == (signbit(truth) != 0)) ? 0 : INFINITY;
    }
    if (truth == 0.0L) return got == 0.0 ? 0 : INFINITY;
    if (isinf(got)) {
        const long double beyond = ldexpl(1, 1024) - fabsl(truth);
        if (signbit(got) != (signbit(truth) != 0)) return INFINITY;
        return beyond <= 0 ? 0 : (double)(beyond / ldexpl(1, 971));
    }
    int exponent;
    (void)frexpl(truth, &exponent);
    if (exponent < -1021) exponent = -1021;
    return (double)(fabsl((long double)got - truth) / ldexpl(1, exponent - 53));
}

static void measure(struct runner *runner, const struct math_function *function, uint64_t *state, unsigned rounds) {
    static double in[2 * POINTS], got[POINTS];
    const struct tandem_range range = {.dimensions = 1, .global = {POINTS}, .local = {LOCAL}};
    const unsigned operands = function->two != NULL ? 2 : 1;
    const uint32_t n = POINTS;
    char kernel[64];
    double worst = -1, worst_in[2] = {0, 0}, worst_got = 0;
    snprintf(kernel, sizeof kernel, "test_%s", function->name);
    const tandem_addr from = runner_buffer(runner, NULL, sizeof in), to = runner_buffer(runner, NULL, sizeof got);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned k = 0; k < POINTS; k++)
            for (unsigned p = 0; p < operands; p++)
                in[operands * k + p] = operand(state, k, p != 0, function->name);
        cr_assert_eq(tandem_write(runner->device, from, in, sizeof in), TANDEM_OK);
        runner_launch(runner, kernel, &range, (const struct tandem_argument[]){{&from, 4}, {&to, 4}, {&n, 4}}, 3);
        runner_read(runner, to, got, sizeof got);
        for (unsigned k = 0; k < POINTS; k++) {
            const double x = in[operands * k], y = operands == 2 ? in[2 * k + 1] : 0;
            const double error = error_of(function, x, y, got[k]);
            if (error <= worst) continue;
            worst = error;
            worst_in[0] = x;
            worst_in[1] = y;
            worst_got = got[k];
        }
    }
    printf("%-12s %8.3f ulp at %a %a: %a\n", function->name, worst, worst_in[0], worst_in[1], worst_got);
    cr_expect(function->limit < 0 || worst <= function->limit + REFERENCE_ERROR,
              "%s: %g ulp at %a, %a: %a; the limit is %g", function->name, worst, worst_in[0], worst_in[1], worst_got,
              function->limit);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

// Those of floats alone, and one whose reference is.
static bool of_doubles(const char *name) {
    return strncmp(name, "half_", 5) != 0 && strcmp(name, "nextafter") != 0;
}

Test(double_math, accuracy,
     .description = "every function of one or two doubles is as accurate as OpenCL's full profile asks (CL-3)") {
    const char *given = getenv("DOUBLES_ROUNDS");
    const unsigned rounds = given != NULL ? (unsigned)strtoul(given, NULL, 0) : 1;
    uint64_t state = seed_from_environment();
    printf("seed %llu (TANDEM_SEED=)\n", (unsigned long long)state);
    state |= 1;
    struct runner runner;
    runner_open(&runner, "model:small", "doubles.cl", NULL);
    for (size_t k = 0; k < math_function_count; k++)
        if (of_doubles(math_functions[k].name)) measure(&runner, &math_functions[k], &state, rounds);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        measure(&runner, &own[k], &state, rounds);
    runner_close(&runner);
}
