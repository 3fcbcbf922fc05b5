// Which built tasks wait for the ends of which.
#ifndef TANDEM_DRIVER_DEPENDENCES_H
#define TANDEM_DRIVER_DEPENDENCES_H

#include "driver/channel.h"

// As the call of tandem.h.
enum tandem_status dependences_set(struct tandem_channel *channel, const struct tandem_dependence *all, size_t count);

#endif
