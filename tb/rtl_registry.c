// Which verilated configurations a program is linked with. -DRTL_DEVICES='X(nano) X(nano_inject)' chooses others than
// the usual three, -DRTL_DEVICES= none. -DRTL_STANDS_IN=1: each stands for its configuration, with defects or without, as a netlist
// does for the RTL.
#include <string.h>

#include "rtl_device.h"

#ifndef RTL_DEVICES
#define RTL_DEVICES X(nano) X(small) X(full)
#endif

#ifndef RTL_STANDS_IN
#define RTL_STANDS_IN 0
#endif

#define X(name) extern const struct rtl_ops rtl_ops_##name;
RTL_DEVICES
#undef X

// "nano" and "nano_inject" name the configuration nano.
static bool names(const char *name, const char *config) {
    const size_t length = strlen(config);
    return strncmp(name, config, length) == 0 && (name[length] == '\0' || strcmp(name + length, "_inject") == 0);
}

const struct rtl_ops *rtl_ops_find(const char *name) {
    static const struct rtl_ops *const all[] = {
#define X(name) &rtl_ops_##name,
        RTL_DEVICES
#undef X
            NULL};
    for (size_t i = 0; all[i]; i++) {
        if (strcmp(all[i]->name, name) == 0) return all[i];
        if (RTL_STANDS_IN && names(name, all[i]->config)) return all[i];
    }
    return NULL;
}

const char *rtl_ops_names(void) {
#define X(name) #name " "
    return "" RTL_DEVICES;
#undef X
}
