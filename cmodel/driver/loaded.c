// A code object's instructions and constants in device memory.
#include "driver/loaded.h"

#include <stdio.h>
#include <stdlib.h>

#include "driver/printf.h"
#include "driver/work_queue.h"

void loaded_free(struct tandem_module *module) {
    struct tandem_device *device = module->device;
    printf_unload(module);
    if (device->backend != NULL) {
        if (module->text != 0) heap_free(&device->code, module->text);
        if (module->rodata != 0) heap_free(&device->data, module->rodata);
        if (module->data != 0) heap_free(&device->data, module->data);
        if (module->work_local != 0) heap_free(&device->data, module->work_local);
        if (module->work_kernels != 0) heap_free(&device->data, module->work_kernels);
    }
    code_object_free(&module->object);
    free(module);
    driver_release(device);
}

static enum tandem_status place_bytes(struct tandem_device *device, const uint8_t *bytes, size_t size,
                                      tandem_addr *address) {
    if (size == 0) return TANDEM_OK;
    enum tandem_status status = tandem_alloc(device, size, 128, address);
    return status == TANDEM_OK ? tandem_write(device, *address, bytes, size) : status;
}

static enum tandem_status place(struct tandem_module *module) {
    struct tandem_device *device = module->device;
    const struct code_object *object = &module->object;
    uint64_t text = 0;
    if (!heap_alloc(&device->code, 8 * object->text_words, 32, &text)) {
        return driver_fail(device, TANDEM_NO_MEMORY, "no room for %zu bytes of code (%llu bytes of code memory free)",
                           8 * object->text_words, (unsigned long long)heap_available(&device->code));
    }
    module->text = (tandem_addr)text;
    enum tandem_status status = tandem_write(device, module->text, object->text, 8 * object->text_words);
    if (status == TANDEM_OK) status = place_bytes(device, object->rodata, object->rodata_size, &module->rodata);
    return status == TANDEM_OK ? place_bytes(device, object->data, object->data_size, &module->data) : status;
}

enum tandem_status loaded_make(struct tandem_device *device, struct code_object *object,
                               struct tandem_module **result) {
    struct tandem_module *module = calloc(1, sizeof *module);
    if (module == NULL) {
        code_object_free(object);
        return driver_fail(device, TANDEM_NO_MEMORY, "the host has no memory for a module");
    }
    *module = (struct tandem_module){.device = device, .object = *object};
    device->references++;
    enum tandem_status status = place(module);
    if (status == TANDEM_OK) status = work_queue_load(module);
    if (status == TANDEM_OK) status = printf_load(module);
    if (status != TANDEM_OK) {
        loaded_free(module);
        return status;
    }
    device->code_generation++;
    *result = module;
    return TANDEM_OK;
}
