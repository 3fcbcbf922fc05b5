// accuracy [--share N] [--function NAME] [--seed N]: one of every N floats (default 4096; 1: all 2^32 of them) through
// every function of one float, as many pairs through those of two, on the C model; prints the largest error of each in
// units in the last place. Exit status 1 when one is above its limit.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "compiler/compiler.h"
#include "driver/tandem.h"
#include "unit/math_accuracy.h"

enum { BATCH = 1 << 18, LOCAL = 64 };
#define DEADLINE UINT64_C(4000000000)

struct accuracy {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr in, out;
    uint64_t share, seed;
    uint32_t words[2 * BATCH];
    float got[BATCH];
};

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "accuracy: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void must(const struct accuracy *a, enum tandem_status status, const char *what) {
    if (status != TANDEM_OK) fail(what, tandem_message(a->device));
}

static void open_all(struct accuracy *a) {
    struct compiler_result result;
    char message[512] = "";
    if (!compiler_compile_file("tests/kernels/math.cl", NULL, &result)) fail("tests/kernels/math.cl", result.messages);
    if (tandem_open("model:full,mem=64", &a->device, message, sizeof message) != TANDEM_OK) fail("model", message);
    must(a, tandem_channel_open(a->device, 16, 0, &a->channel), "channel");
    must(a, tandem_module_load(a->device, result.elf, result.elf_size, &a->module), "module");
    must(a, tandem_alloc(a->device, sizeof a->words, 64, &a->in), "memory");
    must(a, tandem_alloc(a->device, sizeof a->got, 64, &a->out), "memory");
    compiler_result_free(&result);
}

static void run(struct accuracy *a, const struct math_function *function, uint32_t n) {
    char kernel[64];
    snprintf(kernel, sizeof kernel, "test_%s", function->name);
    const struct tandem_range range = {.dimensions = 1, .global = {BATCH}, .local = {LOCAL}};
    const struct tandem_argument arguments[] = {{&a->in, 4}, {&a->out, 4}, {&n, 4}};
    must(a, tandem_write(a->device, a->in, a->words, sizeof a->words), "write");
    must(a, tandem_launch(a->channel, a->module, kernel, &range, arguments, 3), kernel);
    must(a, tandem_finish(a->channel, DEADLINE), kernel);
    must(a, tandem_read(a->device, a->out, a->got, sizeof a->got), "read");
}

// The k-th float to try: any one of each piece of `share` neighbours.
static uint32_t pick(const struct accuracy *a, uint64_t k) {
    return (uint32_t)(k * a->share + math_operand(a->seed, k + (UINT64_C(1) << 40), 0) % a->share);
}

static bool measure(struct accuracy *a, const struct math_function *function) {
    unsigned operands = function->two != NULL ? 2 : 1;
    uint64_t count = (UINT64_C(1) << 32) / a->share;
    double worst = -1;
    float at[2] = {0, 0}, result = 0;
    for (uint64_t done = 0; done < count; done += BATCH) {
        uint32_t n = count - done < BATCH ? (uint32_t)(count - done) : BATCH;
        for (uint32_t k = 0; k < n; k++)
            for (unsigned p = 0; p < operands; p++)
                a->words[operands * k + p] = operands == 1 ? pick(a, done + k) : math_operand(a->seed, done + k, p);
        run(a, function, n);
        for (uint32_t k = 0; k < n; k++) {
            float x, y = 0;
            memcpy(&x, &a->words[operands * k], sizeof x);
            if (operands == 2) memcpy(&y, &a->words[2 * k + 1], sizeof y);
            double error = math_error(function, x, y, a->got[k]);
            if (error <= worst) continue;
            worst = error;
            at[0] = x;
            at[1] = y;
            result = a->got[k];
        }
    }
    bool good = function->limit < 0 || worst <= function->limit;
    printf("%-12s %10.3f ulp, limit %6g, at %a", function->name, worst, function->limit, (double)at[0]);
    if (operands == 2) printf(", %a", (double)at[1]);
    printf(": %a%s\n", (double)result, good ? "" : "  FAIL");
    fflush(stdout);
    return good;
}

int main(int count, char **arguments) {
    const char *only = NULL;
    struct accuracy *a = calloc(1, sizeof *a);
    if (a == NULL) fail("memory", "none left");
    a->share = 4096;
    a->seed = 1;
    const struct option_row rows[] = {{"--function", NULL, 0, 0, &only},
                                      {"--share", &a->share, 1, UINT64_C(1) << 32, NULL},
                                      {"--seed", &a->seed, 0, UINT64_MAX, NULL}};
    if (!options_parse("accuracy", rows, sizeof rows / sizeof rows[0], count, arguments, NULL, NULL)) {
        free(a);
        return 2;
    }
    open_all(a);
    bool good = true, found = false;
    printf("one of every %llu floats, seed %llu\n", (unsigned long long)a->share, (unsigned long long)a->seed);
    for (size_t k = 0; k < math_function_count; k++) {
        if (only != NULL && strcmp(only, math_functions[k].name) != 0) continue;
        found = true;
        good &= measure(a, &math_functions[k]);
    }
    if (!found) fail(only != NULL ? only : "", "no function of this name is measured");
    tandem_channel_close(a->channel);
    tandem_module_unload(a->module);
    tandem_close(a->device);
    free(a);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
