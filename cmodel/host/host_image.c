// The host interface in a checkpoint.
#include <string.h>

#include "host/host_internal.h"

static void own_pointers(struct host *to, const struct host *from) {
    to->run = from->run;
    to->mem = from->mem;
    to->sms = from->sms;
    to->task = from->task;
}

void host_image(struct host *host, struct image *image) {
    static const struct host none;
    struct host copy;
    memcpy(&copy, host, sizeof copy);
    own_pointers(&copy, &none);
    image_part(image, &copy, sizeof copy);
    own_pointers(&copy, host);
    image_must(image, copy.channels == host->channels && copy.channel < HOST_MAX_CHANNELS &&
                          channel_choice_is_good(&copy.choice, copy.channels));
    if (!image->failed) memcpy(host, &copy, sizeof copy);
}
