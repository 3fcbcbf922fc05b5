// What launches hold in device memory until they have ended.
//
// A launch owns one piece: the TMD (256 bytes), a line whose first word the task unit sets to 1 when the task has ended
// (RELEASE0 of the TMD, with a time stamp where the launch is timed; the second half of the line is then the time stamp
// of its begin), and constant buffer 0. The piece is given back when that word is seen set.
#ifndef TANDEM_DRIVER_LAUNCHED_H
#define TANDEM_DRIVER_LAUNCHED_H

#include "driver/channel.h"

#define LAUNCH_DONE 256u
#define LAUNCH_BEGIN 272u
#define LAUNCH_CONSTANTS 288u

// Gives back what launches of the channel held that have ended; all: of all of them.
void channel_reap_launches(struct tandem_channel *channel, bool all);

#endif
