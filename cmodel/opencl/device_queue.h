// Queues on the device: where kernels put the work that they make. What the PPU has is one work queue of the channel that a
// launch runs in (../driver/work_queue.md), and every queue_t of the launch is that one. They are without order, so nobody
// can tell it from several.
#ifndef TANDEM_OPENCL_DEVICE_QUEUE_H
#define TANDEM_OPENCL_DEVICE_QUEUE_H

#include "opencl/queue.h"

#define DEVICE_QUEUES_MAX 16u          // what the device says; there may be more of what is but a name
#define DEVICE_QUEUE_EVENTS 1024u      // of one launch and what it makes, at the same time
#define DEVICE_QUEUE_BYTES (1u << 20)  // a queue's size when nobody has said one
#define DEVICE_QUEUE_BYTES_MAX (16u << 20)

// A new queue with CL_QUEUE_ON_DEVICE. Where it is to be the default one and there is one, it becomes that one, with one
// reference more.
cl_command_queue device_queue_begin(cl_command_queue queue);
// The work queue of a launch in that place, by the size of the largest queue that was made; pieces of 0 bytes: none.
struct work_queue_size device_queue_needs(const struct place *place, uint32_t piece_bytes);
// Takes one of the application's references back; true: it was the last.
bool device_queue_release(cl_command_queue queue);
// The default one of the queue's device, in its context; NULL: there is none.
cl_command_queue device_queue_default(cl_command_queue queue);

#endif
