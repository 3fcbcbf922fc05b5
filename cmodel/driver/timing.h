// What a launch took, by the device's own clock: a time-stamped release right before it, and the time stamp of the
// task's own RELEASE0.
//
// Only launches that run alone are timed. Alone is a launch that nothing was under way for when it was put into its
// channel, or that stands behind a WFI there, while the other channels have no launches; and into whose time no later
// launch can have come. What is put into channels as raw methods or TMDs is not seen.
#ifndef TANDEM_DRIVER_TIMING_H
#define TANDEM_DRIVER_TIMING_H

#include "driver/channel.h"

// Two own it: the launch, and who asked.
struct timing {
    unsigned owners;
    bool ended;  // the rest holds
    bool alone;  // else the time says nothing
    uint64_t cycles;
};

// A launch is about to be put into the channel. Tells those under way that they are no longer alone. True: it will be
// alone itself, as far as can be seen.
bool timing_launch(struct tandem_channel *channel);
// NULL: the host has no memory.
struct timing *timing_new(void);
void timing_release(struct timing *timing);
// The launch has ended, or is given up (NULL). words: those of RELEASE0, those of the stamp.
void timing_end(struct timing *timing, const uint32_t words[8], uint32_t ns_per_cycle);

#endif
