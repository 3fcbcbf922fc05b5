// The ride itself, shared by the demo and the speed measurements.
#include "ride.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/compiler.h"

void equalize_plainly(const uint8_t *in, uint8_t *out, size_t size) {
    uint32_t cdf[256] = {0};
    for (size_t i = 0; i < size; i++)
        cdf[in[i]]++;
    for (unsigned v = 1; v < 256; v++)
        cdf[v] += cdf[v - 1];
    unsigned first = 0;
    while (cdf[first] == 0)
        first++;
    uint32_t lowest = cdf[first], range = (uint32_t)size - lowest;
    for (size_t i = 0; i < size; i++) {
        uint32_t sum = cdf[in[i]] - lowest;
        out[i] = range == 0 ? in[i] : (uint8_t)((255u * sum + range / 2) / range);
    }
}

static bool good(struct ride *ride, const char *what, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "equalize: %s: %s: %s\n", what, tandem_status_name(status), tandem_message(ride->device));
    return false;
}

static bool load_kernels(struct ride *ride, const char *folder, const char *file, struct tandem_module **module) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    struct compiler_result result;
    bool done = compiler_compile_file(path, NULL, &result);
    if (!done) fprintf(stderr, "%s\n", result.messages != NULL ? result.messages : "equalize: the host has no memory");
    if (done) done = good(ride, path, tandem_module_load(ride->device, result.elf, result.elf_size, module));
    compiler_result_free(&result);
    return done;
}

static bool launch(struct ride *ride, struct tandem_module *module, const char *kernel, uint32_t items, uint32_t group,
                   const struct tandem_argument *arguments, size_t count) {
    struct tandem_range range = {.dimensions = 1, .global = {items}, .local = {group}};
    return good(ride, kernel, tandem_launch(ride->channel, module, kernel, &range, arguments, count)) &&
           good(ride, kernel, tandem_wfi(ride->channel)) && good(ride, kernel, tandem_submit(ride->channel));
}

static bool give_back(struct ride *ride, const tandem_addr *at, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (!good(ride, "device memory", tandem_free(ride->device, at[i]))) return false;
    return true;
}

bool ride_equalize(struct ride *ride, const uint8_t *in, uint8_t *out, size_t size) {
    struct tandem_info info;
    tandem_get_info(ride->device, &info);
    // As many work-groups as fill the device, of half its warps each, so that two are resident.
    uint32_t group = info.threads * (info.warps / 2), groups = 2 * info.sms, n = (uint32_t)size;
    const uint32_t bytes[5] = {n, 1024, 1024, n, 256 * groups};
    enum { IN, BINS, CDF, OUT, LOCAL };
    tandem_addr at[5], done = 0;
    for (int i = 0; i < 5; i++) {
        if (!good(ride, "device memory", tandem_alloc(ride->device, bytes[i], 32, &at[i]))) return false;
    }
    static const uint32_t zeros[256];
    if (!good(ride, "device memory", tandem_alloc(ride->device, 4, 16, &done)) ||
        !good(ride, "photograph", tandem_write(ride->device, at[IN], in, n)) ||
        !good(ride, "histogram", tandem_write(ride->device, at[BINS], zeros, sizeof zeros)) ||
        !good(ride, "semaphore", tandem_write(ride->device, done, zeros, 4))) {
        return false;
    }
    const struct tandem_argument histogram[] = {{&at[IN], 4}, {&n, 4}, {&at[BINS], 4}};
    const struct tandem_argument cumulate[] = {{&at[BINS], 4}, {&at[CDF], 4}};
    const struct tandem_argument table[] = {{&at[IN], 4}, {&at[CDF], 4}, {&at[OUT], 4}, {&at[LOCAL], 4}, {&n, 4}};
    return launch(ride, ride->histogram, "histogram", group * groups, group, histogram, 3) &&
           launch(ride, ride->histogram, "cumulate", 256, info.threads, cumulate, 2) &&
           launch(ride, ride->compute_output, "compute_output", group * groups, group, table, 5) &&
           good(ride, "release", tandem_semaphore_release(ride->channel, done, 1, true)) &&
           good(ride, "submit", tandem_submit(ride->channel)) &&
           good(ride, "wait", tandem_wait(ride->channel, done, 1, ride->deadline)) &&
           good(ride, "result", tandem_read(ride->device, at[OUT], out, n)) && give_back(ride, at, 5) &&
           give_back(ride, &done, 1);
}

bool ride_begin(struct ride *ride, const char *device, const char *kernels) {
    char message[1024];
    if (tandem_open(device, &ride->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "equalize: %s\n", message);
        return false;
    }
    return load_kernels(ride, kernels, "histogram.cl", &ride->histogram) &&
           load_kernels(ride, kernels, "compute_output.cl", &ride->compute_output) &&
           good(ride, "channel", tandem_channel_open(ride->device, 16, 0, &ride->channel));
}

bool ride_end(struct ride *ride, struct tandem_statistics *statistics) {
    *statistics = (struct tandem_statistics){0};
    if (ride->device == NULL) return false;
    tandem_channel_close(ride->channel);
    tandem_module_unload(ride->histogram);
    tandem_module_unload(ride->compute_output);
    tandem_get_statistics(ride->device, statistics);
    enum tandem_status status = tandem_close(ride->device);
    if (status != TANDEM_OK) fprintf(stderr, "equalize: close: %s\n", tandem_status_name(status));
    return status == TANDEM_OK;
}
