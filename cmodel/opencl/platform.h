// The platform, and all that the process has: its devices, the end.
#ifndef TANDEM_OPENCL_PLATFORM_H
#define TANDEM_OPENCL_PLATFORM_H

#include "opencl/object.h"

#define PLATFORM_NAME "Tandem"
#define PLATFORM_VENDOR "Tandem"

struct _cl_platform_id {
    struct object object;
};

// The one platform.
cl_platform_id platform_get(void);
// NULL, or the platform: what functions that take one accept.
bool platform_is(cl_platform_id platform);

// The extensions of platform and devices: names with versions, ended by an empty name.
const cl_name_version *platform_extensions(void);
// The same as one text with blanks between. size: of to.
void platform_extension_names(char *to, size_t size);

#endif
