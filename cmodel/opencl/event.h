// Events: what has become of a command, or of something that the application alone knows (user events).
#ifndef TANDEM_OPENCL_EVENT_H
#define TANDEM_OPENCL_EVENT_H

#include "opencl/context.h"

struct event_callback {
    struct event_callback *next;
    cl_int when;  // CL_COMPLETE, CL_RUNNING or CL_SUBMITTED
    void(CL_CALLBACK *call)(cl_event event, cl_int status, void *user_data);
    void *user_data;
};

enum event_time { TIME_QUEUED, TIME_SUBMIT, TIME_START, TIME_END, TIMES };

struct _cl_event {
    struct object object;
    cl_context context;
    cl_command_queue queue;  // NULL: of the application
    cl_command_type type;
    // Under the context's lock:
    cl_int status;
    bool set;  // user event: clSetUserEventStatus was called
    struct event_callback *callbacks;
    uint64_t times[TIMES];  // of the device's clock, when the queue profiles
};

// A new event of the queue, or of the application (queue NULL); one reference. NULL: the host has no memory.
cl_event event_new(cl_context context, cl_command_queue queue, cl_command_type type);
// The status changes, and who waits for it hears of it. The context's lock is held; callbacks run without it.
void event_change(cl_event event, cl_int status);
// CL_SUCCESS, or what is wrong with a wait list of a command in the context.
cl_int events_check(cl_context context, cl_uint count, const cl_event *list);

#endif
