// Code objects in device memory; module.c makes programs of them.
#ifndef TANDEM_DRIVER_LOADED_H
#define TANDEM_DRIVER_LOADED_H

#include "driver/module.h"

// Takes over the object.
enum tandem_status loaded_make(struct tandem_space *space, struct code_object *object, struct tandem_module **module);
void loaded_free(struct tandem_module *module);

#endif
