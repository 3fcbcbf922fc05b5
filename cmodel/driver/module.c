// Programs: loaded, with what their second compiles are remembered in.
#include "driver/module.h"

#include "driver/loaded.h"
#include "driver/turns.h"
#include "driver/variants.h"

// Takes over the object.
static enum tandem_status load(struct tandem_space *space, struct code_object *object, struct tandem_module **module) {
    enum tandem_status status = loaded_make(space, object, NULL, module);
    if (status != TANDEM_OK) return status;
    (*module)->variants = variants_make(*module);
    if ((*module)->variants != NULL) return TANDEM_OK;
    loaded_free(*module);
    *module = NULL;
    return driver_fail(space->device, TANDEM_NO_MEMORY, "the host has no memory for a module");
}

enum tandem_status module_load(struct tandem_space *space, const void *elf, size_t size,
                               struct tandem_module **module) {
    *module = NULL;
    enum tandem_status status = space_check(space);
    if (status != TANDEM_OK) return status;
    struct code_object object;
    char error[512];
    if (!code_object_read(elf, size, &object, error, sizeof error))
        return driver_fail(space->device, TANDEM_BAD_CODE, "%s", error);
    return load(space, &object, module);
}

enum tandem_status module_load_file(struct tandem_space *space, const char *path, struct tandem_module **module) {
    *module = NULL;
    enum tandem_status status = space_check(space);
    if (status != TANDEM_OK) return status;
    struct code_object object;
    char error[512];
    if (!code_object_read_file(path, &object, error, sizeof error))
        return driver_fail(space->device, TANDEM_BAD_CODE, "%s", error);
    return load(space, &object, module);
}

void module_unload(struct tandem_module *module) {
    if (module == NULL) return;
    turns_free(module);
    variants_free(module->variants);
    loaded_free(module);
}
