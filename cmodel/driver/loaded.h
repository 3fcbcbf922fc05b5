// Code objects in device memory; module.c makes programs of them.
#ifndef TANDEM_DRIVER_LOADED_H
#define TANDEM_DRIVER_LOADED_H

#include "driver/module.h"

// Takes over the object. first (or NULL): the program that it is another compile of, whose variables in global memory it
// shares, and which must outlive it.
enum tandem_status loaded_make(struct tandem_space *space, struct code_object *object,
                               const struct tandem_module *first, struct tandem_module **module);
void loaded_free(struct tandem_module *module);

#endif
