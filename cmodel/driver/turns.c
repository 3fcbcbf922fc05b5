// Work-groups larger than what is resident: see turns.h.
#include "driver/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/again.h"
#include "driver/kernel_task.h"
#include "driver/loaded.h"
#include "driver/lock.h"

enum { REGISTERS_MOST = 255 };

void turns_free(struct tandem_module *module) {
    while (module->turned != NULL) {
        struct turned *turned = module->turned;
        module->turned = turned->next;
        if (turned->module != NULL) loaded_free(turned->module);
        free(turned->why);
        free(turned);
    }
}

// Whole warps, as few as do the group in as few turns as there must be. One turn: only the registers were too many.
static void choose_threads(const struct tandem_device *device, const struct code_kernel *kernel,
                           struct alias_turns *turns) {
    const struct ppu_config *config = device->options.config;
    const uint32_t items = turns->local[0] * turns->local[1] * turns->local[2];
    const uint32_t limit = kernel_threads_limit(device, kernel), most = limit > 0 ? limit : config->threads;
    const uint32_t count = (items + most - 1) / most;
    const uint32_t warps = ((items + count - 1) / count + config->threads - 1) / config->threads;
    turns->resident = count > 1 ? warps * config->threads : items;  // so that each thread has an item
    turns->registers = config->vgpr_rows / (warps * (config->threads / config->lanes));
    if (turns->registers > REGISTERS_MOST) turns->registers = REGISTERS_MOST;
}

// What a launch hands over must be the same; where local memory begins may differ.
static bool same_arguments(const struct code_kernel *a, const struct code_kernel *b) {
    bool same = a->argument_count == b->argument_count;
    for (size_t k = 0; same && k < a->argument_count; k++) {
        const struct code_argument *x = &a->arguments[k], *y = &b->arguments[k];
        same = x->kind == y->kind && x->offset == y->offset && x->size == y->size;
    }
    return same;
}

static void keep_why(struct turned *turned, const char *why) {
    const size_t length = strcspn(why, "\n");
    turned->why = malloc(length + 1);
    if (turned->why == NULL) return;
    memcpy(turned->why, why, length);
    turned->why[length] = '\0';
}

static void take(struct tandem_module *module, struct turned *turned, const struct alias_compiled *compiled) {
    struct tandem_device *device = module->device;
    struct code_object object;
    char error[512];
    if (!code_object_read(compiled->elf, compiled->elf_size, &object, error, sizeof error)) {
        keep_why(turned, error);
        return;
    }
    if (object.data_size != 0 && object.data_size != module->object.data_size) {
        keep_why(turned, "the second compile has other variables in global memory");
        code_object_free(&object);
        return;
    }
    struct tandem_module *loaded = NULL;
    if (loaded_make(module->space, &object, module, &loaded) != TANDEM_OK) {
        keep_why(turned, driver_lock_last_message(device->lock));
        return;
    }
    turned->own = code_object_find(&loaded->object, turned->kernel->name);
    if (turned->own == NULL || !same_arguments(turned->own, turned->kernel)) {
        keep_why(turned, "the second compile is of another kernel");
    } else if (kernel_threads_limit(device, turned->own) < turned->resident) {
        char text[160];
        snprintf(text, sizeof text, "it needs %u registers, too many for the %u threads that have to be resident",
                 turned->own->registers, turned->resident);
        keep_why(turned, text);
    } else {
        turned->module = loaded;
        return;
    }
    loaded_free(loaded);
}

static void compile(struct tandem_module *module, struct turned *turned) {
    struct tandem_device *device = module->device;
    const struct code_kernel *kernel = turned->kernel;
    struct alias_turns turns = {.resident = 0};
    memcpy(turns.local, turned->local, sizeof turns.local);
    choose_threads(device, kernel, &turns);
    turned->resident = turns.resident;
    const struct alias_metadata metadata = {.kernel = kernel->name, .turns = &turns};
    struct alias_compiled compiled = {0};
    const bool good = again_compiler(device)(device->again.compile_context, module->object.again,
                                             module->object.again_size, &metadata, &compiled) &&
                      compiled.elf != NULL;
    again_log(device, "kernel %s: compiled again for work-groups of %u x %u x %u, %u threads at once", kernel->name,
              turned->local[0], turned->local[1], turned->local[2], turned->resident);
    again_log_text(device, kernel, compiled.text);
    if (good) {
        take(module, turned, &compiled);
    } else {
        keep_why(turned, compiled.text != NULL ? compiled.text : "the second compile failed");
    }
    if (turned->module != NULL) {
        again_log(device, "kernel %s: code %u bytes, before %u; registers %u, before %u; private memory %u bytes",
                  kernel->name, turned->own->code_size, kernel->code_size, turned->own->registers, kernel->registers,
                  turned->own->local_bytes);
    }
    free(compiled.elf);
    free(compiled.text);
}

static uint64_t items_of(const uint32_t local[3]) {
    const uint64_t plane = (uint64_t)local[0] * local[1];
    return local[2] != 0 && plane > UINT32_MAX ? UINT64_MAX : plane * local[2];
}

bool turns_wanted(const struct tandem_device *device, const struct code_kernel *kernel, const uint32_t local[3]) {
    return items_of(local) > kernel_threads_limit(device, kernel);
}

enum tandem_status turns_check(struct tandem_device *device, const struct code_kernel *kernel,
                               const uint32_t local[3]) {
    const uint32_t limit = kernel_threads_limit(device, kernel), most = kernel_group_most(device);
    if (items_of(local) <= limit || items_of(local) <= most) return TANDEM_OK;
    return driver_fail(
        device, TANDEM_BAD_ARGUMENT,
        "kernel %s: a work-group of %llu work-items does not fit; with its %u registers this device runs "
        "%u threads at once, and in turns of these at most %u work-items",
        kernel->name, (unsigned long long)items_of(local), kernel->registers, limit, most);
}

static enum tandem_status fail(const struct tandem_module *module, const struct code_kernel *kernel,
                               const uint32_t local[3], const char *why) {
    return driver_fail(
        module->device, TANDEM_BAD_CODE,
        "kernel %s: a work-group of %u work-items, more than the %u threads that can be resident with its "
        "%u registers, cannot be done in turns: %s",
        kernel->name, local[0] * local[1] * local[2], kernel_threads_limit(module->device, kernel), kernel->registers,
        why);
}

enum tandem_status turns_find(struct tandem_module *module, const struct code_kernel *kernel, const uint32_t local[3],
                              const struct turned **found) {
    const char *why = kernel_why_no_turns(module, kernel);
    if (why != NULL) return fail(module, kernel, local, why);
    struct turned *turned = module->turned;
    while (turned != NULL && (turned->kernel != kernel || memcmp(turned->local, local, sizeof turned->local) != 0))
        turned = turned->next;
    if (turned == NULL) {
        turned = calloc(1, sizeof *turned);
        if (turned == NULL)
            return driver_fail(module->device, TANDEM_NO_MEMORY,
                               "kernel %s: the host has no memory for a second compile", kernel->name);
        turned->kernel = kernel;
        memcpy(turned->local, local, sizeof turned->local);
        turned->next = module->turned;
        module->turned = turned;
        compile(module, turned);
    }
    *found = turned;
    if (turned->module == NULL)
        return fail(module, kernel, local, turned->why != NULL ? turned->why : "the host has no memory");
    return TANDEM_OK;
}

enum tandem_status turns_prepare(struct tandem_module *module, const char *name, const uint32_t local[3]) {
    const struct code_kernel *kernel = code_object_find(&module->object, name);
    if (kernel == NULL) return driver_fail(module->device, TANDEM_BAD_CODE, "the program has no kernel \"%s\"", name);
    const struct turned *turned = NULL;
    const enum tandem_status status = turns_check(module->device, kernel, local);
    if (status != TANDEM_OK || !turns_wanted(module->device, kernel, local)) return status;
    return turns_find(module, kernel, local, &turned);
}
