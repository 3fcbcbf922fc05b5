#include "kernel_runner.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_numbers.h"
#include "rtl_device.h"

enum { DEADLINE = 20000000 };

static void must(struct runner *runner, enum tandem_status status, const char *what) {
    cr_assert_eq(status, TANDEM_OK, "%s: %s: %s", what, tandem_status_name(status),
                 runner->device != NULL ? tandem_message(runner->device) : "");
}

bool runner_has(const char *device) {
    char config[32];
    if (strncmp(device, "model:", 6) == 0) return true;
    return sscanf(device, "%*[a-z]:%31[a-z_]", config) == 1 && rtl_ops_find(config) != NULL;
}

static void open_device(struct runner *runner, const char *device) {
    char message[512] = "";
    memset(runner, 0, sizeof *runner);
    cr_assert_eq(tandem_open(device, &runner->device, message, sizeof message), TANDEM_OK, "%s: %s", device, message);
    must(runner, tandem_channel_open(runner->device, 16, 0, &runner->channel), "channel");
}

static void load(struct runner *runner, struct compiler_result *result, bool compiled, const char *name) {
    cr_assert(compiled, "%s does not compile:\n%s", name, result->messages);
    must(runner, tandem_module_load(runner->device, result->elf, result->elf_size, &runner->module), name);
    compiler_result_free(result);
}

void runner_open(struct runner *runner, const char *device, const char *file, const struct compiler_options *options) {
    char path[256];
    struct compiler_result result;
    snprintf(path, sizeof path, "tests/kernels/%s", file);
    open_device(runner, device);
    bool compiled = compiler_compile_file(path, options, &result);
    load(runner, &result, compiled, path);
}

void runner_open_text(struct runner *runner, const char *device, const char *source,
                      const struct compiler_options *options) {
    struct compiler_result result;
    open_device(runner, device);
    bool compiled = compiler_compile(source, strlen(source), "test.cl", options, &result);
    load(runner, &result, compiled, "test.cl");
}

void runner_close(struct runner *runner) {
    tandem_channel_close(runner->channel);
    tandem_module_unload(runner->module);
    cr_assert_eq(tandem_close(runner->device), TANDEM_OK);
}

tandem_addr runner_buffer(struct runner *runner, const void *contents, size_t size) {
    tandem_addr address = 0;
    must(runner, tandem_alloc(runner->device, size, 64, &address), "buffer");
    void *zeros = contents == NULL ? calloc(1, size) : NULL;
    must(runner, tandem_write(runner->device, address, contents != NULL ? contents : zeros, size), "buffer");
    free(zeros);
    return address;
}

void runner_read(struct runner *runner, tandem_addr from, void *to, size_t size) {
    must(runner, tandem_read(runner->device, from, to, size), "read");
}

void runner_launch(struct runner *runner, const char *kernel, const struct tandem_range *range,
                   const struct tandem_argument *arguments, size_t count) {
    must(runner, tandem_launch(runner->channel, runner->module, kernel, range, arguments, count), kernel);
    must(runner, tandem_finish(runner->channel, DEADLINE), kernel);
}

bool runner_try(struct runner *runner, const char *kernel, const struct tandem_range *range,
                const struct tandem_argument *arguments, size_t count, uint64_t deadline) {
    must(runner, tandem_launch(runner->channel, runner->module, kernel, range, arguments, count), kernel);
    return tandem_finish(runner->channel, deadline) == TANDEM_OK;
}

uint32_t mixed_number(uint64_t *state) {
    static const uint32_t ends[] = {0, 1, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x80u, 0x7Fu, 0x8000u};
    const uint64_t bits = random_bits(state);
    const uint32_t number = (uint32_t)(bits >> 32);
    switch (bits & 7u) {
        case 0: return number & 15u;
        case 1: return number & 0xFFFFu;
        case 2: return ends[number & 7u];
        case 3: return 0u - (number & 0xFFu);
        default: return number;
    }
}

void runner_keep_text(void *text, const char *bytes, size_t size) {
    struct kept_text *to = text;
    if (size > sizeof to->bytes - 1 - to->size) size = sizeof to->bytes - 1 - to->size;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}
