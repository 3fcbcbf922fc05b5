// A device with a program, and launches on it that are measured.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/methods.h"
#include "gen/registers.h"
#include "isa/assembler.h"
#include "sm_bench.h"

enum { DEADLINE = 20000000, STAMP_BYTES = 16 };

static bool good(const struct bench_device *b, const char *what, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "sm-bench: %s: %s: %s: %s\n", b->config->name, what, tandem_status_name(status),
            tandem_message(b->device));
    return false;
}

bool bench_open(struct bench_device *b, const char *backend, const struct ppu_config *config, const char *keys) {
    char name[256], message[512];
    *b = (struct bench_device){.config = config};
    snprintf(name, sizeof name, "%s:%s%s", backend, config->name, keys);
    if (tandem_open(name, &b->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "sm-bench: %s: %s\n", name, message);
        return false;
    }
    return good(b, "channel", tandem_channel_open(b->device, 64, 0, &b->channel)) &&
           good(b, "memory", tandem_alloc(b->device, 2 * STAMP_BYTES, 32, &b->stamps));
}

bool bench_close(struct bench_device *b) {
    if (b->device == NULL) return false;
    if (b->channel != NULL) tandem_channel_close(b->channel);
    tandem_module_unload(b->module);
    const enum tandem_status status = tandem_close(b->device);
    if (status != TANDEM_OK) fprintf(stderr, "sm-bench: %s: close: %s\n", b->config->name, tandem_status_name(status));
    return status == TANDEM_OK;
}

bool bench_load(struct bench_device *b, const char *name, const void *elf, size_t size) {
    tandem_module_unload(b->module);
    b->module = NULL;
    return good(b, name, tandem_module_load(b->device, elf, size, &b->module));
}

bool bench_compile(struct bench_device *b, const char *path, const struct compiler_options *options) {
    struct compiler_result result;
    bool done = compiler_compile_file(path, options, &result);
    if (done) {
        done = bench_load(b, path, result.elf, result.elf_size);
    } else {
        fprintf(stderr, "sm-bench: %s; run it in the project's folder\n",
                result.messages != NULL ? result.messages : "the host has no memory");
    }
    compiler_result_free(&result);
    return done;
}

bool bench_assemble(struct bench_device *b, const char *name, const char *text) {
    struct code_object object;
    char error[512];
    void *elf = NULL;
    size_t size = 0;
    if (!assemble(text, strlen(text), name, &object, error, sizeof error)) {
        fprintf(stderr, "sm-bench: %s\n", error);
        return false;
    }
    bool done = code_object_write(&object, &elf, &size, error, sizeof error);
    if (!done) fprintf(stderr, "sm-bench: %s\n", error);
    done = done && bench_load(b, name, elf, size);
    free(elf);
    code_object_free(&object);
    return done;
}

bool bench_assemble_file(struct bench_device *b, const char *path) {
    char text[16384];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "sm-bench: cannot open %s; run it in the project's folder\n", path);
        return false;
    }
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    return bench_assemble(b, path, text);
}

bool bench_buffer(struct bench_device *b, size_t words, const uint32_t *from, tandem_addr *address) {
    if (!good(b, "memory", tandem_alloc(b->device, 4 * words, 256, address))) return false;
    uint32_t *zeros = from == NULL ? calloc(words, 4) : NULL;
    const bool done = (from != NULL || zeros != NULL) &&
                      good(b, "memory", tandem_write(b->device, *address, from != NULL ? from : zeros, 4 * words));
    free(zeros);
    return done;
}

// A semaphore release of 16 bytes: it waits until the channel is idle and leaves the time.
static bool stamp(struct bench_device *b, unsigned number) {
    const uint32_t words[4] = {0, b->stamps + number * STAMP_BYTES, number,
                               HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_RELEASE)};
    for (uint32_t k = 0; k < 4; k++)
        if (!good(b, "semaphore", tandem_method(b->channel, 0, HOST_SEMAPHOREA + 4 * k, words[k]))) return false;
    return true;
}

static void add_counters(struct bench_device *b, int64_t sign, struct bench_figures *figures) {
    const struct {
        uint32_t offset;
        uint64_t *to;
    } counters[] = {{REG_L1_HITS, &figures->hits},
                    {REG_L1_MISSES, &figures->misses},
                    {REG_SHARED_PASSES, &figures->passes},
                    {REG_SHARED_CONFLICTS, &figures->conflicts}};
    for (uint32_t sm = 0; sm < b->config->sms; sm++) {
        tandem_reg_write(b->device, REG_WARP_SELECT, sm << 8);
        for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
            *counters[k].to += (uint64_t)(sign * (int64_t)tandem_reg_read(b->device, counters[k].offset));
    }
}

bool bench_launch(struct bench_device *b, const char *kernel, const struct tandem_range *range,
                  const struct tandem_argument *arguments, size_t count, struct bench_figures *figures) {
    struct tandem_statistics before, after;
    *figures = (struct bench_figures){0};
    add_counters(b, -1, figures);
    tandem_reg_write(b->device, REG_WARPS_RESIDENT, 0);
    tandem_get_statistics(b->device, &before);
    if (!stamp(b, 0) || !good(b, kernel, tandem_launch(b->channel, b->module, kernel, range, arguments, count)) ||
        !stamp(b, 1) || !good(b, kernel, tandem_finish(b->channel, DEADLINE)))
        return false;
    tandem_get_statistics(b->device, &after);
    add_counters(b, 1, figures);
    uint64_t times[2];
    for (uint32_t k = 0; k < 2; k++)
        if (!good(b, "time", tandem_read(b->device, b->stamps + k * STAMP_BYTES + 8, &times[k], sizeof times[k])))
            return false;
    figures->cycles = (times[1] - times[0]) / b->config->ns_per_cycle;
    figures->instructions = after.warp_instructions - before.warp_instructions;
    figures->threads = after.thread_instructions - before.thread_instructions;
    figures->resident = tandem_reg_read(b->device, REG_WARPS_RESIDENT) >> 16;
    return true;
}

bool bench_compare(struct bench_device *b, const char *what, tandem_addr address, const uint32_t *expected,
                   size_t words) {
    uint32_t *got = calloc(words, sizeof *got);
    bool same = got != NULL && good(b, what, tandem_read(b->device, address, got, 4 * words));
    for (size_t k = 0; k < words && same; k++) {
        if (got[k] == expected[k]) continue;
        fprintf(stderr, "sm-bench: %s: %s: wrong result: word %zu is 0x%x, must be 0x%x\n", b->config->name, what, k,
                got[k], expected[k]);
        same = false;
    }
    free(got);
    return same;
}

uint32_t bench_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
