// The name of a device: BACKEND:[CONFIG][,key=value]...
#ifndef TANDEM_DRIVER_DEVICE_NAME_H
#define TANDEM_DRIVER_DEVICE_NAME_H

#include "backend/backend.h"

// To options. False with one line in message.
bool device_name_parse(const char *name, const struct backend_ops **ops, struct backend_options *options, char *message,
                       size_t message_size);

#endif
