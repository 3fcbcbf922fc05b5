// A code object's instructions and constants in device memory.
#include "driver/loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/printf.h"
#include "driver/work_queue.h"

void loaded_free(struct tandem_module *module) {
    struct tandem_space *space = module->space;
    printf_unload(module);
    if (space->device->backend != NULL) {
        if (module->text != 0) heap_free(&space->code, module->text);
        if (module->rodata != 0) heap_free(&space->data, module->rodata);
        if (module->data != 0 && !module->shares_data) heap_free(&space->data, module->data);
        if (module->work_local != 0) heap_free(&space->data, module->work_local);
        if (module->work_kernels != 0) heap_free(&space->data, module->work_kernels);
    }
    code_object_free(&module->object);
    free(module);
    space_release(space);
}

static enum tandem_status place_bytes(struct tandem_space *space, const uint8_t *bytes, size_t size,
                                      tandem_addr *address) {
    if (size == 0) return TANDEM_OK;
    enum tandem_status status = space_alloc(space, size, 128, address);
    return status == TANDEM_OK ? space_write(space, *address, bytes, size) : status;
}

// Variables, those among them that hold addresses of others too.
static enum tandem_status place_data(struct tandem_module *module) {
    struct code_object *object = &module->object;
    if (object->data_size == 0) return TANDEM_OK;
    const enum tandem_status status = space_alloc(module->space, object->data_size, 128, &module->data);
    if (status != TANDEM_OK) return status;
    for (size_t i = 0; i < object->pointers_size; i += 4) {
        uint32_t place, address;
        memcpy(&place, object->pointers + i, sizeof place);
        memcpy(&address, object->data + place, sizeof address);
        address += module->data;
        memcpy(object->data + place, &address, sizeof address);
    }
    return space_write(module->space, module->data, object->data, object->data_size);
}

static enum tandem_status place(struct tandem_module *module) {
    struct tandem_space *space = module->space;
    const struct code_object *object = &module->object;
    uint64_t text = 0;
    if (!heap_alloc(&space->code, 8 * object->text_words, 32, &text)) {
        return driver_fail(space->device, TANDEM_NO_MEMORY,
                           "no room for %zu bytes of code (%llu bytes of code memory free)", 8 * object->text_words,
                           (unsigned long long)heap_available(&space->code));
    }
    module->text = (tandem_addr)text;
    enum tandem_status status = space_write(space, module->text, object->text, 8 * object->text_words);
    if (status == TANDEM_OK) status = place_bytes(space, object->rodata, object->rodata_size, &module->rodata);
    if (status != TANDEM_OK || module->shares_data) return status;
    return place_data(module);
}

enum tandem_status loaded_make(struct tandem_space *space, struct code_object *object,
                               const struct tandem_module *first, struct tandem_module **result) {
    struct tandem_module *module = calloc(1, sizeof *module);
    if (module == NULL) {
        code_object_free(object);
        return driver_fail(space->device, TANDEM_NO_MEMORY, "the host has no memory for a module");
    }
    *module = (struct tandem_module){.device = space->device, .space = space, .object = *object};
    if (first != NULL) {
        module->shares_data = true;
        module->data = first->data;
    }
    space_hold(space);
    enum tandem_status status = place(module);
    if (status == TANDEM_OK) status = work_queue_load(module);
    if (status == TANDEM_OK) status = printf_load(module);
    if (status != TANDEM_OK) {
        loaded_free(module);
        return status;
    }
    space->code_generation++;
    *result = module;
    return TANDEM_OK;
}
