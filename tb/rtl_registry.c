// Which verilated configurations a program is linked with. -DRTL_DEVICES='X(nano) X(nano_inject)' chooses others than
// the usual three, -DRTL_DEVICES= none.
#include <string.h>

#include "rtl_device.h"

#ifndef RTL_DEVICES
#define RTL_DEVICES X(nano) X(small) X(full)
#endif

#define X(name) extern const struct rtl_ops rtl_ops_##name;
RTL_DEVICES
#undef X

const struct rtl_ops *rtl_ops_find(const char *name) {
    static const struct rtl_ops *const all[] = {
#define X(name) &rtl_ops_##name,
        RTL_DEVICES
#undef X
            NULL};
    for (size_t i = 0; all[i]; i++) {
        if (strcmp(all[i]->name, name) == 0) return all[i];
    }
    return NULL;
}

const char *rtl_ops_names(void) {
#define X(name) #name " "
    return "" RTL_DEVICES;
#undef X
}
