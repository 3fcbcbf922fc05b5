// Running a program on a device, and comparing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/registers.h"
#include "program.h"

#define RING_ENTRIES 8u

struct run {
    const struct program *program;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr addresses[PROGRAM_ARGUMENTS_MAX];
    char *error;
    size_t error_size;
};

static bool good(struct run *run, enum tandem_status status, const char *what) {
    if (status == TANDEM_OK) return true;
    snprintf(run->error, run->error_size, "%s: %s: %s: %s", run->program->path, what, tandem_status_name(status),
             tandem_message(run->device));
    return false;
}

static bool load(struct run *run) {
    void *elf;
    size_t size;
    char text[256];
    if (!code_object_write(&run->program->object, &elf, &size, text, sizeof text)) {
        snprintf(run->error, run->error_size, "%s: %s", run->program->path, text);
        return false;
    }
    const enum tandem_status status = tandem_module_load(run->device, elf, size, &run->module);
    free(elf);
    return good(run, status, "load");
}

static bool launch(struct run *run) {
    const struct program *program = run->program;
    const struct code_kernel *kernel = &program->object.kernels[0];
    struct tandem_argument arguments[PROGRAM_ARGUMENTS_MAX];
    struct tandem_range range = {.dimensions = 3};
    for (size_t i = 0; i < program->argument_count; i++) {
        const struct program_argument *a = &program->arguments[i];
        if (a->global) {
            const size_t bytes = 4 * a->buffer.count;
            if (!good(run, tandem_alloc(run->device, bytes, 256, &run->addresses[i]), "buffer") ||
                !good(run, tandem_write(run->device, run->addresses[i], a->buffer.words, bytes), "buffer"))
                return false;
            arguments[i] = (struct tandem_argument){&run->addresses[i], sizeof run->addresses[i]};
        } else if (a->local != 0) {
            arguments[i] = (struct tandem_argument){NULL, a->local};
        } else {
            arguments[i] = (struct tandem_argument){&a->value, sizeof a->value};
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        range.local[i] = program->cta[i];
        range.global[i] = program->cta[i] * program->grid[i];
    }
    return good(run, tandem_launch(run->channel, run->module, kernel->name, &range, arguments, program->argument_count),
                "launch");
}

static bool compare_fault(struct run *run, enum tandem_status status) {
    const struct program *program = run->program;
    struct tandem_fault fault = {0};
    if (program->fault[0] == 0) return good(run, status, "run");
    if (status != TANDEM_CHANNEL_FAULT || !tandem_channel_fault(run->channel, &fault)) {
        snprintf(run->error, run->error_size, "%s: fault %s must come; the run says %s: %s", program->path,
                 program->fault, tandem_status_name(status),
                 status == TANDEM_OK ? "no fault" : tandem_message(run->device));
        return false;
    }
    if (strcmp(fault_name(fault.code), program->fault) != 0 || (program->has_info && fault.info != program->info) ||
        (program->has_pc && fault.pc != program->pc)) {
        snprintf(run->error, run->error_size, "%s: fault %s info 0x%x pc 0x%x, expected %s info 0x%x pc 0x%x",
                 program->path, fault_name(fault.code), fault.info, fault.pc, program->fault, program->info,
                 program->pc);
        return false;
    }
    return true;
}

static bool compare_buffer(struct run *run, const struct program_expect *expect) {
    const struct program *program = run->program;
    size_t a = 0;
    while (strcmp(program->arguments[a].name, expect->name) != 0)
        a++;
    const size_t count = expect->words.count;
    uint32_t *got = calloc(count, 4);
    bool same = got != NULL && good(run, tandem_read(run->device, run->addresses[a], got, 4 * count), "read");
    for (size_t i = 0; same && i < count; i++) {
        if (got[i] == expect->words.words[i]) continue;
        snprintf(run->error, run->error_size, "%s:%u: %s[%zu] is %u (0x%x), expected %u (0x%x)", program->path,
                 expect->line, expect->name, i, got[i], got[i], expect->words.words[i], expect->words.words[i]);
        same = false;
    }
    free(got);
    return same;
}

static bool run_all(struct run *run) {
    const struct program *program = run->program;
    struct tandem_info info;
    tandem_get_info(run->device, &info);
    if (!good(run, tandem_channel_open(run->device, RING_ENTRIES, 0, &run->channel), "channel") || !load(run) ||
        !launch(run))
        return false;
    enum tandem_status status = tandem_finish(run->channel, program->deadline);
    if (program->hangs) {
        if (status == TANDEM_TIMEOUT) return true;
        snprintf(run->error, run->error_size, "%s: must not end, but the run says %s", program->path,
                 tandem_status_name(status));
        return false;
    }
    if (!compare_fault(run, status)) return false;
    if (program->fault[0] != 0 && !good(run, tandem_channel_reset(run->channel), "reset after the fault")) return false;
    for (size_t e = 0; e < program->expect_count; e++) {
        const struct program_expect *expect = &program->expects[e];
        if (expect->threads != 0 && expect->threads != info.threads) continue;
        if (expect->lanes != 0 && expect->lanes != info.lanes) continue;
        if (!compare_buffer(run, expect)) return false;
    }
    return true;
}

bool program_run(const struct program *program, struct tandem_device *device, struct tandem_channel **hanging,
                 char *error, size_t error_size) {
    struct run run = {.program = program, .device = device, .error = error, .error_size = error_size};
    const bool passed = run_all(&run);
    *hanging = NULL;
    if (run.module != NULL) tandem_module_unload(run.module);
    if (program->hangs) {  // its task still runs: its buffers end with the device
        *hanging = run.channel;
        return passed;
    }
    for (size_t i = 0; i < program->argument_count; i++) {
        if (run.addresses[i] != 0) (void)tandem_free(device, run.addresses[i]);
    }
    if (run.channel != NULL) (void)tandem_channel_close(run.channel);
    return passed;
}

bool program_run_file(const char *path, const char *device_name, char *error, size_t error_size) {
    struct program program;
    struct tandem_device *device;
    char text[512];
    if (!program_read(path, &program, error, error_size)) return false;
    const enum tandem_status status = tandem_open(device_name, &device, text, sizeof text);
    if (status != TANDEM_OK) {
        snprintf(error, error_size, "%s: %s", device_name, text);
        program_free(&program);
        return false;
    }
    struct tandem_channel *hanging;
    bool passed = program_run(&program, device, &hanging, error, error_size);
    const enum tandem_status closed = tandem_close(device);
    if (hanging != NULL) (void)tandem_channel_close(hanging);
    if (passed && closed != TANDEM_OK) {
        snprintf(error, error_size, "%s: closing %s: %s", path, device_name, tandem_status_name(closed));
        passed = false;
    }
    program_free(&program);
    return passed;
}
