// What launches hold until they have ended.
#include "driver/launched.h"

#include <stdlib.h>

#include "driver/local_memory.h"
#include "driver/timing.h"

static void end_timing(struct tandem_channel *channel, struct launch *launch, bool done) {
    uint32_t words[8];
    if (launch->timing == NULL) return;
    const bool known =
        done && space_read(channel->space, launch->block + LAUNCH_DONE, words, sizeof words) == TANDEM_OK;
    timing_end(launch->timing, known ? words : NULL, channel->device->options.config->ns_per_cycle);
}

void channel_reap_launches(struct tandem_channel *channel, bool all) {
    struct launch **place = &channel->launches;
    while (*place != NULL) {
        struct launch *launch = *place;
        uint32_t done = 0;
        if (!all &&
            (space_read(channel->space, launch->block + LAUNCH_DONE, &done, sizeof done) != TANDEM_OK || done == 0)) {
            place = &launch->next;
            continue;
        }
        *place = launch->next;
        end_timing(channel, launch, done != 0);
        heap_free(&channel->space->data, launch->block);
        free(launch);
    }
    if (channel->launches == NULL) channel_drop_local(channel, false);
}
