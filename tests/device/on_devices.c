#include "on_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/assembler.h"

// With TANDEM_TESTS_OVER=systemc the device stands in the SystemC platform: rtl:nano is systemc:nano,core=rtl.
static void over_platform(const char *name, char *to, size_t size) {
    const char *over = getenv("TANDEM_TESTS_OVER"), *colon = strchr(name, ':');
    if (over == NULL || strcmp(over, "systemc") != 0 || strncmp(name, "systemc:", 8) == 0) {
        snprintf(to, size, "%s", name);
    } else {
        cr_assert_not_null(colon);
        snprintf(to, size, "systemc:%s,core=%.*s", colon + 1, (int)(colon - name), name);
    }
}

struct tandem_device *open_device(const char *name) {
    char over[256], full[300], message[512] = "";
    over_platform(name, over, sizeof over);
    // The private memory of all threads that can be resident is megabytes on full.
    const char *mem = strstr(name, "full") != NULL ? ",mem=8" : ",mem=4";
    snprintf(full, sizeof full, "%s%s", over, strstr(name, "mem=") == NULL ? mem : "");
    struct tandem_device *device = NULL;
    enum tandem_status status = tandem_open(full, &device, message, sizeof message);
    if (strcmp(over, name) != 0 && strstr(message, "built without SystemC") != NULL)
        cr_skip_test("built without libsystemc");
    cr_assert_eq(status, TANDEM_OK, "open %s: %s", name, message);
    return device;
}

void close_device(struct tandem_device *device) {
    enum tandem_status status = tandem_close(device);
    cr_assert_eq(status, TANDEM_OK, "close: %s", tandem_status_name(status));
}

uint32_t read_word(struct tandem_device *device, tandem_addr address) {
    uint32_t word = 0;
    must(device, TANDEM_OK, tandem_read(device, address, &word, 4));
    return word;
}

void write_word(struct tandem_device *device, tandem_addr address, uint32_t value) {
    must(device, TANDEM_OK, tandem_write(device, address, &value, 4));
}

tandem_addr new_words(struct tandem_device *device, uint32_t count) {
    tandem_addr address = 0;
    must(device, TANDEM_OK, tandem_alloc(device, 4 * count, 32, &address));
    for (uint32_t i = 0; i < count; i++)
        write_word(device, address + 4 * i, 0);
    return address;
}

struct tandem_module *load_assembly(struct tandem_device *device, const char *text) {
    struct code_object object;
    char error[512] = "";
    cr_assert(assemble(text, strlen(text), "test", &object, error, sizeof error), "%s", error);
    void *elf = NULL;
    size_t size = 0;
    cr_assert(code_object_write(&object, &elf, &size, error, sizeof error), "%s", error);
    struct tandem_module *module = NULL;
    must(device, TANDEM_OK, tandem_module_load(device, elf, size, &module));
    free(elf);
    code_object_free(&object);
    return module;
}
