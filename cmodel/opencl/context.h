// Contexts: each is a space of its own in every of its devices, so that nothing in one can reach another's memory.
#ifndef TANDEM_OPENCL_CONTEXT_H
#define TANDEM_OPENCL_CONTEXT_H

#include "opencl/channels.h"

struct destructor {
    struct destructor *next;
    void(CL_CALLBACK *call)(cl_context context, void *user_data);
    void *user_data;
};

typedef void(CL_CALLBACK *context_notify)(const char *text, const void *private_info, size_t size, void *user_data);

struct _cl_context {
    struct object object;
    struct _cl_context *next, **link;  // of all contexts
    cl_uint count;                     // devices
    struct place places[DEVICES_MAX];
    cl_context_properties properties[2 * 3 + 1];
    size_t property_count;  // words, the 0 at the end too; 0: none were given
    context_notify notify;
    void *user_data;
    struct destructor *destructors;
    // Of the context's queues, commands and events; changed: an event has got another status, a queue another command.
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

// The place of the device in the context; NULL: it is not one of the context's.
struct place *context_place(cl_context context, cl_device_id device);
cl_uint context_index(cl_context context, const struct place *place);
// One sentence to the context's callback and the log.
void context_tell(cl_context context, const char *text);
// The driver's sentence about a call that has failed, likewise; the OpenCL error.
cl_int context_error(cl_context context, cl_device_id device, const char *what, enum tandem_status status);
// Threads that wait for something in any context look again.
void contexts_wake(void);
// For functions that return an object: sets *errcode_ret, if there is one.
void set_error(cl_int *errcode_ret, cl_int error);

#endif
