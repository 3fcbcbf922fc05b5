// Timed launches: see timing.h.
#include "driver/timing.h"

#include <stdlib.h>

static bool others_have_launches(const struct tandem_channel *channel) {
    const struct tandem_device *device = channel->device;
    for (uint32_t k = 0; k < device->options.config->channels; k++) {
        const struct tandem_channel *other = device->channels[k];
        if (other != NULL && other != channel && (other->launches != NULL || other->work != NULL)) return true;
    }
    return false;
}

bool timing_launch(struct tandem_channel *channel) {
    const struct tandem_device *device = channel->device;
    // What the threads of kernels that make work have made is not seen to end.
    const bool alone =
        (channel->quiet || channel->launches == NULL) && channel->work == NULL && !others_have_launches(channel);
    channel->quiet = false;
    for (uint32_t k = 0; k < device->options.config->channels && !alone; k++) {
        const struct tandem_channel *other = device->channels[k];
        for (const struct launch *launch = other != NULL ? other->launches : NULL; launch != NULL;
             launch = launch->next)
            if (launch->timing != NULL) launch->timing->alone = false;
    }
    return alone;
}

struct timing *timing_new(void) {
    struct timing *timing = malloc(sizeof *timing);
    if (timing != NULL) *timing = (struct timing){.owners = 2, .alone = true};
    return timing;
}

void timing_release(struct timing *timing) {
    if (timing != NULL && --timing->owners == 0) free(timing);
}

static uint64_t nanoseconds(const uint32_t words[4]) {
    return words[2] | (uint64_t)words[3] << 32;
}

void timing_end(struct timing *timing, const uint32_t words[8], uint32_t ns_per_cycle) {
    if (timing == NULL) return;
    timing->ended = true;
    if (words != NULL) {
        timing->cycles = (nanoseconds(words) - nanoseconds(words + 4)) / ns_per_cycle;
    } else {
        timing->alone = false;
    }
    timing_release(timing);
}
