// What YIELD costs programs without locks (TD-17): warp instructions on the model, compiled with and without YIELD, of
// kernels whose loops go by data and therefore get one.
#include "yields.h"

#include <stdint.h>
#include <stdio.h>

#include "compiler/compiler.h"
#include "driver/tandem.h"

enum { ITEMS = 1024, WORDS_OUT = 32 * ITEMS };

static const struct measured {
    const char *file, *kernel, *what;
} kernels[] = {
    {"arithmetic.cl", "many_values", "bounded loops only"},
    {"flow.cl", "collatz", "while over data"},
    {"flow.cl", "binary_search", "while over data"},
    {"flow.cl", "uniform_and_not", "uniform and divergent loops"},
    {"flow.cl", "goto_back", "goto back"},
};

static bool launch(struct tandem_device *device, const struct measured *m, const struct compiler_result *result) {
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    static uint32_t in[2 * ITEMS];
    uint32_t random = 1, n = ITEMS;
    for (uint32_t k = 0; k < 2 * ITEMS; k++) {
        random = random * 1664525 + 1013904223;
        in[k] = random >> 16;
    }
    tandem_addr from = 0, to = 0;
    const struct tandem_range range = {.dimensions = 1, .global = {ITEMS}, .local = {64}};
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    bool good = tandem_alloc(device, sizeof in, 64, &from) == TANDEM_OK &&
                tandem_alloc(device, 4 * WORDS_OUT, 64, &to) == TANDEM_OK &&
                tandem_write(device, from, in, sizeof in) == TANDEM_OK &&
                tandem_module_load(device, result->elf, result->elf_size, &module) == TANDEM_OK &&
                tandem_channel_open(device, 8, 0, &channel) == TANDEM_OK &&
                tandem_launch(channel, module, m->kernel, &range, arguments, 3) == TANDEM_OK &&
                tandem_finish(channel, 0) == TANDEM_OK;
    if (!good) fprintf(stderr, "speed: %s: %s\n", m->kernel, tandem_message(device));
    if (channel != NULL) tandem_channel_close(channel);
    tandem_module_unload(module);
    return good;
}

static bool measure(const struct measured *m, bool no_yields, struct tandem_statistics *s) {
    const struct compiler_options options = {.no_yields = no_yields};
    struct compiler_result result;
    struct tandem_device *device = NULL;
    char path[128], message[512] = "";
    snprintf(path, sizeof path, "tests/kernels/%s", m->file);
    bool good = compiler_compile_file(path, &options, &result);
    if (!good) fprintf(stderr, "speed: %s\n", result.messages);
    good = good && tandem_open("model:small", &device, message, sizeof message) == TANDEM_OK;
    good = good && launch(device, m, &result);
    if (good) tandem_get_statistics(device, s);
    if (device != NULL) good = tandem_close(device) == TANDEM_OK && good;
    compiler_result_free(&result);
    return good;
}

bool measure_yields(void) {
    printf("YIELD in programs that wait for nobody, model:small, %d work-items, warp instructions without and with:\n",
           ITEMS);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct tandem_statistics without, with;
        if (!measure(&kernels[k], true, &without) || !measure(&kernels[k], false, &with)) return false;
        printf("  %-16s %8llu %8llu  x %.2f  (%s)\n", kernels[k].kernel, (unsigned long long)without.warp_instructions,
               (unsigned long long)with.warp_instructions,
               (double)with.warp_instructions / (double)without.warp_instructions, kernels[k].what);
    }
    return true;
}
