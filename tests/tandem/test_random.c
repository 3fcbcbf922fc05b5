// Random kernels in lockstep, in every configuration. The first seed is what TANDEM_SEED says, or a fresh one; a
// failure names the seed, and TANDEM_SEED=<seed> TANDEM_KERNELS=1 runs that kernel alone.
#define _POSIX_C_SOURCE 200809L

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/seed.h"
#include "driver/tandem.h"
#include "random_kernel.h"

#define KERNELS 60u
#define OUT_BYTES 4096u
#define DEADLINE 4000000u

static uint64_t from_environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 0) : otherwise;
}

// Kernels of two channels at a time, each with memory of its own.
struct side {
    struct tandem_channel *channel;
    tandem_addr in, out;
};
#define SIDES 2

static enum tandem_status start(struct tandem_device *device, struct tandem_module *module, struct side *side,
                                uint64_t seed) {
    uint32_t value = (uint32_t)seed, words[RANDOM_WINDOW / 4];
    for (uint32_t i = 0; i < RANDOM_WINDOW / 4; i++)
        words[i] = (i * 0x9E3779B1u) ^ value;
    // One to four CTAs, not all of their warps full.
    struct tandem_range range = {.dimensions = 1, .local = {8u << (seed % 4), 1, 1}};
    range.global[0] = range.local[0] * (1 + (uint32_t)(seed >> 2) % 4);
    enum tandem_status status = tandem_channel_open(device, 4, (uint32_t)seed % 4, &side->channel);
    if (status == TANDEM_OK) status = tandem_alloc(device, RANDOM_WINDOW, 256, &side->in);
    if (status == TANDEM_OK) status = tandem_alloc(device, OUT_BYTES, 256, &side->out);
    if (status == TANDEM_OK) status = tandem_write(device, side->in, words, sizeof words);
    if (status != TANDEM_OK) return status;
    struct tandem_argument arguments[] = {{&side->in, 4}, {&side->out, 4}, {&value, 4}};
    status = tandem_launch(side->channel, module, "random", &range, arguments, 3);
    return status == TANDEM_OK ? tandem_submit(side->channel) : status;
}

// A random kernel may well fault (a deque that is full): then both sides of the tandem must fault alike.
static enum tandem_status wait_for(struct tandem_device *device, struct side *side) {
    uint8_t out[OUT_BYTES];
    enum tandem_status status = tandem_finish(side->channel, DEADLINE);
    if (status == TANDEM_CHANNEL_FAULT) status = tandem_channel_reset(side->channel);
    if (status == TANDEM_OK) status = tandem_read(device, side->out, out, sizeof out);
    return status;
}

static enum tandem_status run_kernel(struct tandem_device *device, uint64_t seed, char *why, size_t why_size) {
    void *elf = NULL;
    size_t size = 0;
    if (!random_kernel_make(seed, &elf, &size, why, why_size)) return TANDEM_BAD_CODE;
    struct tandem_module *module = NULL;
    struct side sides[SIDES] = {{0}};
    enum tandem_status status = tandem_module_load(device, elf, size, &module);
    free(elf);
    for (size_t i = 0; i < SIDES && status == TANDEM_OK; i++)
        status = start(device, module, &sides[i], seed + 5 * i);
    for (size_t i = 0; i < SIDES && status == TANDEM_OK; i++)
        status = wait_for(device, &sides[i]);
    if (status != TANDEM_OK) snprintf(why, why_size, "%s", tandem_message(device));
    for (size_t i = 0; i < SIDES; i++) {
        if (sides[i].channel != NULL) tandem_channel_close(sides[i].channel);
    }
    if (module != NULL) tandem_module_unload(module);
    return status;
}

static void run_all(const char *configuration) {
    const uint64_t first = seed_from_environment();
    uint64_t kernels = from_environment("TANDEM_KERNELS", KERNELS);
    for (uint64_t seed = first; seed < first + kernels; seed++) {
        char name[96], why[1024] = "";
        struct tandem_device *device = NULL;
        snprintf(name, sizeof name, "tandem:%s,mem=4,seed=%" PRIu64 ",latency=%u", configuration, seed,
                 1 + (unsigned)(seed % 50));
        enum tandem_status status = tandem_open(name, &device, why, sizeof why);
        if (status == TANDEM_OK) {
            status = run_kernel(device, seed, why, sizeof why);
            enum tandem_status closed = tandem_close(device);
            if (status == TANDEM_OK) status = closed;
        }
        cr_expect_eq(status, TANDEM_OK, "TANDEM_SEED=%" PRIu64 " TANDEM_KERNELS=1: %s: %s: %s", seed, name,
                     tandem_status_name(status), why);
        if (status != TANDEM_OK) return;
    }
}

Test(random_kernels, nano, .description = "TD-2 TD-4 TD-7 TD-8 TD-9 TD-10 TD-11 TD-12 TD-18 [tandem]") {
    run_all("nano");
}
Test(random_kernels, small, .description = "TD-2 TD-4 TD-7 TD-8 TD-9 TD-10 TD-11 TD-12 TD-18 [tandem]") {
    run_all("small");
}
Test(random_kernels, full, .description = "TD-3 TD-4 TD-7 TD-8 TD-9 TD-10 TD-11 TD-12 TD-18 [tandem]") {
    run_all("full");
}
