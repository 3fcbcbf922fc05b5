// Command queues. Each has a thread that does its commands, one after the other: of an in-order queue the first, when
// what it waits for has ended; of an out-of-order queue the first that waits for nothing any more.
#ifndef TANDEM_OPENCL_QUEUE_H
#define TANDEM_OPENCL_QUEUE_H

#include "opencl/event.h"

// A command: what is done, when its time has come, by the queue's thread. A kind of command has a struct that begins
// with this one.
struct command {
    struct command *next;
    cl_command_queue queue;
    cl_event event;
    cl_uint wait_count;
    cl_event *waits;
    bool after_all;   // waits for all that are in front of it
    bool before_all;  // all behind wait for it
    cl_int (*run)(struct command *command);
    void (*drop)(struct command *command);  // gives back what it holds, not the command; NULL: nothing
};

struct _cl_command_queue {
    struct object object;
    cl_context context;
    struct place *place;
    cl_command_queue_properties flags;
    cl_queue_properties properties[8];
    size_t property_count;
    cl_uint priority;  // PRIORITY_*
    cl_uint size;      // bytes, of a queue on the device
    // Under the context's lock:
    struct command *first, **end, *running;
    bool started, closing, leaving;  // leaving: its thread has nothing to do any more, nor will it have
    cl_int error;                    // of a command that has failed and nobody was told yet
};

// A new command of `size` bytes, zero behind struct command. NULL: the host has no memory.
void *command_new(cl_command_queue queue, cl_command_type type, size_t size, cl_int (*run)(struct command *command),
                  void (*drop)(struct command *command));
// Before it was enqueued.
void command_free(struct command *command);
// Takes the command over. The wait list was checked. *event (may be NULL) is the application's. blocking: returns when
// it has ended, with the error that it had, or that an earlier one of an in-order queue had.
cl_int command_enqueue(struct command *command, cl_uint wait_count, const cl_event *waits, cl_event *event,
                       bool blocking);
// The queue was released: when its thread has nothing to do it leaves. The context's lock is held.
void queue_leave(cl_command_queue queue);
// The checks that all enqueues begin and end with: the queue; that object's context (NULL: none) is the queue's, and the
// wait list.
cl_int enqueue_check(cl_command_queue queue, cl_context context, cl_uint wait_count, const cl_event *waits);

#endif
