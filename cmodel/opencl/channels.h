// Channels of a device, lent to commands: there are fewer of them than queues (2 on nano), so that a queue has one only
// while a command of it runs. A command that waits for events holds none.
#ifndef TANDEM_OPENCL_CHANNELS_H
#define TANDEM_OPENCL_CHANNELS_H

#include "opencl/device.h"

// What a context has of a device.
struct place {
    cl_device_id device;
    struct tandem_space *space;
    size_t bytes;  // of it
    bool shared;   // a board's own space, which is not closed
    // device_queue.c, under the context's lock:
    struct _cl_command_queue *default_queue;  // on the device; NULL: there is none
    cl_uint queue_bytes;                      // of the largest one so far
};

// Of the work queue of a channel; all 0: it has none. Launches and events have a piece each.
struct work_queue_size {
    uint32_t pieces, piece_bytes;
};

struct lease {
    struct lease *next;
    struct place *place;
    struct tandem_channel *channel;
    uint32_t priority;
    tandem_addr stamps;           // two time stamps
    struct work_queue_size work;  // what was asked for of its work queue, which takes another channel
    bool busy;
    uint64_t used;  // when
};

#define PRIORITY_LOW 0u
#define PRIORITY_MEDIUM 1u
#define PRIORITY_HIGH 2u

// A channel of the place's space with this priority (0 to 3): an idle one, a new one, one in place of another's that is
// idle, or, when all are at work, the next one that is given back. work: for a kernel that makes work itself, a work queue
// at least as large; when memory is short it has fewer pieces.
cl_int lease_take(struct place *place, uint32_t priority, struct work_queue_size work, struct lease **lease);
// broken: the channel is reset, and closed when that does not help.
void lease_give(struct lease *lease, bool broken);
// Closes the place's channels, which are all idle.
void leases_close(const struct place *place);
// Does any command have a channel? The device's lock is held.
bool leases_busy(cl_device_id device);
// Ends of waits and channels when the process ends.
void channels_wake(cl_device_id device);
void channels_close(cl_device_id device);

#endif
