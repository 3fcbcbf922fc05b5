// Accuracy of the math functions on the model, sampled; `make accuracy` tries more of them.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_runner.h"
#include "math_accuracy.h"

enum { POINTS = 20000, LOCAL = 64, GLOBAL = (POINTS + LOCAL - 1) / LOCAL * LOCAL };

static void measure(struct runner *runner, const struct math_function *function, uint64_t seed) {
    static uint32_t in[2 * POINTS];
    static float got[POINTS];
    const struct tandem_range range = {.dimensions = 1, .global = {GLOBAL}, .local = {LOCAL}};
    unsigned operands = function->two != NULL ? 2 : 1;
    for (uint32_t k = 0; k < POINTS; k++)
        for (unsigned p = 0; p < operands; p++)
            in[operands * k + p] = math_operand(seed, k, p);
    char kernel[64];
    snprintf(kernel, sizeof kernel, "test_%s", function->name);
    tandem_addr from = runner_buffer(runner, in, sizeof in), to = runner_buffer(runner, NULL, sizeof got);
    uint32_t n = POINTS;
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    runner_launch(runner, kernel, &range, arguments, 3);
    runner_read(runner, to, got, sizeof got);
    double worst = -1;
    uint32_t at = 0;
    float worst_x = 0, worst_y = 0;
    for (uint32_t k = 0; k < POINTS; k++) {
        float x, y = 0;
        memcpy(&x, &in[operands * k], sizeof x);
        if (operands == 2) memcpy(&y, &in[2 * k + 1], sizeof y);
        double error = math_error(function, x, y, got[k]);
        if (error <= worst) continue;
        worst = error;
        worst_x = x;
        worst_y = y;
        at = k;
    }
    printf("%-12s %8.3f ulp at %a %a: %a\n", function->name, worst, (double)worst_x, (double)worst_y, (double)got[at]);
    cr_expect(function->limit < 0 || worst <= function->limit, "%s: %g ulp at %a, %a: %a; the limit is %g",
              function->name, worst, (double)worst_x, (double)worst_y, (double)got[at], function->limit);
    tandem_free(runner->device, from);
    tandem_free(runner->device, to);
}

Test(math, accuracy,
     .description = "every function of one or two floats is as accurate as OpenCL's full profile asks (CL-2)") {
    const char *given = getenv("SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 1;
    struct runner runner;
    printf("seed %llu (SEED=)\n", (unsigned long long)seed);
    runner_open(&runner, "model:small", "math.cl", NULL);
    for (size_t k = 0; k < math_function_count; k++)
        measure(&runner, &math_functions[k], seed);
    runner_close(&runner);
}
