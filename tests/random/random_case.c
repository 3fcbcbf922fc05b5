#include "random_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/random_program.h"
#include "driver/tandem.h"
#include "gen/registers.h"
#include "isa/assembler.h"

const char *random_verdict_name(enum random_verdict verdict) {
    static const char *const names[] = {"good", "mismatch", "hangs", "broken", "no device"};
    return verdict <= RANDOM_NO_DEVICE ? names[verdict] : "?";
}

void random_case_device(const struct random_case *c, char *name, size_t name_size) {
    snprintf(name, name_size, "%s,seed=%llu,mem=8", c->device, (unsigned long long)(c->seed % 1000000));
}

struct run {
    const struct random_case *c;
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr data;
};

static bool load(struct run *run, char *error, size_t error_size) {
    struct code_object object;
    void *elf = NULL;
    size_t size = 0;
    if (!assemble(run->c->text, strlen(run->c->text), "random", &object, error, error_size)) return false;
    bool good = code_object_write(&object, &elf, &size, error, error_size);
    code_object_free(&object);
    if (!good) return false;
    if (tandem_module_load(run->device, elf, size, &run->module) != TANDEM_OK) {
        snprintf(error, error_size, "%s", tandem_message(run->device));
        good = false;
    }
    free(elf);
    return good;
}

static enum tandem_status execute(struct run *run, uint32_t *memory) {
    const struct random_case *c = run->c;
    const struct tandem_range range = {.dimensions = 1, .global = {c->grid * c->cta}, .local = {c->cta}};
    const struct tandem_argument argument = {&run->data, sizeof run->data};
    for (uint32_t i = 0; i < RANDOM_PROGRAM_BUFFER / 4; i++)
        memory[i] = i * 0x9E3779B9u + (uint32_t)c->seed;
    enum tandem_status status = tandem_alloc(run->device, RANDOM_PROGRAM_BUFFER, 32, &run->data);
    if (status == TANDEM_OK) status = tandem_write(run->device, run->data, memory, RANDOM_PROGRAM_BUFFER);
    if (status == TANDEM_OK) status = tandem_channel_open(run->device, 16, 0, &run->channel);
    tandem_reg_write(run->device, REG_WARP_POLICY, c->seed & 1u);  // seeds take turns
    if (status == TANDEM_OK) {
        status = tandem_launch(run->channel, run->module, "random", &range, &argument, 1);
        if (status == TANDEM_BAD_ARGUMENT) return TANDEM_BAD_CODE;
    }
    if (status == TANDEM_OK) status = tandem_finish(run->channel, c->deadline);
    if (status == TANDEM_OK || status == TANDEM_CHANNEL_FAULT) {
        const enum tandem_status read = tandem_read(run->device, run->data, memory, RANDOM_PROGRAM_BUFFER);
        if (read != TANDEM_OK) status = read;
    }
    return status;
}

enum random_verdict random_case_run(const struct random_case *c, uint32_t *memory, char *error, size_t error_size) {
    static const size_t bytes = RANDOM_PROGRAM_BUFFER;
    char name[256], message[512] = "";
    struct run run = {.c = c};
    uint32_t *words = memory != NULL ? memory : malloc(bytes);
    if (words == NULL) return RANDOM_BROKEN;
    memset(words, 0, bytes);
    random_case_device(c, name, sizeof name);
    enum random_verdict verdict = RANDOM_BROKEN;
    if (tandem_open(name, &run.device, message, sizeof message) != TANDEM_OK) {
        verdict = RANDOM_NO_DEVICE;
        snprintf(error, error_size, "%s: %s", name, message);
    } else {
        if (load(&run, error, error_size)) {
            const enum tandem_status status = execute(&run, words);
            verdict = status == TANDEM_OK || status == TANDEM_CHANNEL_FAULT ? RANDOM_GOOD
                      : status == TANDEM_MISMATCH                           ? RANDOM_MISMATCH
                      : status == TANDEM_TIMEOUT                            ? RANDOM_HANGS
                                                                            : RANDOM_BROKEN;
            if (verdict != RANDOM_GOOD) {
                snprintf(error, error_size, "%s: %s: %s", name, tandem_status_name(status), tandem_message(run.device));
            }
        }
        tandem_module_unload(run.module);
        // What is still on its way is told while the device closes, so a mismatch may show only now.
        const enum tandem_status closed = tandem_close(run.device);
        if (run.channel != NULL) (void)tandem_channel_close(run.channel);
        if (closed == TANDEM_MISMATCH && verdict == RANDOM_GOOD) {
            verdict = RANDOM_MISMATCH;
            snprintf(error, error_size, "%s: model and RTL differ (seen when the device was closed)", name);
        }
    }
    if (memory == NULL) free(words);
    return verdict;
}
