// What every object of the API begins with: the dispatch table, which the loader reads, what kind it is, who keeps it.
//
// References are the application's (clRetain*, clRelease*); holds are everybody's: the references together are one. An
// object goes with its last hold, so a buffer that its owner has released stays until the command that uses it has
// ended. A watch keeps no object: only the handle, so that it can be asked whether the object is still there.
#ifndef TANDEM_OPENCL_OBJECT_H
#define TANDEM_OPENCL_OBJECT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <stdbool.h>

enum object_kind {
    OBJECT_PLATFORM = 0x544D0001,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,         // of the host
    OBJECT_DEVICE_QUEUE,  // the same struct: kernels put work into it, and no command of the host does
    OBJECT_MEMORY,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
    OBJECT_SAMPLER,
};

struct object {
    const cl_icd_dispatch *dispatch;  // first: the loader finds it there
    enum object_kind kind;
    atomic_uint references, holds, watches;
    void (*destroy)(void *object);
};

extern const cl_icd_dispatch opencl_dispatch;  // dispatch.c

// One reference, one hold. destroy: called with the object when the last hold goes; NULL: it stays for ever.
void object_begin(struct object *object, enum object_kind kind, void (*destroy)(void *object));
// Is it an object of this kind that the application has a reference to?
bool object_is(const void *object, enum object_kind kind);
// So too, or that something of the application's keeps: a queue its context, a kernel its program. Questions to these
// (CL_QUEUE_CONTEXT, CL_KERNEL_PROGRAM) give the handle, which the application may then use or retain.
bool object_lives(const void *object, enum object_kind kind);
// Of one that lives; the first reference again takes a hold again.
void object_retain(void *object);
// True: it was the application's last reference; the hold that stood for them is the caller's to drop.
bool object_release(void *object);
void object_hold(void *object);
void object_drop(void *object);
// Of objects whose destroy ends with object_unwatch() instead of free(), which is for the watch of all holds together.
void object_watch(void *object);
void object_unwatch(void *object);  // NULL: nothing
// By one who watches: holds it, unless it has gone; then false.
bool object_hold_living(void *object);

#endif
