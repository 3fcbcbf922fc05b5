// Devices: those that TANDEM_DEVICES names ("model:full;tandem:small,seed=3"), opened when they are first asked for and
// open until the process ends or the library is unloaded.
#ifndef TANDEM_OPENCL_DEVICE_H
#define TANDEM_OPENCL_DEVICE_H

#include <pthread.h>

#include "driver/tandem.h"
#include "opencl/object.h"

#define DEVICES_MAX 16u
#define DEVICE_NAME_MAX 256u

struct lease;
struct kernel_statistics;

struct _cl_device_id {
    struct object object;
    char name[DEVICE_NAME_MAX];  // as TANDEM_DEVICES has it
    char title[DEVICE_NAME_MAX + 16];
    struct tandem_device *device;
    struct tandem_info info;
    bool board;              // its memory is one space, which all contexts share
    atomic_bool lost;        // tandem: the two differed; a board: it does not answer
    size_t context_bytes;    // of a context's space
    cl_ulong memory, alloc;  // what a context can allocate, and at once
    cl_uint printf_bytes;    // of the buffer of a program that prints
    // channels.c
    pthread_mutex_t lock;
    pthread_cond_t given;
    struct lease *leases;
    uint64_t lease_clock;
    uint64_t time_ahead;  // timer.c: of the device's clock; under the lock
    size_t given_bytes;   // context.c: of the device's memory, to contexts; under the lock
    // statistics.c
    struct kernel_statistics *statistics;
};

// All devices that could be opened; opens them at the first call. Those that cannot be are told on standard error.
cl_device_id *devices_all(cl_uint *count);
// Those that are open by now.
cl_device_id *devices_open(cl_uint *count);
// The process ends: what runs is to stop.
bool devices_ending(void);
void devices_stop(void);
// Until the threads of all queues have ended. False: some have not after so many seconds.
bool devices_wait(cl_uint seconds);
// Is every work-group of 32 KiB local memory possible, as the full profile has it?
bool device_full_profile(cl_device_id device);
// After a call of the device API has failed: the OpenCL error, and whether the device is lost.
cl_int device_error(cl_device_id device, enum tandem_status status);

// Worker threads that are at work: the end of the process waits for them.
void worker_begins(void);
void worker_ends(bool leaving);
// One has nothing left to do but to give back what it keeps, and to end with worker_ends(true).
void worker_leaves(void);
// Waits for those, not long: what the application has released is there again afterwards.
void workers_wait_leaving(void);

#endif
